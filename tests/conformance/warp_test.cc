// Instructions with effects between lanes, functionally and step by step.
#include <gtest/gtest.h>

#include "tests/conformance/kernels.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;

class Lanes : public testing::TestWithParam<bool> {
 protected:
  std::vector<U32> run(const std::string& body, U32 threads = 32) {
    return run_kernel(body + "\n  st.global.u32 [%x], %r9;", 1, threads, threads, {0}, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Sources, Lanes, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

TEST_P(Lanes, ShufflesSetTheirPredicate) {
  // The PTX manual's definition: a segment of 8 lanes, clamp 0x1800 | c.
  const auto up = run("shfl.sync.up.b32 %r9|%p1, %l, 3, 0x1800, -1; @!%p1 add.u32 %r9, %r9, 100;");
  const auto down =
      run("shfl.sync.down.b32 %r9|%p1, %l, 3, 0x1807, -1; @!%p1 add.u32 %r9, %r9, 100;");
  const auto idx = run("shfl.idx.b32 %r9, %l, 5, 0x1807;");
  const auto bfly = run("shfl.sync.bfly.b32 %r9, %l, 5, 0x1f, -1;");
  for (U32 l = 0; l < 32; ++l) {
    EXPECT_EQ(up[l], l % 8 >= 3 ? l - 3 : l + 100);
    EXPECT_EQ(down[l], l % 8 + 3 <= 7 ? l + 3 : l + 100);
    EXPECT_EQ(idx[l], l / 8 * 8 + 5);
    EXPECT_EQ(bfly[l], l ^ 5);
  }
}

TEST_P(Lanes, VoteMatchReduceAndElect) {
  const std::string odd = "and.b32 %r3, %l, 1; setp.eq.u32 %p1, %r3, 1;";
  EXPECT_EQ(run(odd + "vote.sync.ballot.b32 %r9, %p1, -1;")[7], 0xaaaaaaaau);
  EXPECT_EQ(run(odd + "vote.ballot.b32 %r9, !%p1;")[7], 0x55555555u);
  EXPECT_EQ(run(odd + "vote.sync.any.pred %p2, %p1, 0x55555555; selp.u32 %r9, 1, 0, %p2;")[0], 0u);
  EXPECT_EQ(run(odd + "vote.sync.uni.pred %p2, %p1, 0x55555555; selp.u32 %r9, 1, 0, %p2;")[0], 1u);
  EXPECT_EQ(run("shr.u32 %r3, %l, 3; match.any.sync.b32 %r9, %r3, -1;")[17], 0x00ff0000u);
  EXPECT_EQ(run("match.all.sync.b32 %r9|%p2, %l, -1; @%p2 mov.u32 %r9, 5;")[17], 0u);
  EXPECT_EQ(run("redux.sync.add.u32 %r9, %l, -1;")[3], 496u);
  EXPECT_EQ(run("sub.s32 %r3, %l, 9; redux.sync.min.s32 %r9, %r3, -1;")[3], static_cast<U32>(-9));
  EXPECT_EQ(run("redux.sync.max.u32 %r9, %l, 0xff;")[3], 7u);
  EXPECT_EQ(run("shl.b32 %r3, 1, %l; redux.sync.xor.b32 %r9, %r3, 0xff0;")[5], 0xff0u);
  const auto elected = run("elect.sync %r9|%p2, 0xfff0; @%p2 add.u32 %r9, %r9, 100;");
  EXPECT_EQ(elected[4], 104u);
  EXPECT_EQ(elected[9], 4u);
  EXPECT_EQ(run("setp.lt.u32 %p1, %l, 5; @%p1 activemask.b32 %r9;")[2], 0x1fu);
}

TEST_P(Lanes, BarriersReduceAndCount) {
  // 96 threads: the predicate of lane 0 of each warp is whether it is warp 1.
  const std::string who = "shr.u32 %r3, %i, 5; setp.eq.u32 %p1, %r3, 1;";
  EXPECT_EQ(run(who + "bar.red.popc.u32 %r9, 0, %p1;", 96)[70], 32u);
  EXPECT_EQ(
      run(who + "barrier.cta.red.or.aligned.pred %p2, 1, %p1; selp.u32 %r9, 1, 0, %p2;", 96)[70],
      1u);
  EXPECT_EQ(run(who + "bar.red.and.pred %p2, 2, !%p1; selp.u32 %r9, 1, 0, %p2;", 96)[70], 0u);
}

TEST_P(Lanes, ArriveDoesNotWait) {
  const std::string body =
      ".shared .b32 cell;\n setp.lt.u32 %p1, %i, 32; @!%p1 bra CONSUME;\n mov.u32 %r3, 77; "
      "st.shared.u32 [cell], %r3; bar.arrive 3, 64; bra END;\n"
      "CONSUME: bar.sync 3, 64; ld.shared.u32 %r9, [cell];\nEND:";
  // The test needs only the order arrive, sync. The stepping bench counts whole CTAs, so it runs
  // functionally.
  if (GetParam()) return;
  EXPECT_EQ(run(body, 64)[40], 77u);
}

TEST_P(Lanes, EachArrivalCounts) {
  if (GetParam()) return;  // as above
  const std::string produce_twice =
      ".shared .b32 cell;\n setp.lt.u32 %p1, %i, 32; @!%p1 bra CONSUME;\n"
      "bar.arrive 3, 96; mov.u32 %r3, 77; st.shared.u32 [cell], %r3; bar.arrive 3, 96; bra END;\n"
      "CONSUME: bar.sync 3, 96; ld.shared.u32 %r9, [cell];\nEND:";
  EXPECT_EQ(run(produce_twice, 64)[40], 77u);
}

TEST_P(Lanes, AWarpThatArrivedAndEndedStillCounts) {
  if (GetParam()) return;  // as above
  // Warp 0 arrives and ends. The others wait for all: warp 1 must not pass before warp 2 stores.
  const std::string body =
      ".shared .b32 cell;\n shr.u32 %r3, %i, 5; setp.eq.u32 %p1, %r3, 0; setp.eq.u32 %p2, %r3, 1;\n"
      "@%p1 bar.arrive 0, 96; @%p1 exit; @%p2 bra WAIT;\n"
      "mov.u32 %r4, 500;\nSPIN: sub.u32 %r4, %r4, 1; setp.ne.u32 %p3, %r4, 0; @%p3 bra SPIN;\n"
      "mov.u32 %r5, 9; st.shared.u32 [cell], %r5;\nWAIT: bar.sync 0; ld.shared.u32 %r9, [cell];";
  EXPECT_EQ(run(body, 96)[40], 9u);
}

TEST_P(Lanes, ArriveAndSyncOfOneWarpAreOneArrival) {
  if (GetParam()) return;  // as above
  const std::string body =
      ".shared .b32 cells[64];\n setp.lt.u32 %p1, %l, 16; setp.lt.u32 %p2, %i, 32; mul.lo.u32 %r3, "
      "%i, 5; @%p2 bra STORE; mov.u32 %r4, 500;\nSPIN: sub.u32 %r4, %r4, 1; setp.ne.u32 %p3, %r4, "
      "0; @%p3 bra SPIN;\nSTORE: st.shared.u32 cells[%i], %r3; @%p1 bra LOW; barrier.sync 1, 64; "
      "xor.b32 %r4, %i, 32; ld.shared.u32 %r9, cells[%r4]; bra END;\nLOW: barrier.arrive 1, "
      "64;\nEND:";
  const auto out = run(body, 64);
  for (U32 i = 0; i < 64; ++i) ASSERT_EQ(out[i], i % 32 < 16 ? 0 : 5 * (i ^ 32)) << i;
}

TEST_P(Lanes, ArrayElementsAndSumsAreOperands) {
  const std::string body =
      ".shared .b32 cells[64];\n mov.u64 %rd5, cells[1]; mul.lo.u32 %r3, %i, 7;\n"
      "st.shared.u32 cells[%i], %r3; bar.sync 0; xor.b32 %r4, %i, 1;\n"
      "ld.shared.u32 %r5, cells[%r4]; ld.shared.u32 %r6, cells[2]; ld.shared.u32 %r7, [%rd5];\n"
      "and.b32 %r8, %i, 15; ld.shared.u32 %r8, cells[%r8+16]; add.u32 %r9, %r5+1000, %r6;\n"
      "add.u32 %r9, %r9, %r7; add.u32 %r9, %r9, %r8;";
  const auto out = run(body, 64);
  for (U32 i = 0; i < 64; ++i)
    ASSERT_EQ(out[i], 7 * (i ^ 1) + 1000 + 14 + 7 + 7 * ((i & 15) + 16)) << i;
}

TEST_P(Lanes, VariadicFunctionsReadTheirArguments) {
  const std::string sum =
      ".func (.param .b32 s) sum(.param .b32 n, .param .align 8 .b8 rest[]) {\n"
      ".reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p; ld.param.b32 %r0, [n]; mov.u64 %rd1, "
      "rest; mov.u32 %r1, 0;\nL: setp.eq.u32 %p, %r0, 0; @%p bra E; ld.local.b32 %r2, [%rd1]; "
      "add.u32 %r1, %r1, %r2; add.u64 %rd1, %rd1, 8; sub.u32 %r0, %r0, 1; bra L;\n"
      "E: st.param.b32 [s], %r1; ret; }\n";
  const std::string body =
      "{ .param .b32 s; .param .b32 n; .param .align 8 .b8 a[24]; st.param.b32 [n], 3; "
      "st.param.b32 [a], %i; st.param.b32 [a+8], 100; st.param.b32 [a+16], %l; call (s), sum, (n, "
      "a); ld.param.b32 %r9, [s]; }";
  const auto out = run_kernel(body + "st.global.u32 [%x], %r9;\n", 1, 64, 64, {0}, GetParam(), sum);
  for (U32 i = 0; i < 64; ++i) ASSERT_EQ(out[i], i + 100 + i % 32) << i;
}

TEST_P(Lanes, AVariadicFunctionWithoutFurtherArgumentsGetsANullAddress) {
  // The call before it writes other bytes where parameters are passed.
  const std::string functions =
      ".func fills(.param .b64 a, .param .b64 b) { ret; }\n"
      ".func (.param .b64 s) address(.param .b32 n, .param .align 8 .b8 rest[]) {\n"
      ".reg .b64 %rd; mov.u64 %rd, rest; st.param.b64 [s], %rd; ret; }\n";
  const std::string body =
      "{ .param .b64 s; .param .b32 n; .reg .b64 %rd; call fills, (-1, -1); st.param.b32 [n], 3; "
      "call (s), address, (n); ld.param.b64 %rd, [s]; cvt.u32.u64 %r9, %rd; }";
  const auto out =
      run_kernel(body + "st.global.u32 [%x], %r9;\n", 1, 64, 64, {7}, GetParam(), functions);
  for (U32 i = 0; i < 64; ++i) ASSERT_EQ(out[i], 0u) << i;
}

TEST_P(Lanes, VectorsOfHalvesHaveAtomicMinimaAndMaxima) {
  // 1.0 and NaN in memory; 2.0 and 3.0 given: a number wins over a NaN.
  const auto out = run_kernel(
      "setp.ne.u32 %p1, %i, 0; @%p1 bra END; mov.b32 %r3, 0x7fff3c00; st.global.u32 [%x], %r3; "
      "mov.b32 {%h1, %h2}, 0x42004000; atom.global.v2.f16.max.noftz {%h3, %h4}, [%x], {%h1, %h2}; "
      "mov.b32 %r4, {%h3, %h4}; st.global.u32 [%x+4], %r4; mov.b32 %r5, 0xbc003c00; "
      "mov.b32 %r6, 0x3c00bc00; st.global.v2.u32 [%x+8], {%r5, %r5}; "
      "red.global.v2.f16x2.min.noftz [%x+8], {%r6, %r6}; mov.b32 %r7, 0x3f804000; "
      "mov.b32 {%h1, %h2}, 0x40003f80; st.global.u32 [%x+16], %r7; "
      "red.global.v2.bf16.max.noftz [%x+16], {%h1, %h2};\nEND:",
      1, 32, 32, {0}, GetParam());
  EXPECT_EQ(out[0], 0x42004000u);
  EXPECT_EQ(out[1], 0x7fff3c00u);
  EXPECT_EQ(out[2], 0xbc00bc00u);
  EXPECT_EQ(out[3], 0xbc00bc00u);
  EXPECT_EQ(out[4], 0x40004000u);
}

TEST_P(Lanes, LoadsAndStoresOf32BytesPerLane) {
  std::vector<U32> in(256);
  for (U32 i = 0; i < 256; ++i) in[i] = 900 + i;
  const std::string address =
      "mul.wide.u32 %rd5, %l, 32; add.u64 %rd6, %in, %rd5; add.u64 %rd7, %rd1, %rd5;\n";
  const auto eight =
      run_kernel(address +
                     "ld.global.nc.v8.b32 {%r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10}, [%rd6]; "
                     "st.global.v8.b32 [%rd7], {%r10, %r9, %r8, %r7, %r6, %r5, %r4, %r3};",
                 1, 32, 256, in, GetParam());
  const auto four = run_kernel(address +
                                   "ld.global.v4.u64 {%rd8, %rd9, %rd10, %rd11}, [%rd6]; "
                                   "st.global.v4.b64 [%rd7], {%rd11, %rd10, %rd9, %rd8};",
                               1, 32, 256, in, GetParam());
  for (U32 i = 0; i < 256; ++i) {
    EXPECT_EQ(eight[i], in[i / 8 * 8 + 7 - i % 8]);
    EXPECT_EQ(four[i], in[i / 8 * 8 + (3 - i % 8 / 2) * 2 + i % 2]);
  }
}

TEST_P(Lanes, AtomicsOnVectorsAddEachElement) {
  const auto words = [&](const std::string& body) {
    return run_kernel(body, 1, 32, 32, {0}, GetParam());
  };
  const auto singles = words(
      "cvt.rn.f32.u32 %f1, %l; mov.f32 %f2, 0f3f800000; atom.global.add.v4.f32 {%f3, %f4, %f5, "
      "%f6}, [%rd1], {%f1, %f2, %f1, %f2};\n"
      " setp.eq.f32 %p1, %f4, 0f41f80000; @%p1 st.global.f32 [%rd1+64], %f6;");
  EXPECT_EQ(std::bit_cast<float>(singles[0]), 496.0f);
  EXPECT_EQ(std::bit_cast<float>(singles[1]), 32.0f);
  EXPECT_EQ(std::bit_cast<float>(singles[2]), 496.0f);
  EXPECT_EQ(std::bit_cast<float>(singles[16]), 31.0f) << "the last lane finds the sum of 31 ones";
  const auto halves = words(
      "mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x4000; atom.global.add.noftz.v4.f16 {%h3, %h4, %h5, "
      "%h6}, [%rd1], {%h1, %h2, %h1, %h2};");
  EXPECT_EQ(halves[0], 0x54005000u);  // 64, 32
  EXPECT_EQ(halves[1], 0x54005000u);
  EXPECT_EQ(words("mov.b32 %r3, 0x3f803f80; red.global.add.noftz.v2.bf16x2 [%rd1], {%r3, %r3};")[1],
            0x42004200u);
}

TEST_P(Lanes, AsynchronousCopiesCompleteBeforeTheWaitEnds) {
  const std::string body =
      ".shared .align 16 .b8 tile[512];\n mov.u64 %rd5, tile; cvt.u32.u64 %r4, %rd5; shl.b32 %r3, "
      "%l, 4; add.u32 %r4, %r4, %r3;\n"
      " cvt.u64.u32 %rd6, %r3; add.u64 %rd7, %in, %rd6;\n cp.async.cg.shared.global [%r4], [%rd7], "
      "16;\n cp.async.commit_group; cp.async.wait_group 0;\n"
      " ld.shared.u32 %r9, [%r4+8];";
  std::vector<U32> in(128);
  for (U32 i = 0; i < 128; ++i) in[i] = 1000 + i;
  const auto out = run_kernel(body + "\n st.global.u32 [%x], %r9;", 1, 32, 32, in, GetParam());
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], 1000 + 4 * l + 2);
  // Two of four words, then zeros; and a copy of no bytes.
  std::string zfill = body;
  zfill.replace(zfill.find("16;\n cp.async.commit"), 3, "16, 8;");
  EXPECT_EQ(run_kernel(zfill + "\n st.global.u32 [%x], %r9;", 1, 32, 32, in, GetParam())[3], 0u);
  std::string ignored = body;
  ignored.replace(ignored.find("16;\n cp.async.commit"), 3, "16, %p1;");
  const auto partly =
      run_kernel("setp.lt.u32 %p1, %l, 4;" + ignored + "\n st.global.u32 [%x], %r9;", 1, 32, 32, in,
                 GetParam());
  EXPECT_EQ(partly[3], 0u);
  EXPECT_EQ(partly[4], 1018u);
}

TEST_P(Lanes, AtomicsOfSmallFloats) {
  const auto add = [&](const std::string& instruction, U32 start) {
    return run_kernel(
        "mov.u32 %r3, " + std::to_string(start) +
            "; setp.eq.u32 %p1, %l, 0; @%p1 st.global.u32 [%rd1], %r3; bar.warp.sync -1;\n" +
            instruction,
        1, 32, 32, {0}, GetParam())[0];
  };
  EXPECT_EQ(add("mov.b32 %r4, 0x3c003c00; red.global.add.noftz.f16x2 [%rd1], %r4;", 0),
            0x50005000u);  // 32 ones twice
  EXPECT_EQ(add("mov.b16 %h1, 0x3f80; atom.global.add.noftz.bf16 %h2, [%rd1], %h1;", 0) & 0xffff,
            0x4200u);
  EXPECT_EQ(add("setp.eq.u32 %p2, %l, 9; mov.b16 %h1, 5; mov.b16 %h3, 8; @%p2 atom.global.cas.b16 "
                "%h2, [%rd1], %h1, %h3;",
                0x70005),
            0x70008u);
}

TEST_P(Lanes, IndexedBranches) {
  const auto out =
      run("and.b32 %r3, %l, 3; TABLE: .branchtargets A, B, C, A; brx.idx %r3, TABLE;\nA: mov.u32 "
          "%r9, 10; bra END;\nB: mov.u32 %r9, 20; bra END;\nC: mov.u32 %r9, 30;\nEND:");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l % 4 == 1 ? 20u : l % 4 == 2 ? 30u : 10u);
}

