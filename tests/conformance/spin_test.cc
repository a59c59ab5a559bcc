// Independent thread scheduling: lanes that spin on their own warp's lock.
#include <gtest/gtest.h>

#include "tests/conformance/kernels.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;

class Spin : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Sources, Spin, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

// Each lane takes the lock once, although the reconvergence point is after the loop.
const std::string kLock =
    "LOCK: atom.global.cas.b32 %r3, [%in], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra LOCK;\n"
    " ld.volatile.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1; st.volatile.global.u32 [%rd1], %r4; "
    "membar.gl;\n"
    " atom.global.exch.b32 %r5, [%in], 0;\n";

TEST_P(Spin, LanesOfOneWarpPassALockOn) {
  EXPECT_EQ(run_kernel(kLock, 1, 32, 32, {0}, GetParam())[0], 32u);
}

TEST_P(Spin, LanesReconvergeAtABarrier) {
  const std::string after =
      " bar.sync 0; ld.volatile.global.u32 %r6, [%rd1]; st.global.u32 [%x+256], %r6;\n";
  const auto out = run_kernel(kLock + after, 1, 32, 128, {0}, GetParam());
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[64 + l], 32u) << l;
}

TEST_P(Spin, LanesReconvergeAtAWarpSynchronousInstruction) {
  const std::string after =
      " bar.warp.sync -1; vote.sync.ballot.b32 %r6, %p0, -1; not.b32 %r6, %r6; "
      "vote.sync.ballot.b32 %r7, !%p0, -1; st.global.u32 [%x+256], %r7;\n";
  const auto out =
      run_kernel("setp.ne.u32 %p0, 0, 0;" + kLock + after, 1, 32, 128, {0}, GetParam());
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[64 + l], ~0u) << l;
}

