#include "analysis/launch_analysis.h"

#include <gtest/gtest.h>

#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

using LineNumbers = std::vector<std::uint64_t>;

LaunchAnalysis analysis_in(const ptx::Kernel& kernel, Dim3 grid, Dim3 block,
                           const CacheShape& cache = {}) {
  return LaunchAnalysis(kernel, shape_of(kernel, grid, block), cache);
}
// The lines of a CTA, counted from the start of the array a.
LineNumbers lines(LaunchAnalysis& analysis, std::uint64_t cta, std::uint64_t line_bytes = 128) {
  LineNumbers numbers = analysis.lines_of_cta(cta);
  for (std::uint64_t& n : numbers) n -= kA / line_bytes;
  return numbers;
}

TEST(LaunchAnalysis, DescribesEachAccess) {
  const KernelAnalysis result =
      analysis_of(load_at("%rd1", "%r1") +
                      "mul.wide.s32 %rd3, %r3, 8; add.s64 %rd3, %rd2, %rd3;\n"
                      "st.global.v2.f32 [%rd3], {%f9, %f9}; mul.lo.s32 %r10, %r1, %r3;\n" +
                      load_at("%rd1", "%r10"),
                  {4, 1, 1}, {32, 1, 1});
  ASSERT_EQ(result.accesses.size(), 3u);
  const AnalysedAccess &load = result.accesses[0], &store = result.accesses[1],
                       &other = result.accesses[2];
  EXPECT_FALSE(load.store);
  EXPECT_EQ(load.bytes, 4u);
  EXPECT_EQ(load.form, "a + 4*tidx");
  EXPECT_TRUE(load.uniform);
  EXPECT_TRUE(store.store);
  EXPECT_EQ(store.bytes, 8u);
  EXPECT_EQ(store.form, "b + 8*bidx");
  EXPECT_FALSE(store.uniform);
  EXPECT_LT(load.pc, store.pc);
  EXPECT_FALSE(other.affine);
  EXPECT_FALSE(other.uniform);
  EXPECT_EQ(other.form, "");
  EXPECT_EQ(other.reason, "its address depends on a product of two indices at PTX line 15");
}

TEST(LaunchAnalysis, AnAccessHasItsLineOfTheSource) {
  const ptx::Kernel kernel =
      ptx::lower_text(ptx::kHeader + ".visible .entry k(.param .u64 a) {" + ptx::kRegisters +
                      "ld.param.u64 %rd1, [a];\n.loc 1 42 3\nld.global.f32 %f1, [%rd1];\nret;\n}\n"
                      ".file 1 \"code/k.cu\"\n");
  const LaunchShape shape{{1, 1, 1}, {1, 1, 1}, std::vector<std::uint8_t>(8)};
  const KernelAnalysis result = LaunchAnalysis(kernel, shape, {}).result();
  EXPECT_EQ(result.accesses.at(0).line.file, "code/k.cu");
  EXPECT_EQ(result.accesses.at(0).line.line, 42u);
}

TEST(LaunchAnalysis, ALaunchIsAnalysedOnce) {
  const ptx::Kernel kernel = kernel_of(kStart + load_at("%rd1", "%r1"));
  LaunchAnalysis analysis = analysis_in(kernel, {4, 1, 1}, {32, 1, 1});
  EXPECT_EQ(&analysis.result(), &analysis.result());
}

TEST(LaunchAnalysis, LinesOfACtaHaveTheNumbersOfItsBytes) {
  // a[64 * bidx + tidx] of 4 bytes
  const ptx::Kernel kernel =
      kernel_of(kStart + "mad.lo.s32 %r10, %r3, 64, %r1;\n" + load_at("%rd1", "%r10"));
  LaunchAnalysis whole = analysis_in(kernel, {4, 1, 1}, {40, 1, 1});
  EXPECT_EQ(lines(whole, 0), (LineNumbers{0, 1}));
  EXPECT_EQ(lines(whole, 3), (LineNumbers{6, 7}));
  CacheShape sectors;
  sectors.line_bytes = 32;
  LaunchAnalysis small = analysis_in(kernel, {4, 1, 1}, {40, 1, 1}, sectors);
  EXPECT_EQ(lines(small, 1, 32), (LineNumbers{8, 9, 10, 11, 12}));
}

TEST(LaunchAnalysis, CtasAreNumberedAlongXThenYThenZ) {
  const ptx::Kernel kernel =
      kernel_of(kStart +
                "mov.u32 %r7, %ctaid.z; mad.lo.s32 %r10, %r4, 10, %r3; mad.lo.s32 %r10, "
                "%r7, 100, %r10; shl.b32 %r10, %r10, 5;\n" +
                load_at("%rd1", "%r10"));
  LaunchAnalysis analysis = analysis_in(kernel, {3, 2, 2}, {1, 1, 1});
  EXPECT_EQ(lines(analysis, 2), (LineNumbers{2}));
  EXPECT_EQ(lines(analysis, 3), (LineNumbers{10}));
  EXPECT_EQ(lines(analysis, 6), (LineNumbers{100}));
  EXPECT_EQ(lines(analysis, 11), (LineNumbers{112}));
}

TEST(LaunchAnalysis, LinesOfACtaFollowGuardsAndQuotients) {
  // 32 * (bidx / 2), only in CTAs below 3.
  const ptx::Kernel kernel =
      kernel_of(kStart +
                "setp.ge.s32 %p1, %r3, 3; @%p1 bra DONE;\nshr.u32 %r10, %r3, 1; shl.b32 "
                "%r10, %r10, 5;\n" +
                load_at("%rd1", "%r10") + load_at("%rd1", "%r3") + "DONE:\n");
  LaunchAnalysis analysis = analysis_in(kernel, {4, 1, 1}, {1, 1, 1});
  EXPECT_EQ(lines(analysis, 1), (LineNumbers{0}));
  EXPECT_EQ(lines(analysis, 2), (LineNumbers{0, 1}));
  EXPECT_EQ(lines(analysis, 3), LineNumbers{});
}

TEST(LaunchAnalysis, BeyondTheBoundOnOperationsAKernelIsNotAnalysed) {
  // The accesses to a move in different ways, so isl decides.
  const std::string body = "mad.lo.s32 %r10, %r3, 24, %r1; mad.lo.s32 %r11, %r3, 40, %r1;\n" +
                           load_at("%rd1", "%r10") + load_at("%rd1", "%r11");
  EXPECT_EQ(analysis_of(body, {64, 1, 1}, {16, 1, 1}, 0).not_analysed, "");
  Options options;
  options.max_operations = 1;
  EXPECT_EQ(analysis_of(body, {64, 1, 1}, {16, 1, 1}, 0, 0, options).not_analysed,
            "its access relations need more than 1 operations of isl");
}

TEST(LaunchAnalysis, WhatIsNotAnalysedHasNoReuse) {
  Options options;
  options.max_operations = 1;
  const KernelAnalysis result =
      analysis_of("mad.lo.s32 %r10, %r3, 24, %r1; mad.lo.s32 %r11, %r3, 40, %r1;\n" +
                      load_at("%rd1", "%r10") + load_at("%rd1", "%r11"),
                  {64, 1, 1}, {16, 1, 1}, 0, 0, options);
  EXPECT_EQ(result.accesses.size(), 2u);
  EXPECT_EQ(result.ctas.distance(), 0u);
  EXPECT_TRUE(result.ctas.pairs.empty());
  EXPECT_EQ(result.ctas_with_uniform.distance(), 0u);
}

}  // namespace
}  // namespace heddle::analysis