TEST_P(Lanes, VideoInstructionsUsePartsOfRegisters) {
  EXPECT_EQ(
      run("mov.b32 %r3, 0x80402010; mov.b32 %r4, 5; vadd.u32.u32.u32 %r9, %r3.b2, %r4.b0;")[0],
      0x45u);
  EXPECT_EQ(run("mov.b32 %r3, 0x80402010; mov.b32 %r4, 0x01020304; vsub.s32.s32.u32 %r9.h1, "
                "%r3.b3, %r4.h0, %r4;")[0],
            0xfc7c0304u);
  EXPECT_EQ(run("mov.b32 %r3, 0x80402010; mov.b32 %r4, 0x01020304; mov.b32 %r5, 0xffffffff; "
                "vadd4.u32.u32.u32 %r9.b20, %r3.b3210, %r4.b4567, %r5;")[0],
            0xff43ff11u);
}

TEST_P(Lanes, KernelParametersHaveGenericAddresses) {
  EXPECT_NE(
      run("mov.b64 %rd5, out; cvta.param.u64 %rd6, %rd5; ld.u64 %rd7, [%rd6]; setp.eq.u64 %p1, "
          "%rd7, %rd1; isspacep.param %p2, %rd6; and.pred %p1, %p1, %p2; selp.u32 %r9, 1, 0, %p1;")
          [5],
      0u);
}

