#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "gpu/cta/locality_graph.h"
#include "ptx/module.h"
#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

using List = std::vector<std::uint64_t>;
using Lines = std::vector<std::vector<std::uint64_t>>;
using Groups = LocalityGraph::Groups;

TEST(LocalityGraph, TheWeightOfAnEdgeIsTheNumberOfSharedLines) {
  const LocalityGraph graph(Lines{{1, 2, 3}, {2, 3, 4}, {4, 9}}, 8);
  EXPECT_EQ(graph.weight(0, 1), 2u);
  EXPECT_EQ(graph.weight(1, 0), 2u);
  EXPECT_EQ(graph.weight(1, 2), 1u);
  EXPECT_EQ(graph.weight(0, 2), 0u);
  EXPECT_EQ(graph.weight(), 3u);
}

TEST(LocalityGraph, ALineOfManyCtasConnectsEachWithTheNextSharersOnly) {
  const LocalityGraph graph(Lines(10, {7}), 2);
  EXPECT_EQ(graph.weight(0, 1), 1u);
  EXPECT_EQ(graph.weight(0, 2), 1u);
  EXPECT_EQ(graph.weight(0, 3), 0u);
  EXPECT_EQ(graph.weight(), 9u + 8);
}

// CTAs 0, 2, 4, 6 share one line, CTAs 1, 3, 5, 7 another.
TEST(LocalityGraph, BisectionKeepsCtasThatShareTogether) {
  Lines lines;
  for (std::uint64_t cta = 0; cta < 8; ++cta) lines.push_back({cta % 2});
  const LocalityGraph graph(lines, 8);
  const Groups groups = graph.bisect(4);
  EXPECT_EQ(groups, (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}));
  EXPECT_EQ(graph.weight_inside(groups), graph.weight());
}

TEST(LocalityGraph, TheChainFollowsTheHeaviestEdge) {
  // 0 - 3 share two lines, 3 - 1 three lines, 0 - 2 one.
  const LocalityGraph graph(Lines{{1, 2, 9}, {4, 5, 6}, {9}, {1, 2, 4, 5, 6}}, 8);
  EXPECT_EQ(graph.chain(2), (Groups{{0, 3}, {1, 2}}));
}

TEST(LocalityGraph, WithoutSharedLinesGroupsAreConsecutive) {
  const LocalityGraph graph(Lines(7), 8);
  EXPECT_EQ(graph.bisect(2), (Groups{{0, 1}, {2, 3}, {4, 5}, {6}}));
  EXPECT_EQ(graph.chain(3), (Groups{{0, 1, 2}, {3, 4, 5}, {6}}));
}

TEST(Paver, WithoutAnalysisConsecutiveCtasShareAnSm) {
  CtaSchedulerBench bench("paver", {{8, 1, 1}, 2, 4});
  bench.dispatch(8);
  EXPECT_EQ(bench.ctas_of(0), (List{0, 1, 2, 3}));
  EXPECT_EQ(bench.ctas_of(1), (List{4, 5, 6, 7}));
  EXPECT_EQ(bench.counter("paver.kernels_without_sharing"), 1u);
}

// Every warp reads the line that belongs to the column of its CTA.
constexpr const char* kColumns = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry columns(.param .u64 in)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  shl.b32 %r3, %r1, 5;
  add.u32 %r3, %r3, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  ret;
}
)";

TEST(Paver, CtasThatShareLinesMeetOnOneSm) {
  const ptx::Kernel kernel = ptx::Module::parse(kColumns, "columns.ptx").lower("columns", {});
  analysis::LaunchShape launch{{4, 2, 1}, {32, 1, 1}, {0, 0, 0, 0xC0, 0, 0, 0, 0}};
  for (const char* policy : {"paver", "paver:partition=spanning_tree"}) {
    analysis::LaunchAnalysis analysis(kernel, launch, {});
    KernelShape shape{{4, 2, 1}, 4, 2};
    shape.analysis = &analysis;
    CtaSchedulerBench bench(policy, shape);
    bench.dispatch(8);
    for (int sm = 0; sm < 4; ++sm) {
      const auto column = static_cast<std::uint64_t>(sm);
      EXPECT_EQ(bench.ctas_of(sm), (List{column, column + 4})) << policy;
    }
    EXPECT_EQ(bench.counter("paver.shared_lines"), 4u);
    EXPECT_EQ(bench.counter("paver.shared_inside"), 4u);
  }
}

