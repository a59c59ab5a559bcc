#include <gtest/gtest.h>

#include "tests/mem/memory_bench.h"

namespace heddle::mem {
namespace {

TEST(WindowedNetworks, ARequestReachesItsSliceTheLatencyAfterItWasSent) {
  std::vector<std::uint64_t> replied;
  for (const std::uint32_t latency : {6u, 9u}) {
    config::GpuSpec spec = gtx480_memory();
    spec.network.request_latency = latency;
    spec.network.reply_latency = 9;
    MemoryBench bench(spec);
    bench.memory->fill_l2(Address{0}, 256);
    bench.send(0, MemoryBench::packet(PacketKind::read, 0, 32), 0);
    bench.drain();
    replied.push_back(bench.last_reply());
  }
  EXPECT_EQ(replied[1], replied[0] + 3);
}

}  // namespace
}  // namespace heddle::mem
