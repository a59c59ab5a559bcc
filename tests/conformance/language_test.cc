// Results of what PTX's grammar allows beside plain operands: registers as parameters, vector
// registers, numbered names, lists of one element, constant predicates, generic addresses by name.
#include <gtest/gtest.h>

#include "tests/conformance/kernels.h"

namespace heddle::conformance {
namespace {

using Words = std::vector<std::uint32_t>;

// The words that thread 0 stores at %x. The kernel runs functionally and step by step.
Words results(const std::string& body, std::size_t words, const std::string& functions = "") {
  const Words whole = run_kernel(body, 1, 32, words + 32, {0}, false, functions);
  const Words steps = run_kernel(body, 1, 32, words + 32, {0}, true, functions);
  EXPECT_EQ(whole, steps);
  return {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(words)};
}
std::string stored(const std::string& registers) {
  return "setp.ne.u32 %p8, %i, 0; @%p8 ret; st.global.v4.u32 [%x], {" + registers + "};";
}

const std::string kFunctions =
    ".func (.reg .u32 s, .reg .u32 d, .reg .pred big) f(.reg .u32 a, .reg .u32 b) {\n"
    "  .reg .pred %p; add.u32 s, a, b; sub.u32 d, a, b; setp.gt.u32 big, a, 10;\n"
    "  setp.eq.u32 %p, a, 3; @%p mov.u32 s, 1000; @%p ret; add.u32 d, d, 1; }\n"
    ".func (.param .b32 r) triple(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a];\n"
    "  mul.lo.u32 %x, %x, 3; st.param.b32 [r], %x; ret; }\n"
    ".func (.param .b32 r) difference(.param .b32 a, .param .b32 b) { .reg .b32 %x<2>;\n"
    "  ld.param.b32 %x0, [a]; ld.param.b32 %x1, [b]; sub.u32 %x0, %x0, %x1;\n"
    "  st.param.b32 [r], %x0; ret; }\n"
    ".func (.reg .u32 r) factorial(.reg .u32 n) { .reg .pred %p; .reg .u32 %m;\n"
    "  setp.le.u32 %p, n, 1; mov.u32 r, 1; @%p ret; sub.u32 %m, n, 1;\n"
    "  call (%m), factorial, (%m); mul.lo.u32 r, %m, n; ret; }\n"
    ".func (.reg .v2 .u32 o) swap(.reg .v2 .u32 i) { mov.v2.u32 o, {i.y, i.r}; ret; }\n";

TEST(RegisterParameters, AreCopiedInAndOut) {
  EXPECT_EQ(results("call (%r3, %r4, %p1), f, (20, 3); selp.u32 %r5, 1, 0, %p1;\n" +
                        stored("%r3, %r4, %r5, %r5"),
                    4, kFunctions),
            (Words{23, 18, 1, 1}));
  EXPECT_EQ(results("mov.u32 %r4, 9; call (%r3, _, %p1), f, (3, %r4); selp.u32 %r5, 1, 0, %p1;\n" +
                        stored("%r3, %r4, %r5, %r5"),
                    4, kFunctions),
            (Words{1000, 9, 0, 0}));
  EXPECT_EQ(results("call (%r3), factorial, (6);" + stored("%r3, %r3, %r3, %r3"), 1, kFunctions),
            (Words{720}));
}

TEST(RegisterParameters, FollowTheGuardOfTheCall) {
  EXPECT_EQ(results("setp.eq.u32 %p1, 1, 2; mov.u32 %r3, 77; mov.u32 %r4, 78;\n"
                    "@%p1 call (%r3), triple, (5); @!%p1 call (%r4), triple, (5);\n" +
                        stored("%r3, %r4, %r4, %r4"),
                    2, kFunctions),
            (Words{77, 15}));
}

TEST(RegisterParameters, OfIndirectCallsHaveTheTypesOfThePrototype) {
  EXPECT_EQ(results("mov.u64 %rd3, triple; P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                    "T: .calltargets triple; call (%r3), %rd3, (14), P; call (_), %rd3, (1), P;\n"
                    "call (%r4), %rd3, (%r3), T;\n" +
                        stored("%r3, %r4, %r4, %r4"),
                    2, kFunctions),
            (Words{42, 126}));
}

TEST(Calls, ResultsMayBeDiscarded) {
  EXPECT_EQ(results("{ .param .b32 a; st.param.b32 [a], 5; call (_), triple, (a); }\n"
                    "call (_, _, _), f, (1, 2); mov.u32 %r3, 7;\n" +
                        stored("%r3, %r3, %r3, %r3"),
                    1, kFunctions),
            (Words{7}));
}

TEST(Calls, MayShareVariables) {
  EXPECT_EQ(results("{ .param .b32 a, b; st.param.b32 [a], 5; call (a), triple, (a);\n"
                    "ld.param.b32 %r3, [a]; st.param.b32 [a], 20; st.param.b32 [b], 9;\n"
                    "call (b), difference, (a, b); ld.param.b32 %r4, [b];\n"
                    "st.param.b32 [b], 4; call (a), difference, (b, b); ld.param.b32 %r5, [a];\n"
                    "st.param.b32 [b], 4; call (a), triple, (b); ld.param.b32 %r6, [a]; }\n" +
                        stored("%r3, %r4, %r5, %r6"),
                    4, kFunctions),
            (Words{15, 11, 0, 12}));
  EXPECT_EQ(results("{ .param .b32 a, b, o; st.param.b32 [a], 5; st.param.b32 [b], 9;\n"
                    "call (o), difference, (a, b); ld.param.b32 %r3, [o];\n"
                    "st.param.b32 [a], 5; st.param.b32 [b], 9; call (o), difference, (b, a);\n"
                    "ld.param.b32 %r4, [o]; mov.u64 %rd3, difference;\n"
                    "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n"
                    "st.param.b32 [a], 5; st.param.b32 [b], 9; call (o), %rd3, (b, a), P;\n"
                    "ld.param.b32 %r5, [o]; }\n" +
                        stored("%r3, %r4, %r5, %r5"),
                    3, kFunctions),
            (Words{0xfffffffc, 4, 4}));
}

TEST(VectorRegisters, AreMovedLoadedAndNamedByElement) {
  EXPECT_EQ(results(".reg .v2 .u32 v, w<3>; mov.u32 v.x, 11; mov.u32 v.g, 22;\n"
                    "call (w2), swap, (v); mov.v2.u32 w0, {w2.y, w2.x}; mov.b64 %rd3, w0;\n"
                    "mov.b64 {%r3, %r4}, %rd3;\n" +
                        stored("w2.x, w2.y, %r3, %r4"),
                    4, kFunctions),
            (Words{22, 11, 11, 22}));
  EXPECT_EQ(results(".reg .v4 .u32 q; .shared .align 16 .v4 .u32 s; mov.v4.u32 q, %nctaid;\n"
                    "mov.v4.u32 q, {q.w, q.x, 5, q.z}; st.shared.v4.u32 [s], q;\n"
                    "ld.shared.v4.u32 q, [s]; mov.v4.u32 q, {q.a, q.b, q.g, q.r};\n" +
                        stored("q.x, q.y, q.z, q.w"),
                    4),
            (Words{1, 5, 1, 0}));
}

TEST(NumberedNames, ExistInEveryStateSpace) {
  EXPECT_EQ(results(".shared .u32 s<3>; .local .u32 l<2>; st.shared.u32 [s2], 5;\n"
                    "st.shared.u32 [s0], 6; st.local.u32 [l0], 7; st.local.u32 [l1], 8;\n"
                    "{ .param .b32 p<2>; .param .b32 o; st.param.b32 [p0], 20; st.param.b32 [p1], "
                    "9; call (o), difference, (p0, p1); ld.param.b32 %r6, [o]; }\n"
                    "ld.shared.u32 %r3, [s2]; ld.shared.u32 %r4, [s0]; ld.local.u32 %r5, [l0];\n" +
                        stored("%r3, %r4, %r5, %r6"),
                    4, kFunctions),
            (Words{5, 6, 7, 11}));
}

TEST(OneElementLists, AreTheElement) {
  EXPECT_EQ(
      results(".shared .u64 s; .local .u32 l; st.shared.u64 [s], {12}; ld.shared.u64 {%rd3}, "
              "[s]; cvt.u32.u64 %r3, %rd3; st.local.u32 [l], {%r3}; ld.local.b32 { %r4 }, [ l "
              "+ 0 ]; mov.b32 {%r5}, %r4; mov.b32 %r6, {%r5}; st.global.b32 [%x], {%r6};\n"
              "ld.global.b32 {%r7}, [%x];\n" +
                  stored("%r3, %r4, %r6, %r7"),
              4),
      (Words{12, 12, 12, 12}));
}

TEST(ConstantPredicates, AreAcceptedWherePredicatesAre) {
  EXPECT_EQ(results("selp.u32 %r3, 7, 8, 1; selp.u32 %r4, 7, 8, 0; selp.u32 %r5, 7, 8, 256;\n"
                    "selp.u32 %r6, 7, 8, 1==2;\n" +
                        stored("%r3, %r4, %r5, %r6"),
                    4),
            (Words{7, 8, 7, 8}));
  EXPECT_EQ(results("vote.sync.ballot.b32 %r3, 1, -1; vote.sync.all.pred %p1, 0, -1;\n"
                    "selp.u32 %r4, 1, 2, %p1; setp.eq.or.u32 %p1, 1, 2, 1; selp.u32 %r5, 1, 2, %p1;"
                    "set.eq.and.u32.u32 %r6, 1, 1, 0;\n" +
                        stored("%r3, %r4, %r5, %r6"),
                    4),
            (Words{0xffffffff, 2, 1, 0}));
  EXPECT_EQ(results("bar.red.popc.u32 %r3, 0, 1; bar.red.and.pred %p1, 0, 0; selp.u32 %r4, 1, 2, "
                    "%p1; lop3.or.b32 %r5|%p2, 0, 0, 0, 0, 1; selp.u32 %r5, 5, 6, %p2;\n" +
                        stored("%r3, %r4, %r5, %r5"),
                    3),
            (Words{32, 2, 5}));
}

TEST(GenericAddresses, MayBeNamesOfSharedAndLocalVariables) {
  EXPECT_EQ(
      results(".shared .align 8 .u32 s[2]; .local .align 8 .b8 l[8]; st.u32 [s+4], 31;\n"
              "bar.sync 0; ld.shared.u32 %r3, [s+4]; bar.sync 0; atom.add.u32 %r4, [s+4], 5;\n"
              "bar.sync 0; ld.u32 %r5, [s+4]; st.u32 [l+4], 8; ld.local.u32 %r6, [l+4];\n" +
                  stored("%r3, %r3, %r5, %r6"),
              4),
      (Words{31, 31, 31 + 32 * 5, 8}));
  EXPECT_EQ(results(".shared .b64 s; setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.b64 [s], 32; "
                    "bar.sync 0; mbarrier.arrive.b64 %rd3, [s];\n"
                    "W: mbarrier.test_wait.b64 %p1, [s], %rd3; @!%p1 bra W; mov.u32 %r3, 3;\n" +
                        stored("%r3, %r3, %r3, %r3"),
                    1),
            (Words{3}));
}

TEST(Clusters, HaveOneCta) {
  EXPECT_EQ(results("mov.u32 %r3, %cluster_ctaid.y; mov.u32 %r4, %cluster_nctaid.x;\n"
                    "mov.u32 %r5, %cluster_ctarank; mov.u32 %r6, %cluster_nctarank;\n" +
                        stored("%r3, %r4, %r5, %r6"),
                    4),
            (Words{0, 1, 0, 1}));
  EXPECT_EQ(results("mov.pred %p1, %is_explicit_cluster; selp.u32 %r3, 5, 6, %p1;\n"
                    ".reg .v4 .u32 q, n; mov.v4.u32 q, %cluster_ctaid; mov.v4.u32 n, "
                    "%cluster_nctaid; add.u32 q.x, q.x, q.w; add.u32 n.x, n.x, n.w;\n" +
                        stored("%r3, q.x, n.x, n.z"),
                    4),
            (Words{6, 0, 1, 1}));
}

}  // namespace
}  // namespace heddle::conformance
