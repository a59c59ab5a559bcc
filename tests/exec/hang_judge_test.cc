// The verdict about launches that may hang, from the evidence of their warps.
#include "exec/livelock/hang_judge.h"

#include <gtest/gtest.h>

namespace heddle::exec::test {
namespace {

constexpr WarpEvidence kRuns{.ran = true};
constexpr WarpEvidence kSpins{.spins = true, .ran = true};
constexpr WarpEvidence kRepeats{.spins = true, .ran = true, .repeats = true};
constexpr WarpEvidence kWaits{.at_barrier = true};
constexpr WarpEvidence kArrived{.at_barrier = true, .ran = true};

Verdict verdict(std::vector<WarpEvidence> warps, HangEvidence evidence = {}) {
  evidence.warps = warps;
  return verdict_of(evidence);
}

TEST(Verdict, IsLivelockWhenEveryWarpRepeatsOrWaits) {
  EXPECT_EQ(verdict({kRepeats}), Verdict::livelock);
  EXPECT_EQ(verdict({kRepeats, kWaits}), Verdict::livelock);
}

TEST(Verdict, IsProgressWhileOneWarpMayAdvance) {
  EXPECT_EQ(verdict({kRepeats, kSpins}), Verdict::progress);
  EXPECT_EQ(verdict({kRepeats, kRuns}), Verdict::progress);
}

TEST(Verdict, IsProgressWhenAWarpReachedItsBarrierDuringTheObservation) {
  EXPECT_EQ(verdict({kRepeats, kArrived}), Verdict::progress);
}

TEST(Verdict, IsProgressAfterAChangeOrWithPendingWork) {
  EXPECT_EQ(verdict({kRepeats}, {.changed = true}), Verdict::progress);
  EXPECT_EQ(verdict({kRepeats}, {.pending_work = true}), Verdict::progress);
  EXPECT_EQ(verdict({kSpins}, {.changed = true, .visible_change = true, .observed_long = true}),
            Verdict::progress);
}

TEST(Verdict, WaitsForTheHostThatMayWrite) {
  EXPECT_EQ(verdict({kRepeats, kWaits}, {.host_may_write = true}), Verdict::waits_for_host);
}

TEST(Verdict, IsProbableLivelockWhenWarpsOnlySpinOrWaitForLong) {
  const HangEvidence observed_long{.observed_long = true};
  EXPECT_EQ(verdict({kSpins, kArrived}, observed_long), Verdict::probable_livelock);
  EXPECT_EQ(verdict({kSpins, kRuns}, observed_long), Verdict::progress);
  EXPECT_EQ(verdict({kSpins}), Verdict::progress);
}

TEST(Verdict, IsProbableLivelockAfterChangesThatOtherThreadsCannotSee) {
  EXPECT_EQ(verdict({kSpins}, {.changed = true, .observed_long = true}),
            Verdict::probable_livelock);
}

TEST(Verdict, IsLivelockEvenWhenObservedLong) {
  EXPECT_EQ(verdict({kRepeats}, {.observed_long = true}), Verdict::livelock);
}

}  // namespace
}  // namespace heddle::exec::test
