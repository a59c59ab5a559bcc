#include <gtest/gtest.h>

#include <array>

#include "tests/mem/memory_bench.h"

namespace heddle::mem {
namespace {

TEST(RouterNetworks, WithoutLoadTakeTheLatenciesOfTheNetwork) {
  std::array<std::uint64_t, 2> replied{};
  for (const bool router : {false, true}) {
    config::GpuSpec spec = router_memory();
    if (!router) spec.network.topology = config::Topology::butterfly;
    MemoryBench bench(spec);
    bench.send(3, MemoryBench::packet(PacketKind::read, 0, 32), 5);
    bench.drain();
    replied[router] = bench.last_reply();
  }
  EXPECT_EQ(replied[0], replied[1]);
}

// A store of a line has 5 flits; the queue of 9 flits of the SM sends one per cycle.
TEST(RouterNetworks, AnSmSeesInTheNextCycleWhichFlitsItsQueueHasSent) {
  MemoryBench bench(router_memory());
  const Packet store = MemoryBench::packet(PacketKind::write, 0, 128);
  bench.send(0, store, 0);
  EXPECT_FALSE(bench.ports[0]->can_send(store.network_bytes()));
  bench.window(1);
  EXPECT_TRUE(bench.ports[0]->can_send(store.network_bytes()));
}

}  // namespace
}  // namespace heddle::mem