TEST_P(Lanes, RegistersOf128Bits) {
  const std::string pair =
      ".reg .b128 %q<5>;\n cvt.u64.u32 %rd5, %l; add.u64 %rd6, %rd5, 1000; mov.b128 %q1, {%rd5, "
      "%rd6};\n";
  EXPECT_EQ(run(pair + "mov.b128 {%rd7, %rd8}, %q1; mov.b128 %q2, {%rd8, %rd7}; mov.b128 {%rd7, "
                       "%rd8}, %q2; cvt.u32.u64 %r9, %rd7;")[3],
            1003u);
  // One instruction exchanges the halves.
  EXPECT_EQ(run(pair + "mov.b128 %q2, %q1; mov.b128 {%rd6, %rd5}, %q2; cvt.u32.u64 %r9, %rd5;")[4],
            1004u);
  const std::string shared =
      ".shared .align 16 .b8 tile[512];\n mov.u64 %rd9, tile; cvt.u32.u64 %r4, %rd9; shl.b32 %r3, "
      "%l, 4; add.u32 %r4, %r4, %r3;\n";
  EXPECT_EQ(run(shared + pair + "st.shared.b128 [%r4], %q1; ld.shared.u32 %r9, [%r4+8];")[5],
            1005u);
  EXPECT_EQ(run(shared + pair +
                "st.shared.b128 [%r4], %q1; ld.shared.b128 %q3, [%r4]; mov.b128 {%rd7, %rd8}, %q3; "
                "cvt.u32.u64 %r9, %rd8;")[6],
            1006u);
  // All lanes exchange the same word: every value but the last is returned to another lane.
  const std::string found = "mov.b128 {%rd7, %rd8}, %q3; cvt.u32.u64 %r9, %rd8;";
  for (const std::string space : {"shared", "global"}) {
    const std::string place = space == "shared"
                                  ? ".shared .align 16 .b8 one[16];\n mov.u64 %rd9, one; mov.u64 "
                                    "%rd10, 7; st.shared.v2.u64 [%rd9], {%rd10, %rd10};\n"
                                  : " add.u64 %rd9, %rd1, 128; mov.u64 %rd10, 7; st.global.v2.u64 "
                                    "[%rd9], {%rd10, %rd10}; membar.gl;\n";
    auto out =
        run_kernel(place + pair + "bar.warp.sync -1; atom." + space +
                       ".exch.b128 %q3, [%rd9], %q1;" + found + "\n st.global.u32 [%x], %r9;",
                   1, 32, 64, {0}, GetParam());
    std::sort(out.begin(), out.begin() + 32);
    EXPECT_EQ(out[0], 7u) << space;
    for (U32 l = 1; l < 32; ++l)
      EXPECT_EQ(out[l] - 1000, out[1] - 1000 + (l - 1) + (out[l] - out[1] >= l ? 1 : 0)) << space;
    // Only the lane whose compared value matches in both halves changes the word.
    const auto cas =
        run_kernel(place + pair +
                       " mov.u64 %rd11, 7; setp.eq.u32 %p1, %l, 9; selp.b64 %rd12, 7, 8, %p1; "
                       "mov.b128 %q2, {%rd11, %rd12};\n"
                       " bar.warp.sync -1; atom." +
                       space + ".cas.b128 %q3, [%rd9], %q2, %q1; bar.warp.sync -1; ld." + space +
                       ".u32 %r9, [%rd9+8];\n st.global.u32 [%x], %r9;",
                   1, 32, 64, {0}, GetParam());
    EXPECT_EQ(cas[20], 1009u) << space;
  }
}

}  // namespace
}  // namespace heddle::conformance
