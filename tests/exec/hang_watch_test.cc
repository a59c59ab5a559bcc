// When a launch is observed.
#include "exec/livelock/hang_watch.h"

#include <gtest/gtest.h>

#include "tests/exec/observed_warp.h"

namespace heddle::exec::test {
namespace {

// A launch of one warp that spins.
struct SpinningRun final : ObservedWarp, ObservedRun {
  std::vector<LiveWarp> live_warps() const override {
    return {{.warp = &warp, .detector = 0, .at_barrier = false, .spins = true}};
  }
  bool pending_work() const override { return false; }
  std::string describe_warps(int) const override { return {}; }
  void step(LivelockDetector& detector) { detector.observe(warp, decoded->code[0], 1); }
};

constexpr std::uint64_t kFirst = 1'000'000;  // cycles of a launch before the first look

}  // namespace

TEST(TimedHangWatch, ObservesAQuarterOfTheLaunchsAgeAndAgainAtTwiceTheAge) {
  SpinningRun run;
  TimedHangWatch watch(run.launch, run.memory, {&run.machine}, Cycle{100}, Cycle{100});
  EXPECT_EQ(watch.next_look(), Cycle{100 + kFirst});
  EXPECT_EQ(run.machine.detector, nullptr);
  EXPECT_EQ(watch.look(watch.next_look(), run), Verdict::progress);
  LivelockDetector* const detector = run.machine.detector;
  ASSERT_NE(detector, nullptr);
  run.step(*detector);
  EXPECT_EQ(watch.next_look(), Cycle{100 + kFirst + 4096});
  EXPECT_EQ(watch.look(watch.next_look(), run), Verdict::progress);
  EXPECT_EQ(run.machine.detector, detector);
  EXPECT_TRUE(detector->has_run(run.warp)) << "the observation began again";
  const Cycle end{100 + kFirst + kFirst / 4};
  EXPECT_EQ(watch.look(end, run), Verdict::progress);
  EXPECT_EQ(run.machine.detector, nullptr);
  EXPECT_EQ(watch.next_look(), Cycle{100 + 2 * (kFirst + kFirst / 4)});
}

TEST(TimedHangWatch, AnObservationEndsWithAVisibleChange) {
  SpinningRun run;
  TimedHangWatch watch(run.launch, run.memory, {&run.machine}, Cycle{}, Cycle{});
  watch.look(Cycle{kFirst}, run);
  run.machine.detector->note_change();
  EXPECT_EQ(watch.look(Cycle{kFirst + 4096}, run), Verdict::progress);
  EXPECT_EQ(run.machine.detector, nullptr);
}

TEST(TimedHangWatch, KnowsTheWarpsThatRepeatWhileItObserves) {
  SpinningRun run;
  TimedHangWatch watch(run.launch, run.memory, {&run.machine}, Cycle{}, Cycle{});
  watch.look(Cycle{kFirst}, run);
  for (int i = 0; i < 2; ++i) run.step(*run.machine.detector);
  EXPECT_TRUE(watch.repeats(0, run.warp));
  EXPECT_EQ(watch.look(Cycle{kFirst + 4096}, run), Verdict::livelock);
  watch.stop();
  EXPECT_FALSE(watch.repeats(0, run.warp));
  EXPECT_EQ(run.machine.detector, nullptr);
}

TEST(TimedHangWatch, AReplayedLaunchIsNeverObserved) {
  SpinningRun run;
  const TimedHangWatch watch(run.launch, run.memory, {}, Cycle{}, Cycle{});
  EXPECT_EQ(watch.next_look(), Cycle::never());
}

TEST(FunctionalHangWatch, ObservesFromTheFirstRoundInWhichAllWarpsSpin) {
  SpinningRun run;
  FunctionalHangWatch watch(run.launch, run.memory);
  EXPECT_EQ(watch.detector(), nullptr);
  EXPECT_EQ(watch.look(0, run), Verdict::progress);
  ASSERT_NE(watch.detector(), nullptr);
  for (int i = 0; i < 2; ++i) run.step(*watch.detector());
  EXPECT_TRUE(watch.repeats(run.warp));
  EXPECT_EQ(watch.look(2, run), Verdict::livelock);
  watch.stop();
  EXPECT_EQ(watch.detector(), nullptr);
}

TEST(FunctionalHangWatch, AnObservationThatSawAChangeMakesTheNextOneBeginLater) {
  SpinningRun run;
  FunctionalHangWatch watch(run.launch, run.memory);
  const auto rounds_to_next = [&] {
    watch.detector()->note_change();
    for (int rounds = 1;; ++rounds) {
      EXPECT_EQ(watch.look(0, run), Verdict::progress);
      if (watch.detector()) return rounds;
    }
  };
  watch.look(0, run);  // round 1
  EXPECT_EQ(rounds_to_next(), 1);
  EXPECT_EQ(rounds_to_next(), 2);
  EXPECT_EQ(rounds_to_next(), 4);
}

TEST(FunctionalHangWatch, ObservingOneWarpEndsTheObservationOfAll) {
  SpinningRun run;
  FunctionalHangWatch watch(run.launch, run.memory);
  watch.look(0, run);
  LivelockDetector* const alone = watch.observe_one_warp();
  ASSERT_NE(alone, nullptr);
  EXPECT_EQ(watch.detector(), nullptr);
}

}  // namespace heddle::exec::test
