#include "analysis/loop_reuse.h"

#include <gtest/gtest.h>

#include "tests/analysis/random_kernels.h"

namespace heddle::analysis {
namespace {

// A loop of `trips` iterations over a[index], with the counter in %r11 and the index in %r10.
std::string loop_over(const std::string& index, int trips) {
  return "mov.u32 %r11, 0;\nLOOP: " + index + "\n" + load_at("%rd1", "%r10") +
         "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, " + std::to_string(trips) +
         "; @%p1 bra LOOP;\n";
}
LoopReuse reuse_of(const std::string& body, Dim3 block, Dim3 grid = {4, 1, 1}) {
  return analysis_of(body, grid, block).loops.at(0);
}

TEST(LoopReuse, TheLoopOfAMatrixProductNeedsGroupsOfTwoWarps) {
  const KernelAnalysis result = analysis_of(kProduct, {8, 8, 1}, {16, 16, 1}, 128);
  ASSERT_EQ(result.loops.size(), 1u);
  const LoopReuse& loop = result.loops[0];
  EXPECT_TRUE(loop.intra_warp);
  EXPECT_EQ(loop.window_trips, 31u);    // a line of a holds 32 iterations
  EXPECT_EQ(loop.warp_footprint, 34u);  // 2 rows of a, 32 lines of b
  EXPECT_EQ(loop.warps_by_intra, 2u);   // 76 usable lines
  EXPECT_EQ(loop.group, 2u);
}

TEST(LoopReuse, AStreamHasNone) {
  const LoopReuse loop = reuse_of(loop_over("mad.lo.s32 %r10, %r11, 64, %r1;", 8), {64, 1, 1});
  EXPECT_EQ(loop.reason, "");
  EXPECT_FALSE(loop.intra_warp);
  EXPECT_FALSE(loop.inter_warp);
  EXPECT_EQ(loop.window_trips, 0u);
  EXPECT_EQ(loop.warp_footprint, 1u);
  EXPECT_EQ(loop.warps_by_intra, 0u);
  EXPECT_EQ(loop.group, 0u);
}

TEST(LoopReuse, ALineThatAllWarpsReadIsSharedBetweenThem) {
  const LoopReuse loop = reuse_of(loop_over("mul.lo.s32 %r10, %r11, 32;", 8), {128, 1, 1});
  EXPECT_FALSE(loop.intra_warp);  // another line in every trip
  EXPECT_TRUE(loop.inter_warp);
  EXPECT_EQ(loop.warps_by_inter, 4u);  // one line for all
  EXPECT_EQ(loop.group, 0u);           // all warps of the CTA: no mark is needed
}

TEST(LoopReuse, TheGroupIsTheWarpsWhoseFootprintsFit) {
  // Each lane has a line of its own, of which it reads 32 words: 32 lines for each warp.
  const std::string rows = loop_over("mad.lo.s32 %r10, %r1, 32, %r11;", 32);
  const LoopReuse loop = reuse_of(rows, {128, 1, 1});
  EXPECT_TRUE(loop.intra_warp);
  EXPECT_FALSE(loop.inter_warp);
  EXPECT_EQ(loop.window_trips, 31u);
  EXPECT_EQ(loop.warp_footprint, 32u);
  EXPECT_EQ(loop.warps_by_intra, 2u);  // floor(0.6 * 128) = 76 lines
  EXPECT_EQ(loop.group, 2u);
}

TEST(LoopReuse, AFootprintThatDoesNotFitMakesGroupsOfOneWarp) {
  // Each lane walks four lines in turn: a[128 * tidx + 32 * (i % 4)], 128 lines for each warp.
  const LoopReuse loop = reuse_of(
      loop_over("and.b32 %r10, %r11, 3; shl.b32 %r10, %r10, 5; mad.lo.s32 %r10, %r1, 128, %r10;",
                8),
      {64, 1, 1});
  EXPECT_EQ(loop.window_trips, 4u);
  EXPECT_EQ(loop.warp_footprint, 128u);
  EXPECT_EQ(loop.warps_by_intra, 1u);
  EXPECT_EQ(loop.group, 1u);
}

TEST(LoopReuse, ALoopWithoutNumbersSaysWhy) {
  EXPECT_EQ(reuse_of(loop_over("mul.lo.s32 %r10, %r1, %r3;", 4), {32, 1, 1}).reason,
            "an access of the loop is not affine");
  EXPECT_EQ(reuse_of("mov.u32 %r11, 0;\nLOOP: add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 4; "
                     "@%p1 bra LOOP;\n",
                     {32, 1, 1})
                .reason,
            "it has no global or local access");
  EXPECT_EQ(reuse_of("mov.u32 %r10, 0;\nLOOP: " + load_at("%rd1", "%r10") +
                         "setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra LOOP;\n",
                     {32, 1, 1})
                .reason,
            "its number of iterations depends on data loaded at PTX line 14");
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
