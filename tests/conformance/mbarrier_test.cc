// mbarrier, bulk copies and clusters of one CTA, functionally and step by step.
#include <gtest/gtest.h>

#include "tests/conformance/kernels.h"
#include "tests/error_message.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;

const std::string kStore = "\n st.global.u32 [%x], %r9;";
// One object with the given number of arrivals; its address is in %r8 of every thread.
std::string object(U32 arrivals) {
  return ".shared .align 8 .b64 bar;\n .shared .align 16 .b8 tile[1024];\n mov.u32 %r8, bar; "
         "setp.eq.u32 %p7, %i, 0; @%p7 mbarrier.init.shared::cta.b64 [%r8], " +
         std::to_string(arrivals) + ";\n bar.sync 0;\n";
}
const std::string kWait =
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p6, [%r8], 0; @!%p6 bra WAIT;\n";

class Mbarrier : public testing::TestWithParam<bool> {
 protected:
  std::vector<U32> run(const std::string& body, U32 threads = 32,
                       const std::vector<U32>& in = {0}) {
    return run_kernel(body + kStore, 1, threads, threads, in, GetParam());
  }
  std::string fault(const std::string& body) {
    return message_of<exec::KernelFault>([&] { (void)run(body); }, "none");
  }
};
INSTANTIATE_TEST_SUITE_P(Sources, Mbarrier, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

TEST_P(Mbarrier, APhaseEndsWithItsLastArrivalAndTheNextBegins) {
  const std::string one = "@%p7 mbarrier.arrive.shared.b64 %rd5, [%r8];\n";
  const std::string look =
      "mbarrier.test_wait.shared.b64 %p6, [%r8], %rd5; selp.u32 %r9, 1, 0, %p6;";
  EXPECT_EQ(run(object(2) + one + look)[0], 0u);
  EXPECT_EQ(run(object(2) + one + "@%p7 mbarrier.arrive.shared.b64 _, [%r8];\n" + look)[0], 1u);
  EXPECT_EQ(run(object(5) + "@%p7 mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [%r8], 5;\n" +
                look)[0],
            1u);
  // The next phase waits for five arrivals again.
  EXPECT_EQ(run(object(5) +
                "@%p7 mbarrier.arrive.shared.b64 _, [%r8], 5;\n @%p7 mbarrier.arrive.shared.b64 "
                "%rd5, [%r8], 4;\n" +
                look)[0],
            0u);
}

TEST_P(Mbarrier, AsynchronousStoresAndReductionsCompleteTheirBytes) {
  const std::string begin = object(1) +
                            "mov.u32 %r5, tile; mov.u32 %r6, 41; mov.u32 %r7, 10; "
                            "st.shared.u32 [%r5], %r7; bar.sync 0;\n@%p7 "
                            "mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 8;\n";
  const std::string tail = ".shared::cluster.mbarrier::complete_tx::bytes";
  EXPECT_EQ(run(begin + "@%p7 st.async.weak" + tail + ".v2.b32 [%r5], {%r7, %r6}, [%r8];\n" +
                kWait + "ld.shared.u32 %r9, [%r5+4];")[20],
            41u);
  const std::string twice =
      "@%p7 red.async.relaxed.cluster" + tail + ".add.u32 [%r5], %r6, [%r8];\n";
  EXPECT_EQ(run(begin + twice + twice + kWait + "ld.shared.u32 %r9, [%r5];")[20], 92u);
}

TEST_P(Mbarrier, AStateHoldsThePendingCount) {
  const std::string count = "@%p7 mbarrier.pending_count.b64 %r9, %rd5;";
  EXPECT_EQ(run(object(9) +
                "@%p7 mbarrier.arrive.shared.b64 _, [%r8], 2; @%p7 "
                "mbarrier.arrive.noComplete.release.cta.shared.b64 %rd5, [%r8], 3;\n" +
                count)[0],
            7u);
}

TEST_P(Mbarrier, DroppedArrivalsReduceTheCountOfLaterPhases) {
  const std::string drop =
      "@%p7 mbarrier.arrive_drop.shared.b64 _, [%r8]; @%p7 mbarrier.arrive.shared.b64 _, [%r8], "
      "2;\n";
  const std::string look =
      "mbarrier.test_wait.parity.shared.b64 %p6, [%r8], 1; selp.u32 %r9, 1, 0, %p6;";
  EXPECT_EQ(run(object(3) + drop + "@%p7 mbarrier.arrive.shared.b64 _, [%r8], 2;\n" + look)[0], 1u);
  EXPECT_EQ(run(object(3) + drop + "@%p7 mbarrier.arrive.shared.b64 _, [%r8], 1;\n" + look)[0], 0u);
}

TEST_P(Mbarrier, APhaseWaitsForItsBytes) {
  const std::string arrive =
      "@%p7 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r8], 48;\n";
  const std::string look =
      "mbarrier.test_wait.parity.shared.b64 %p6, [%r8], 0; selp.u32 %r9, 1, 0, %p6;";
  EXPECT_EQ(run(object(1) + arrive + look)[0], 0u);
  EXPECT_EQ(
      run(object(1) + arrive +
          "@%p7 mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r8], 48;\n" + look)[0],
      1u);
  EXPECT_EQ(run(object(1) + "@%p7 mbarrier.complete_tx.shared.b64 [%r8], 16;\n" + arrive + look)[0],
            0u)
      << "bytes may complete before expect_tx";
  EXPECT_EQ(run(object(1) +
                "@%p7 mbarrier.complete_tx.shared.b64 [%r8], 48;\n @%p7 "
                "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r8], 48; @%p7 "
                "mbarrier.arrive.shared.b64 _, [%r8];\n" +
                look)[0],
            1u);
}

TEST_P(Mbarrier, WarpsAndLanesOfOneWarpWaitForEachOther) {
  // Odd lanes wait for even ones; then all of 96 threads wait for warp 2, which writes first.
  const std::string lanes =
      "and.b32 %r3, %l, 1; setp.eq.u32 %p1, %r3, 1; @%p1 bra WAIT;\n mbarrier.arrive.shared.b64 _, "
      "[%r8]; mov.u32 %r9, 1; bra END;\n" +
      kWait + " mov.u32 %r9, 2;\nEND:";
  const auto out = run(object(16) + lanes);
  EXPECT_EQ(out[6], 1u);
  EXPECT_EQ(out[7], 2u);
  const std::string warps =
      "mov.u32 %r3, tile; setp.lt.u32 %p1, %i, 64; @%p1 bra WAIT;\n mad.lo.u32 %r4, %l, 4, %r3; "
      "add.u32 %r5, %i, 1000; st.shared.u32 [%r4], %r5;\n"
      " mbarrier.arrive.shared.b64 _, [%r8]; bra END;\n" +
      kWait + " mad.lo.u32 %r4, %l, 4, %r3; ld.shared.u32 %r9, [%r4];\nEND:";
  EXPECT_EQ(run(object(32) + warps, 96)[33], 1065u);
}

TEST_P(Mbarrier, AsynchronousCopiesArriveForTheirThread) {
  std::vector<U32> in(64);
  for (U32 i = 0; i < 64; ++i) in[i] = 500 + i;
  const std::string copy =
      "mov.u32 %r3, tile; mad.lo.u32 %r4, %l, 4, %r3; mul.wide.u32 %rd6, %l, 4; add.u64 %rd7, %in, "
      "%rd6; cp.async.ca.shared.global [%r4], [%rd7], 4;\n";
  const std::string read =
      "xor.b32 %r5, %l, 1; mad.lo.u32 %r4, %r5, 4, %r3; ld.shared.u32 %r9, [%r4];";
  EXPECT_EQ(run(object(32) + copy + "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r8];\n" +
                    kWait + read,
                32, in)[4],
            505u);
  EXPECT_EQ(
      run(object(32) + copy +
              "cp.async.mbarrier.arrive.shared.b64 [%r8]; mbarrier.arrive.shared.b64 _, [%r8];\n" +
              kWait + read,
          32, in)[4],
      505u);
}

TEST_P(Mbarrier, BulkCopiesCompleteTheirBytes) {
  std::vector<U32> in(64);
  for (U32 i = 0; i < 64; ++i) in[i] = 500 + i;
  const std::string copy =
      "mov.u32 %r3, tile; @%p7 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;\n"
      "@%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+64], [%in+16], "
      "128, [bar];\n";
  EXPECT_EQ(
      run(object(1) + copy + kWait + "mad.lo.u32 %r4, %l, 4, %r3; ld.shared.u32 %r9, [%r4+64];", 32,
          in)[4],
      508u);
}

TEST_P(Mbarrier, ABulkCopyCompletesItsBytesAtItsObject) {
  const std::string before = ".shared .align 8 .b64 other;\n";  // at address 0
  const std::string copy =
      "mov.u32 %r3, tile; @%p7 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 16;\n"
      "@%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%in], 16, "
      "[bar];\n";
  EXPECT_EQ(run(before + object(1) + copy + kWait + "ld.shared.u32 %r9, [%r3];", 32,
                std::vector<U32>(4, 77))[0],
            77u);
}

TEST_P(Mbarrier, BulkCopiesWriteGlobalMemory) {
  const std::string fill =
      "mov.u32 %r3, tile; mad.lo.u32 %r4, %l, 4, %r3; add.u32 %r5, %l, 70; st.shared.u32 [%r4], "
      "%r5; fence.proxy.async.shared::cta; bar.sync 0;\n";
  const std::string back =
      "@%p7 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], 128; "
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;";
  EXPECT_EQ(run_kernel(object(1) + fill + back, 1, 32, 32, {0}, GetParam())[9], 79u);
}

TEST_P(Mbarrier, BulkReductionsCombineWithMemory) {
  const std::string fill =
      "mov.u32 %r3, tile; mad.lo.u32 %r4, %l, 4, %r3; add.u32 %r5, %l, 70; st.shared.u32 [%r4], "
      "%r5; st.shared.u32 [%r4+256], 7; fence.proxy.async.shared::cta; bar.sync 0;\n";
  const auto global = [](const std::string& operation) {
    return "@%p7 cp.reduce.async.bulk.global.shared::cta.bulk_group." + operation +
           " [%rd1], [%r3], 128;\n";
  };
  const std::string wait = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  const auto result = [&](const std::string& operations) {
    return run_kernel(object(1) + fill + operations + wait, 1, 32, 32, {0}, GetParam())[9];
  };
  EXPECT_EQ(result(global("add.u32") + global("add.u32")), 158u);
  EXPECT_EQ(result(global("xor.b32") + global("inc.u32")), 0u);
  EXPECT_EQ(result(global("min.s32") + global("max.u64")), 79u);
  EXPECT_EQ(run(object(1) + fill +
                "@%p7 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;\n@%p7 cp.reduce.async."
                "bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
                "[%r3+256], [%r3], 128, [bar];\n" +
                kWait + "ld.shared.u32 %r9, [%r4+256];")[5],
            82u);
}

TEST_P(Mbarrier, IllegalOperationsAreFaults) {
  EXPECT_NE(fault(object(1) + "mbarrier.arrive.shared.b64 _, [%r8], 2;")
                .find("2 arrivals at an mbarrier whose phase waits for 1"),
            std::string::npos);
  EXPECT_NE(
      fault(object(1) + "mbarrier.arrive.shared.b64 _, [%r8+8];").find("it is not initialized"),
      std::string::npos);
  EXPECT_NE(
      fault(object(1) + "mbarrier.init.shared.b64 [%r8], 0;").find("1 to 1048575 arrivals, not 0"),
      std::string::npos);
  EXPECT_NE(fault(object(1) + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r8], 1048576;")
                .find("up to 1048575 bytes, not 1048576"),
            std::string::npos);
  EXPECT_NE(fault(object(1) + "mbarrier.arrive.noComplete.shared.b64 %rd5, [%r8], 1;")
                .find("would complete the phase"),
            std::string::npos);
  EXPECT_NE(fault(object(1) + "mbarrier.arrive.b64 _, [%rd1];").find("outside of shared memory"),
            std::string::npos);
  EXPECT_NE(
      fault(object(1) +
            "mov.u32 %r3, tile; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
            "[%r3], [%in], 8, [%r8];")
          .find("a multiple of 16 bytes"),
      std::string::npos);
  EXPECT_NE(fault(object(2) + "@%p7 mbarrier.arrive.shared.b64 _, [%r8];\n" +
                  (GetParam() ? "mbarrier.init.shared.b64 [%r8], 0;" : kWait))
                .find(GetParam() ? "not 0" : "livelock"),
            std::string::npos);
}

TEST_P(Mbarrier, AClusterIsOneCta) {
  EXPECT_EQ(run("mapa.shared::cluster.u32 %r9, %l, 0;")[5], 5u);
  EXPECT_EQ(run(".shared .b32 cell;\n mapa.u64 %rd5, %x, 0; sub.u64 %rd5, %rd5, %x; cvt.u32.u64 "
                "%r9, %rd5;")[5],
            0u);
  EXPECT_EQ(run("mov.u32 %r9, 7; getctarank.shared::cluster.u32 %r9, %r8;")[5], 0u);
  const std::string cell =
      ".shared .b32 cell;\n setp.eq.u32 %p1, %i, 63; @%p1 st.shared.u32 [cell], %i;\n";
  EXPECT_EQ(run(cell + "barrier.cluster.arrive.release.aligned; "
                       "barrier.cluster.wait.acquire.aligned; ld.shared.u32 %r9, [cell];",
                64)[3],
            63u);
}

}  // namespace
}  // namespace heddle::conformance
