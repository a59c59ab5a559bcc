#include "gpu/engine/cluster_network.h"

#include <gtest/gtest.h>

#include "gpu/engine/gpcs.h"
#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;

// Every thread loads a word of the next CTA so many times in sequence.
ptx::Kernel chain(int loads, const std::string& shape) {
  std::string body = R"(
  .reg .b32 %r<8>;
  .shared .align 4 .b8 own[128];
  mov.u32 %r1, %cluster_ctarank;
  add.u32 %r1, %r1, 1;
  and.b32 %r1, %r1, 1;
  mov.u32 %r2, own;
  mapa.shared::cluster.u32 %r3, %r2, %r1;
  mov.u32 %r4, 0;
  st.shared.u32 [own], %r4;
  barrier.cluster.arrive;
  barrier.cluster.wait;
)";
  for (int i = 0; i < loads; ++i)
    body += "  add.u32 %r5, %r3, %r4;\n  ld.shared::cluster.u32 %r4, [%r5];\n";
  body += "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n  ret;\n";
  return test::kernel_of(body, shape);
}

std::uint64_t cycles(int loads, std::uint32_t latency, std::uint32_t ctas = 2) {
  EngineBench bench(chain(loads, ".explicitcluster\n.reqnctapercluster 2, 1, 1"));
  bench.run.gpu.cluster_network = {.gpcs = 1, .latency = latency, .bandwidth = 16};
  bench.begin(ctas, 32);
  return bench.finish().at(0).result.ctas.longest_cycles;
}

TEST(ClusterNetwork, ALoadTakesItsLatencyLonger) {
  // Four loads more, 100 cycles each.
  EXPECT_EQ(cycles(8, 300) - cycles(4, 300) - (cycles(8, 200) - cycles(4, 200)), 400u);
}

TEST(ClusterNetwork, MoreClustersThanFitFollowEachOther) {
  EngineBench bench(chain(2, ".explicitcluster\n.reqnctapercluster 2, 1, 1"));
  bench.run.gpu.cluster_network = {.gpcs = 1, .latency = 200, .bandwidth = 16};
  bench.begin(64, 64);
  const auto ended = bench.finish();
  EXPECT_EQ(ended.at(0).result.ctas.count, 64u);
  EXPECT_EQ(bench.ctas.built.back()->finished.size(), 32u);  // clusters
}

TEST(Gpcs, DivideTheSmsInPairs) {
  config::GpuSpec spec;
  spec.clusters = 132;
  spec.sms_per_cluster = 1;
  spec.cluster_network.gpcs = 8;
  const Gpcs gpcs(spec);
  std::size_t largest = 0;
  for (std::size_t g = 0; g < 8; ++g) {
    const std::size_t sms = gpcs.first(g + 1) - gpcs.first(g);
    EXPECT_TRUE(sms == 16 || sms == 18) << sms;
    largest += sms == 18;
    EXPECT_EQ(gpcs.of(gpcs.first(g)), g);
    EXPECT_EQ(gpcs.of(gpcs.first(g + 1) - 1), g);
  }
  EXPECT_EQ(largest, 2u);
  EXPECT_EQ(gpcs.first(8), 132u);
  EXPECT_EQ(gpcs.clusters(1, 16), 8u);
  EXPECT_EQ(gpcs.clusters(2, 16), 16u);
}

}  // namespace
}  // namespace heddle::gpu
