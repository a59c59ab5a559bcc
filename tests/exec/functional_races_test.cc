// Programs with races that give the right result on a GPU because its warps advance at the same
// pace: functional runs give the same result, and every warp makes progress.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "exec/state/launch.h"
#include "ptx/module.h"

namespace heddle::exec::test {
namespace {

constexpr std::uint32_t kThreads = 128;

// A kernel k(u64 out): %r1 = %tid.x, %r2 = its warp, %rd1 = out + 4 * %tid.x, and 128 words of
// shared memory at %r3 + 4 * thread. counts: what was executed.
std::vector<std::uint32_t> run_body(const std::string& body, std::uint32_t ctas = 1,
                                    FunctionalCounts* counts = nullptr) {
  const std::string text =
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.shared .align 4 .b8 tile[512];\n"
      "mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\nmov.u32 %r3, tile;\nshl.b32 %r4, %r1, "
      "2;\nadd.u32 %r3, %r3, %r4;\n"
      "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\n" +
      body + "ret;\n}\n";
  GlobalMemory memory(1 << 20);
  const ptx::Module module = ptx::Module::parse(text, "races.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  const Address out = memory.allocate(kThreads * 4 * 4, "out");
  DeviceServices services;
  Launch launch;
  launch.kernel = &kernel;
  launch.grid = {ctas, 1, 1};
  launch.block = {kThreads, 1, 1};
  launch.parameters.resize(8);
  launch.services = &services;
  std::memcpy(launch.parameters.data(), &out.value, 8);
  const FunctionalCounts ran = run_functionally(launch, memory, {});
  if (counts) *counts = ran;
  std::vector<std::uint32_t> result(kThreads);
  std::memcpy(result.data(), memory.host(out), kThreads * 4);
  return result;
}

// A tile is read in a loop and then overwritten, without a barrier between. first_trips,
// other_trips: iterations of the first warp and of the others; every iteration adds the last
// thread's word.
std::string refill(const std::string& first_trips, const std::string& other_trips) {
  return "st.shared.u32 [%r3], 1;\nbar.sync 0;\nmov.u32 %r5, 0;\nmov.u32 %r6, 0;\n"
         "setp.eq.u32 %p1, %r2, 0;\nselp.u32 %r7, " +
         first_trips + ", " + other_trips +
         ", %p1;\n"
         "LOOP:\nld.shared.u32 %r8, [tile+508];\nadd.u32 %r5, %r5, %r8;\nadd.u32 %r6, %r6, "
         "1;\nsetp.lt.u32 %p2, %r6, %r7;\n@%p2 bra LOOP;\n"
         "st.shared.u32 [%r3], 1000;\nst.global.u32 [%rd1], %r5;\n";
}

TEST(SharedStore, WaitsForWarpsThatStillReadTheTile) {
  const auto sums = run_body(refill("3000", "2000"));  // the first warp reads 1.5 times as long
  for (std::uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(sums[t], t < 32 ? 3000u : 2000u) << "thread " << t;
}

TEST(SharedStore, WaitsForALimitedTime) {
  const auto sums = run_body(refill(
      "1000000",
      "2000"));  // a race on any machine: the other warps do not wait until the first warp is done
  EXPECT_GT(sums[0], 1000000u);
  for (std::uint32_t t = 32; t < kThreads; ++t) EXPECT_EQ(sums[t], 2000u);
}

TEST(TimeSlices, KeepWarpsTogetherInTheirFirstLoops) {
  // All threads clear a list, each thread every 128th word. Then the first thread marks a word that
  // the last thread clears. There is no barrier between.
  const auto values = run_body(
      "mov.u32 %r6, 4;\nCLEAR:\nsub.u32 %r6, %r6, 1;\nmul.wide.u32 %rd3, %r6, 512;\nadd.u64 "
      "%rd3, %rd3, %rd1;\nst.global.u32 [%rd3], 0;\n"
      "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra CLEAR;\nLOOP:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 "
      "%p1, %r6, 5;\n@%p1 bra LOOP;\n"
      "setp.ne.u32 %p2, %r1, 0;\n@%p2 bra BARRIER;\nst.global.u32 [%rd1+508], "
      "1;\nBARRIER:\nbar.sync "
      "0;\n");
  EXPECT_EQ(values[127], 1u);
}

TEST(TimeSlices, RunWarpsInTheirOrderAfterABarrierWhicheverWarpArrivedLast) {
  // As in a scan that carries a sum from tile to tile: all threads read a word, and a few
  // instructions later the last thread overwrites it, without a barrier between. One warp arrives
  // late at the barrier before.
  for (int late = 0; late < 4; ++late) {
    const auto values = run_body(
        "setp.ne.u32 %p1, %r1, 127;\n@!%p1 st.shared.u32 [tile], 5;\nmov.u32 %r6, "
        "0;\nsetp.ne.u32 %p3, %r2, " +
        std::to_string(late) +
        ";\n@%p3 bra BARRIER;\n"
        "LOOP:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 300;\n@%p2 bra LOOP;\n"
        "BARRIER:\nbar.sync 0;\nmov.u32 %r9, 0;\nld.shared.u32 %r8, [tile];\nadd.u32 %r8, %r8, "
        "1;\n@%p1 bra DONE;\nst.shared.u32 [tile], 1000;\n"
        "DONE:\nst.global.u32 [%rd1], %r8;\n");
    for (std::uint32_t t = 0; t < kThreads; ++t)
      EXPECT_EQ(values[t], 6u) << "thread " << t << ", late warp " << late;
  }
}

TEST(SharedStore, DoesNotWaitForWarpsThatSpin) {
  // All warps but the last spin on the last warp's word, which that warp stores after a long loop.
  const auto values = run_body(
      "st.shared.u32 [%r3], 0;\nbar.sync 0;\nsetp.eq.u32 %p1, %r2, 3;\n@%p1 bra WORK;\n"
      "SPIN:\nld.volatile.shared.u32 %r8, [tile+508];\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra "
      "SPIN;\nbra DONE;\n"
      "WORK:\nmov.u32 %r6, 0;\nLOOP:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 5000;\n@%p2 "
      "bra LOOP;\n"
      "st.volatile.shared.u32 [%r3], 7;\nmov.u32 %r8, 7;\nDONE:\nst.global.u32 [%rd1], %r8;\n");
  for (std::uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(values[t], 7u) << "thread " << t;
}

TEST(MoreCtas, StartWhenAThreadWaitsForThemBetweenTwoBarriers) {
  // The first thread of each CTA spins on a counter while the rest of its warp waits at the second
  // barrier.
  const auto counts = run_body(
      "bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra BARRIER;\nadd.u64 %rd3, %rd1, "
      "508;\natom.global.add.u32 %r8, [%rd3], 1;\n"
      "SPIN:\nld.volatile.global.u32 %r8, [%rd3];\nsetp.lt.u32 %p2, %r8, 3;\n@%p2 bra "
      "SPIN;\nBARRIER:\nbar.sync 0;\n",
      3);
  EXPECT_EQ(counts[127], 3u);
}

TEST(SharedStore, ThatIsDelayedDoesNotBlockABarrier) {
  // The first warp stores late, the others wait at a barrier and store after it.
  const auto values = run_body(
      "mov.u32 %r6, 0;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra BARRIER;\n"
      "LOOP:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 5000;\n@%p2 bra LOOP;\nst.shared.u32 "
      "[%r3], %r6;\n"
      "BARRIER:\nbar.sync 0;\nld.shared.u32 %r8, [tile];\nst.global.u32 [%rd1], %r8;\n");
  for (std::uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(values[t], 5000u);
}

TEST(MoreCtas, StartInGrowingNumbersWhenAllCtasSpin) {
  // A barrier of the whole grid: the first thread of each CTA counts and waits until all have.
  FunctionalCounts counts;
  const auto values = run_body(
      "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra BARRIER;\natom.global.add.u32 %r5, [%rd1], 1;\nmov.u32 "
      "%r6, %nctaid.x;\n"
      "SPIN:\nld.volatile.global.u32 %r7, [%rd1];\nsetp.ne.u32 %p2, %r7, %r6;\n@%p2 bra "
      "SPIN;\nBARRIER:\nbar.sync 0;\n",
      300, &counts);
  EXPECT_EQ(values[0], 300u);
  EXPECT_LT(counts.warp_instructions, 1'000'000u);  // 140 million if they started one by one
}

TEST(MoreCtas, StartWhenLanesOfAWarpWaitForDifferentCtas) {
  // Each thread of CTA 0 waits for the words of two CTAs, so its warps are split into fragments
  // that run alternately.
  const auto values = run_body(
      "ld.param.u64 %rd3, [out];\nmov.u32 %r5, %ctaid.x;\nsetp.ne.u32 %p1, %r5, 0;\nmov.u32 "
      "%r9, %nctaid.x;\n@%p1 bra SET;\nmov.u32 %r6, %r1;\n"
      "NEXT:\nmul.wide.u32 %rd4, %r6, 4;\nadd.s64 %rd5, %rd3, %rd4;\n"
      "WAIT:\nld.volatile.global.u32 %r7, [%rd5];\nsetp.eq.u32 %p2, %r7, 0;\nsetp.ne.and.u32 "
      "%p2, %r6, 0, %p2;\n@%p2 bra WAIT;\n"
      "add.u32 %r6, %r6, 128;\nsetp.lt.u32 %p3, %r6, %r9;\n@%p3 bra NEXT;\nbar.sync "
      "0;\nst.global.u32 [%rd1], 9;\nbra DONE;\n"
      "SET:\nmul.wide.u32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd3, %rd4;\nst.global.u32 [%rd5], "
      "1;\nDONE:\n",
      140);
  for (std::uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(values[t], 9u) << "thread " << t;
}

TEST(MoreCtas, StartWhenTheSpinLoopContainsOtherLoops) {
  // The threads of CTA 0 check the words of all CTAs one after the other, and repeat until all are
  // set. The active lanes of the inner loop change.
  FunctionalCounts counts;
  const auto values = run_body(
      "ld.param.u64 %rd3, [out];\nmov.u32 %r5, %ctaid.x;\nsetp.ne.u32 %p1, %r5, 0;\nmov.u32 "
      "%r9, %nctaid.x;\n@%p1 bra SET;\n"
      "REPEAT:\nmov.u32 %r8, 0;\nand.b32 %r6, %r1, 3;\nadd.u32 %r6, %r6, 1;\n"
      "NEXT:\nmul.wide.u32 %rd4, %r6, 4;\nadd.s64 %rd5, %rd3, %rd4;\nld.volatile.global.u32 "
      "%r7, [%rd5];\nadd.u32 %r8, %r8, %r7;\n"
      "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r9;\n@%p2 bra NEXT;\n"
      "and.b32 %r10, %r1, 3;\nadd.u32 %r10, %r10, %r8;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 "
      "%p3, %r10, %r9;\n@%p3 bra REPEAT;\n"
      "bar.sync 0;\nst.global.u32 [%rd1], 9;\nbra DONE;\n"
      "SET:\nmul.wide.u32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd3, %rd4;\nst.global.u32 [%rd5], "
      "1;\nDONE:\n",
      20, &counts);
  for (std::uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(values[t], 9u) << "thread " << t;
  EXPECT_LT(counts.warp_instructions, 10'000'000u);
}

}  // namespace
}  // namespace heddle::exec::test