// Each CTA reads the first words of a line of its column and of one of its row.
constexpr const char* kColumnsAndRows = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry both(.param .u64 in)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 128;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  mov.u32 %r1, %ctaid.y;
  mul.wide.u32 %rd2, %r1, 128;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3+8192];
  ret;
}
)";

TEST(Paver, ThePartitionsDivideAGraphWithoutClustersInTheirWays) {
  const ptx::Kernel kernel = ptx::Module::parse(kColumnsAndRows, "both.ptx").lower("both", {});
  const analysis::LaunchShape launch{{3, 2, 1}, {32, 1, 1}, {0, 0, 0, 0xC0, 0, 0, 0, 0}};
  const std::pair<const char*, std::array<List, 3>> expected[] = {
      {"paver", {{{0, 1}, {2, 5}, {3, 4}}}},
      {"paver:partition=spanning_tree", {{{0, 1}, {2, 3}, {4, 5}}}}};
  for (const auto& [policy, groups] : expected) {
    analysis::LaunchAnalysis analysis(kernel, launch, {});
    KernelShape shape{{3, 2, 1}, 3, 2};
    shape.analysis = &analysis;
    CtaSchedulerBench bench(policy, shape);
    bench.dispatch(6);
    for (int sm = 0; sm < 3; ++sm)
      EXPECT_EQ(bench.ctas_of(sm), groups[static_cast<std::size_t>(sm)]) << policy;
  }
}

// Every CTA reads the same 32 lines.
constexpr const char* kSame = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry same(.param .u64 in)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  ret;
}
)";

TEST(Paver, TheFirstCtaDecidesWhichShareOfTheLinesIsCompared) {
  const ptx::Kernel kernel = ptx::Module::parse(kSame, "same.ptx").lower("same", {});
  const analysis::LaunchShape launch{{2, 1, 1}, {1024, 1, 1}, {0, 0, 0, 0xC0, 0, 0, 0, 0}};
  const auto shared_lines = [&](const char* policy) {
    analysis::LaunchAnalysis analysis(kernel, launch, {});
    KernelShape shape{{2, 1, 1}, 2, 1};
    shape.analysis = &analysis;
    CtaSchedulerBench bench(policy, shape);
    bench.dispatch(2);
    return bench.counter("paver.shared_lines");
  };
  std::uint64_t every_fourth = 0;
  for (std::uint64_t line = 0xC0000000 / 128; line < 0xC0001000 / 128; ++line)
    every_fourth += (line * 0x9E3779B97F4A7C15ull >> 40) % 4 == 0;
  EXPECT_EQ(shared_lines("paver:lines=32"), 32u);
  EXPECT_EQ(shared_lines("paver:lines=8"), every_fourth);
}

TEST(Paver, ASmallGridUsesAllSms) {
  CtaSchedulerBench bench("paver", {{4, 1, 1}, 4, 8});
  bench.dispatch(8);
  for (int sm = 0; sm < 4; ++sm) EXPECT_EQ(bench.ctas_of(sm).size(), 1u);
}

TEST(Paver, AnSmWithoutCtasStealsTheLastOneOfTheLongestList) {
  for (const bool steals : {true, false}) {
    CtaSchedulerBench bench(steals ? "paver" : "paver:steal=no", {{8, 1, 1}, 2, 1});
    for (int i = 0; i < 4; ++i) {  // SM 1 does not end its first CTA
      bench.dispatch();
      bench.finish(0, bench.ctas_of(0).front());
    }
    bench.dispatch();
    EXPECT_EQ(bench.ctas_of(0), steals ? List{7} : List{});
    EXPECT_EQ(bench.counter("paver.stolen"), steals ? 1u : 0u);
  }
}

TEST(Paver, SegmentsAreLoadedWhenAnSmHasNoCtaLeft) {
  CtaSchedulerBench bench("paver:segment=16", {{1000000, 1, 1}, 2, 2});
  bench.dispatch();
  EXPECT_EQ(bench.counter("paver.segments"), 1u);
  for (int i = 0; i < 8; ++i) {
    bench.finish_all();
    bench.dispatch();
  }
  EXPECT_EQ(bench.counter("paver.segments"), 3u);
}

}  // namespace
}  // namespace heddle::gpu
