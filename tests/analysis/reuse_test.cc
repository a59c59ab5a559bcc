#include <gtest/gtest.h>

#include <random>

#include "tests/analysis/enumeration.h"

namespace heddle::analysis {
namespace {

// sum += a[row * n + i] * b[i * n + column], without tiles.
const std::string kProduct =
    "mad.lo.s32 %r10, %r4, 16, %r2; mul.lo.s32 %r11, %r10, %r5; mad.lo.s32 %r12, %r3, 16, %r1;\n"
    "mov.u32 %r13, 0;\nLOOP: add.s32 %r14, %r11, %r13;\n" +
    load_at("%rd1", "%r14") + "mad.lo.s32 %r15, %r13, %r5, %r12;\n" + load_at("%rd2", "%r15") +
    "add.s32 %r13, %r13, 1; setp.lt.s32 %p1, %r13, %r5; @%p1 bra LOOP;\n";

KernelAnalysis analysis_of(const std::string& body, Dim3 grid, Dim3 block, std::uint32_t n,
                           std::uint32_t m = 0, const Options& options = {}) {
  const ptx::Kernel kernel = kernel_of(kStart + body);
  return LaunchAnalysis(kernel, shape_of(kernel, grid, block, n, m), {}, options).result();
}

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

TEST(CtaReuse, TheLoopOfAMatrixProductNeedsGroupsOfTwoWarps) {
  const KernelAnalysis result = analysis_of(kProduct, {8, 8, 1}, {16, 16, 1}, 128);
  ASSERT_EQ(result.loops.size(), 1u);
  const LoopReuse& loop = result.loops[0];
  EXPECT_TRUE(loop.intra_warp);
  EXPECT_EQ(loop.window_trips, 31u);    // a line of a holds 32 iterations
  EXPECT_EQ(loop.warp_footprint, 34u);  // 2 rows of a, 32 lines of b
  EXPECT_EQ(loop.warps_by_intra, 2u);   // 76 usable lines
  EXPECT_EQ(loop.group, 2u);
}

TEST(CtaReuse, ATransposeSharesTheLinesThatItReads) {
  const std::string body =
      "mad.lo.s32 %r10, %r4, 16, %r2; mad.lo.s32 %r11, %r3, 16, %r1;\n"
      "mad.lo.s32 %r12, %r10, %r5, %r11; mad.lo.s32 %r13, %r11, %r5, %r10;\n" +
      load_at("%rd1", "%r12") +
      "mul.wide.s32 %rd8, %r13, 4; add.s64 %rd8, %rd2, %rd8; st.global.f32 [%rd8], %f9;\n";
  const KernelAnalysis result = analysis_of(body, {8, 8, 1}, {16, 16, 1}, 128);
  EXPECT_EQ(result.ctas.distance_x, 1u);
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

TEST(CtaReuse, BeyondTheBoundOnOperationsAKernelIsNotAnalysed) {
  // The accesses to a move in different ways, so isl decides.
  const std::string body = "mad.lo.s32 %r10, %r3, 24, %r1; mad.lo.s32 %r11, %r3, 40, %r1;\n" +
                           load_at("%rd1", "%r10") + load_at("%rd1", "%r11");
  EXPECT_EQ(analysis_of(body, {64, 1, 1}, {16, 1, 1}, 0).not_analysed, "");
  Options options;
  options.max_operations = 1;
  EXPECT_EQ(analysis_of(body, {64, 1, 1}, {16, 1, 1}, 0, 0, options).not_analysed,
            "its access relations need more than 1 operations of isl");
}

TEST(CtaReuse, AGridOfThePapersSizeTakesAtMost100Milliseconds) {
  const KernelAnalysis result = analysis_of(kProduct, {256, 256, 1}, {16, 16, 1}, 4096);
  EXPECT_EQ(result.ctas.distance_x, 255u);
  EXPECT_LT(result.milliseconds, 100 * 5);  // on a busy host
}

// A random kernel: two accesses with random coefficients, guards and clamped indices, in a loop.
std::string random_body(std::mt19937& random) {
  const auto number = [&](int low, int high) {
    return std::to_string(std::uniform_int_distribution<int>(low, high)(random));
  };
  const auto pick = [&](std::vector<int> list) {
    return std::to_string(
        list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)]);
  };
  std::string body = "mov.u32 %r20, 0;\nLOOP:\n";
  for (int access = 0; access < 2; ++access) {
    body += "mul.lo.s32 %r30, %r1, " + pick({0, 1, 1, 2, 33}) + ";\n";
    body += "mad.lo.s32 %r30, %r2, " + pick({0, 8, 17, 64}) + ", %r30;\n";
    body += "mad.lo.s32 %r30, %r3, " + pick({0, 4, 8, 16, -8, 24}) + ", %r30;\n";
    body += "mad.lo.s32 %r30, %r4, " + pick({0, 16, 100, 128}) + ", %r30;\n";
    body += "mad.lo.s32 %r30, %r20, " + pick({0, 1, 8, 64}) + ", %r30;\n";
    body += "add.s32 %r30, %r30, " + number(-3, 40) + ";\n";
    const int shape = std::uniform_int_distribution<int>(0, 4)(random);
    if (shape == 1) body += "max.s32 %r30, %r30, " + number(0, 30) + ";\n";
    if (shape == 2) body += "shr.s32 %r30, %r30, 1;\n";
    if (shape == 3) body += "and.b32 %r30, %r30, 63;\n";
    const std::string label = "SKIP" + std::to_string(access);
    body += "mad.lo.s32 %r31, %r3, " + pick({0, 8, 16}) + ", %r1;\n";
    body += "setp.lt.s32 %p2, %r31, " + number(0, 90) + ";\n@%p2 bra " + label + ";\n";
    body += load_at(access == 0 ? "%rd1" : pick({0, 1}) == "0" ? "%rd1" : "%rd2", "%r30");
    body += label + ":\n";
  }
  return body + "add.s32 %r20, %r20, 1; setp.lt.s32 %p1, %r20, " + number(1, 4) +
         "; @%p1 bra LOOP;\n";
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

TEST(LoopReuse, RandomLoopsHaveTheWindowAndFootprintOfTheirEnumeration) {
  std::mt19937 random(11);
  int compared = 0;
  for (int n = 0; n < 150; ++n) {
    const std::string body = random_body(random);
    const ptx::Kernel kernel = kernel_of(kStart + body);
    const Dim3 grid{7, 3, 1}, block{16, 4, 1};
    const LaunchShape shape = shape_of(kernel, grid, block, 0, 0, kA + 4096);
    const KernelAnalysis result = LaunchAnalysis(kernel, shape, {}).result();
    if (result.loops.empty() || !result.loops[0].reason.empty()) continue;
    // Of the CTA in the middle: the trips in which each warp touches each line.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::set<std::int64_t>> trips;
    visit_accesses(kernel, shape, 4, 128,
                   [&](std::uint32_t thread, std::uint64_t cta,
                       const std::vector<std::int64_t>& iterations, std::uint64_t line) {
                     if (cta == 1 * 7 + 3) trips[{thread / 32, line}].insert(iterations[0]);
                   });
    const LoopReuse& loop = result.loops[0];
    std::map<std::uint32_t, std::uint32_t> footprint;
    std::map<std::uint64_t, std::set<std::uint32_t>> warps;
    for (const auto& [key, set] : trips) {
      if (*set.begin() <= loop.window_trips) ++footprint[key.first];
      warps[key.second].insert(key.first);
    }
    std::uint32_t largest = 0;
    for (const auto& [warp, lines] : footprint) largest = std::max(largest, lines);
    EXPECT_EQ(loop.warp_footprint, largest) << body;
    EXPECT_EQ(loop.inter_warp, std::any_of(warps.begin(), warps.end(),
                                           [](const auto& w) { return w.second.size() > 1; }))
        << body;
    ++compared;
  }
  EXPECT_GE(compared, 120);
}

}  // namespace
}  // namespace heddle::analysis