// Warp instructions, step by step, of a kernel in which each of 32 lanes takes the lock once.
std::uint64_t instructions_of(const std::string& body) {
  const ptx::Module module = ptx::Module::parse(kernel_of(body), "kernel.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  exec::test::Bench bench;
  bench.array(std::vector<U32>(32, 0));
  bench.array(std::vector<U32>{0});
  return exec::test::run_by_steps(bench.launch(kernel, {1, 1, 1}, {32, 1, 1}), bench.memory)
      .warp_instructions;
}

TEST(SpinSteps, ALoopThatChangesNothingYieldsAtOnce) {
  EXPECT_LT(instructions_of(kLock), 32u * 40);
}

TEST(SpinSteps, ALoopThatCountsYieldsAfter1024Iterations) {
  const std::string counting = "mov.u32 %r9, 0;" + kLock;
  const std::size_t test = counting.find("setp");
  EXPECT_GT(
      instructions_of(counting.substr(0, test) + "add.u32 %r9, %r9, 1; " + counting.substr(test)),
      31u * 1024);
}

TEST(SpinFunctional, AWarpThatWaitsYieldsToAnother) {
  // Warp 0 waits for a store of warp 1.
  const std::string body =
      "setp.lt.u32 %p1, %i, 32; @%p1 bra WAIT; mov.u32 %r3, 1; st.volatile.global.u32 [%in], %r3; "
      "bra END;\n"
      "WAIT: ld.volatile.global.u32 %r4, [%in]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT; "
      "st.global.u32 [%x], %r4;\nEND:";
  EXPECT_EQ(run_kernel(body, 1, 64, 64, {0}, false)[3], 1u);
}

TEST(SpinFunctional, LaterCtasStartWhileAllResidentOnesWait) {
  // A barrier of the whole grid.
  const std::string body =
      "setp.ne.u32 %p1, %i, 0; @%p1 bra DONE; atom.global.add.u32 %r3, [%in], 1;\n"
      "WAIT: ld.acquire.gpu.global.u32 %r4, [%in]; setp.lt.u32 %p2, %r4, 5; @%p2 bra WAIT;\nDONE: "
      "bar.sync 0; mov.u32 %r5, 9; st.global.u32 [%x], %r5;";
  const auto out = run_kernel(body, 5, 64, 320, {0}, false);
  EXPECT_EQ(out[0], 9u);
  EXPECT_EQ(out[319], 9u);
}

// All CTAs wait for the last one; `body` is executed in each iteration of the spin loop.
std::string wait_for_the_last(const std::string& before, const std::string& body) {
  return "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %nctaid.x; sub.u32 %r4, %r4, 1; setp.eq.u32 %p1, "
         "%r3, %r4; @%p1 bra SET;" +
         before + "WAIT: " + body +
         "ld.volatile.global.u32 %r5, [%in]; setp.eq.u32 %p2, %r5, 0; @%p2 bra WAIT; st.global.u32 "
         "[%x], %r5; bra END;\n"
         "SET: mov.u32 %r5, 7; st.volatile.global.u32 [%in], %r5;\nEND:";
}

TEST(SpinFunctional, LaterCtasStartWhileResidentOnesCountOrStoreInTheirSpinLoop) {
  EXPECT_EQ(run_kernel(wait_for_the_last("mov.u32 %r6, 0;", "add.u32 %r6, %r6, 1;"), 200, 32, 6400,
                       {0}, false)[0],
            7u);
  EXPECT_EQ(run_kernel(wait_for_the_last("mov.u32 %r6, 0;",
                                         "add.u32 %r6, %r6, 1; st.global.u32 [%x], %r6;"),
                       200, 32, 6400, {0}, false)[0],
            7u);
}

const std::string kSleepByTheClock =
    "mov.u64 %rd3, %globaltimer; sub.s64 %rd3, %rd3, %rd2; setp.lt.s64 %p3, %rd3, 40000; @%p3 bra "
    "SOON;\n"
    " cvt.u32.u64 %r7, %rd3; nanosleep.u32 %r7;\nSOON: ";

TEST(SpinFunctional, LaterCtasStartWhileResidentOnesSleepByTheClock) {
  EXPECT_EQ(run_kernel(wait_for_the_last("mov.u64 %rd2, %globaltimer;", kSleepByTheClock), 200, 32,
                       6400, {0}, false)[0],
            7u);
}

TEST(SpinFunctional, AWaitUntilAClockValueIsNotAHang) {
  const std::string body =
      "mov.u64 %rd2, %clock64;\nWAIT: mov.u64 %rd3, %clock64; sub.s64 %rd3, %rd3, %rd2; "
      "setp.gt.s64 %p3, %rd3, 3000000; @%p3 bra END;\n"
      "ld.volatile.global.u32 %r4, [%in]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT;\nEND: mov.u32 "
      "%r5, 9; st.global.u32 [%x], %r5;";
  EXPECT_EQ(run_kernel(body, 1, 32, 32, {0}, false)[5], 9u);
}

TEST(SpinFunctional, AnEndlessWaitThatSleepsByTheClockIsReported) {
  const std::string body =
      "mov.u64 %rd2, %globaltimer;\nWAIT: " + kSleepByTheClock +
      "ld.volatile.global.u32 %r4, [%in]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT;";
  EXPECT_THROW(run_kernel(body, 2, 64, 128, {0}, false), exec::KernelFault);
}

TEST(SpinFunctional, ALockThatIsNeverReleasedIsReported) {
  const std::string body =
      "WAIT: ld.volatile.global.u32 %r4, [%in]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT;";
  try {
    run_kernel(body, 2, 64, 128, {0}, false);
    FAIL() << "no fault";
  } catch (const exec::KernelFault& fault) {
    EXPECT_EQ(fault.kind(), exec::KernelFault::Kind::deadlock);
    EXPECT_NE(std::string(fault.what()).find("nothing changes"), std::string::npos) << fault.what();
  }
}

}  // namespace
}  // namespace heddle::conformance
