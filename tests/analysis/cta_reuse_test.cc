#include "analysis/cta_reuse.h"

#include <gtest/gtest.h>

#include "analysis/access_relations.h"
#include "tests/analysis/random_kernels.h"

namespace heddle::analysis {
namespace {

TEST(CtaReuse, RowsOfAMatrixProductAreSharedAlongXAndColumnsAlongY) {
  const KernelAnalysis square = analysis_of(kProduct, {8, 8, 1}, {16, 16, 1}, 128);
  EXPECT_EQ(square.ctas.distance_x, 7u);
  EXPECT_EQ(square.ctas.distance_y, 7u);
  EXPECT_EQ(square.ctas.direction, Direction::x);  // a tie
  ASSERT_FALSE(square.ctas.pairs.empty());
  EXPECT_EQ(square.ctas.pairs[0].first, 0u);
  EXPECT_EQ(square.ctas.pairs[0].distance_x, 7u);
  EXPECT_EQ(analysis_of(kProduct, {8, 12, 1}, {16, 16, 1}, 128).ctas.direction, Direction::y);
}

TEST(CtaReuse, ATransposeSharesTheLinesThatItReads) {
  const std::string body =
      "mad.lo.s32 %r10, %r4, 16, %r2; mad.lo.s32 %r11, %r3, 16, %r1;\n"
      "mad.lo.s32 %r12, %r10, %r5, %r11; mad.lo.s32 %r13, %r11, %r5, %r10;\n" +
      load_at("%rd1", "%r12") +
      "mul.wide.s32 %rd8, %r13, 4; add.s64 %rd8, %rd2, %rd8; st.global.f32 [%rd8], %f9;\n";
  const KernelAnalysis result = analysis_of(body, {8, 8, 1}, {16, 16, 1}, 128);
  EXPECT_EQ(result.ctas.distance_x, 1u);
  EXPECT_EQ(result.ctas.pairs.size(), 1u);
  EXPECT_EQ(result.ctas.distance_y, 0u);  // stores bring no line into the L1
  EXPECT_EQ(result.ctas.direction, Direction::x);
}

TEST(CtaReuse, AStreamSharesNothing) {
  const KernelAnalysis result = analysis_of(
      "mad.lo.s32 %r10, %r3, 64, %r1;\n" + load_at("%rd1", "%r10"), {9, 1, 1}, {64, 1, 1}, 0);
  EXPECT_EQ(result.ctas.direction, Direction::none);
  EXPECT_TRUE(result.ctas.pairs.empty());
}

TEST(CtaReuse, AccessesThatAreTheSameInEveryCtaCountOnlyOnRequest) {
  const KernelAnalysis result = analysis_of(
      load_at("%rd2", "%r1") + "mad.lo.s32 %r10, %r3, 16, %r1;\n" + load_at("%rd1", "%r10"),
      {6, 3, 1}, {16, 1, 1}, 0);
  EXPECT_TRUE(result.accesses[0].uniform);
  EXPECT_EQ(result.ctas.distance_x, 1u);
  EXPECT_EQ(result.ctas.distance_y, 2u);  // the second access does not depend on bidy
  EXPECT_EQ(result.ctas_with_uniform.distance_x, 5u);
}

TEST(CtaReuse, AStencilSharesItsBorders) {
  // a[32 * bidx + tidx - 1] to a[32 * bidx + tidx + 1], from a line's start: one line on each side.
  std::string body = "mad.lo.s32 %r10, %r3, 32, %r1;\n";
  for (const char* offset : {"-1", "0", "1"})
    body += std::string("add.s32 %r11, %r10, ") + offset + ";\n" + load_at("%rd1", "%r11");
  const KernelAnalysis result = analysis_of(body, {8, 1, 1}, {32, 1, 1});
  EXPECT_EQ(result.ctas.distance_x, 2u);  // the last line of one is the first of the next but one
  ASSERT_FALSE(result.ctas.pairs.empty());
  EXPECT_EQ(result.ctas.pairs[0].first, 0u);
  EXPECT_EQ(result.ctas.pairs[0].second, 2u);
}

TEST(CtaReuse, AnAccessThatDoesNotMoveUniformlyIsEnumeratedInASmallGrid) {
  // a[64 * (bidx / 3)]: three neighbours touch one line.
  const std::string body =
      "div.u32 %r10, %r3, 3; mad.lo.s32 %r10, %r10, 64, %r1;\n" + load_at("%rd1", "%r10");
  const KernelAnalysis small = analysis_of(body, {1024, 1, 1}, {32, 1, 1});
  EXPECT_EQ(small.ctas.distance_x, 2u);
  EXPECT_EQ(small.ctas.incomplete, "");
  const KernelAnalysis large = analysis_of(body, {1025, 1, 1}, {32, 1, 1});
  EXPECT_EQ(large.ctas.distance_x, 0u);
  EXPECT_EQ(large.ctas.incomplete, "the address or a guard does not change uniformly");
}

TEST(CtaReuse, TheLimitOfEnumeratedPointsIsThatOfOneAccess) {
  // a[64 * (bidx / 3) + tidx / 5], twice: 131,072 points each, of 200,000.
  const std::string body =
      "div.u32 %r10, %r3, 3; div.u32 %r11, %r1, 5; mad.lo.s32 %r10, %r10, 64, "
      "%r11;\n" +
      load_at("%rd1", "%r10") + load_at("%rd2", "%r10");
  const KernelAnalysis result = analysis_of(body, {1024, 1, 1}, {128, 1, 1});
  EXPECT_EQ(result.ctas.incomplete, "");
  EXPECT_EQ(result.ctas.distance_x, 2u);
  EXPECT_EQ(analysis_of(body, {1024, 1, 1}, {256, 1, 1}).ctas.incomplete,
            "the address or a guard does not change uniformly");
}

TEST(CtaReuse, AccessesThatMoveDifferentlyMeet) {
  // Lines bidx and 7 - bidx.
  const KernelAnalysis result = analysis_of(
      "mad.lo.s32 %r10, %r3, 32, %r1; sub.s32 %r11, 7, %r3; mad.lo.s32 %r11, %r11, 32, %r1;\n" +
          load_at("%rd1", "%r10") + load_at("%rd1", "%r11"),
      {8, 1, 1}, {32, 1, 1});
  EXPECT_EQ(result.ctas.distance_x, 7u);
  ASSERT_EQ(result.ctas.pairs.size(), 1u);
  EXPECT_EQ(result.ctas.pairs[0].first, 0u);
  EXPECT_EQ(result.ctas.pairs[0].second, 1u);
}

TEST(CtaReuse, OnlyPairsOfTheLargestDistanceAreReported) {
  // Runs of 8 and of 16 words for each CTA: a line is shared by four CTAs and by two.
  const KernelAnalysis result =
      analysis_of("mad.lo.s32 %r10, %r3, 8, %r1; mad.lo.s32 %r11, %r3, 16, %r1;\n" +
                      load_at("%rd1", "%r10") + load_at("%rd2", "%r11"),
                  {8, 1, 1}, {8, 1, 1});
  EXPECT_EQ(result.ctas.distance_x, 3u);
  ASSERT_EQ(result.ctas.pairs.size(), 1u);
  EXPECT_EQ(result.ctas.pairs[0].second, 0u);
}

TEST(CtaReuse, FourThousandPairsAreExamined) {
  // Pairs are examined in the order (0, 0), (0, 1) ... Of so many accesses only one is shared.
  const auto pairs_found = [](int accesses, int shared) {
    std::string body;
    for (int i = 0; i < accesses; ++i)
      body += "mad.lo.s32 %r10, %r3, " + std::string(i == shared ? "8" : "64") +
              ", %r1; add.s32 %r10, " + "%r10, " + std::to_string(i << 20) + ";\n" +
              load_at("%rd1", "%r10");
    const KernelAnalysis result = analysis_of(body, {8, 1, 1}, {8, 1, 1});
    EXPECT_EQ(result.ctas.distance_x, 3u);
    return result.ctas.pairs.size();
  };
  EXPECT_EQ(pairs_found(89, 86), 1u);  // (86, 86) is pair 4000
  EXPECT_EQ(pairs_found(90, 87), 0u);  // (87, 87) is pair 4090
}

TEST(CtaReuse, ALoneCtaSharesWithNone) {
  const KernelAnalysis result = analysis_of(kProduct, {1, 1, 1}, {16, 16, 1}, 16);
  EXPECT_EQ(result.ctas.distance(), 0u);
  EXPECT_EQ(result.ctas.direction, Direction::none);
}

TEST(CtaReuse, ALargeGridNeedsFewPoints) {
  Evaluated e(kProduct, {256, 256, 1}, {16, 16, 1}, 4096);
  LineRuns runs(e.symbolic, e.kernel, e.shape, 128);
  AccessRelations relations(1);
  const CtaReuseResult result = find_cta_reuse(e.symbolic, e.shape, runs, {}, relations);
  EXPECT_EQ(result.without_uniform.distance_x, 255u);
  EXPECT_FALSE(relations.exhausted());
  EXPECT_LE(runs.points(), 2u);  // of 2^36: one for each access
}

TEST(IsUniform, NoCtaIndexDecidesTheAddress) {
  const Evaluated e(load_at("%rd1", "%r1") + load_at("%rd1", "%r4"), {4, 4, 1}, {32, 1, 1});
  EXPECT_TRUE(is_uniform(e.symbolic, e.symbolic.accesses[0]));
  EXPECT_FALSE(is_uniform(e.symbolic, e.symbolic.accesses[1]));
}

TEST(CtaReuse, RandomKernelsHaveTheDistancesAndLinesOfTheirEnumeration) {
  std::mt19937 random(7);
  int compared = 0;
  for (int n = 0; n < 150; ++n) {
    const std::string body = random_body(random);
    const ptx::Kernel kernel = kernel_of(kStart + body);
    const Dim3 grid{7, 3, 1}, block{8, 4, 1};
    const LaunchShape shape = shape_of(kernel, grid, block, 0, 0, kA + 4096);
    LaunchAnalysis analysis(kernel, shape, {});
    const KernelAnalysis& result = analysis.result();
    ASSERT_EQ(result.not_analysed, "") << body;
    if (!result.ctas_with_uniform.incomplete.empty()) continue;
    const std::vector<Lines> lines = lines_of_ctas(kernel, shape, 4);
    const Distances expected = distances_of(lines, grid);
    EXPECT_EQ(result.ctas_with_uniform.distance_x, expected.x) << body;
    EXPECT_EQ(result.ctas_with_uniform.distance_y, expected.y) << body;
    for (std::uint64_t cta = 0; cta < grid.count(); ++cta)
      ASSERT_EQ(analysis.lines_of_cta(cta),
                std::vector<std::uint64_t>(lines[cta].begin(), lines[cta].end()))
          << "CTA " << cta << body;
    ++compared;
  }
  EXPECT_GE(compared, 140);
}

}  // namespace
}  // namespace heddle::analysis
