#include "mem/flit_router.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::mem {
namespace {

config::NetworkSpec router_spec() {
  config::NetworkSpec spec;
  spec.topology = config::Topology::router;
  spec.buffer_flits = 8;
  spec.injection_flits = 9;
  spec.slice_flits = 24;
  return spec;
}

struct RouterBench {
  FlitRouter router{3, 2, router_spec()};
  std::uint64_t cycle = 0;
  std::vector<std::uint32_t> left = {0, 0, 0};

  void step() {
    router.step([&](std::uint32_t input) { ++left[input]; });
    ++cycle;
  }
  // The number of cycles after which a packet has arrived at the output, and its handle.
  std::pair<std::uint64_t, std::uint32_t> next(std::uint32_t output) {
    while (!router.arrived().test(output) && cycle < 1000) step();
    return {cycle, router.pop(output)};
  }
};
using Arrival = std::pair<std::uint64_t, std::uint32_t>;

// Its queue sends it in cycle 0, it is at the router in 2, passes the switch in 3, and is at the
// receiver in 6.
TEST(FlitRouter, AFlitArrivesAfterSevenCyclesAndEachFurtherOneACycleLater) {
  RouterBench b;
  b.router.push(0, {7, 1, 1});
  EXPECT_EQ(b.next(1), (Arrival{7, 7}));
  EXPECT_TRUE(b.router.empty());
  RouterBench line;
  line.router.push(0, {8, 1, 5});
  EXPECT_EQ(line.next(1), (Arrival{11, 8}));
}

TEST(FlitRouter, APortRestsForACycleAfterAPacket) {
  RouterBench b;
  b.router.push(0, {1, 0, 1});
  b.router.push(1, {2, 0, 1});  // the same output
  EXPECT_EQ(b.next(0), (Arrival{7, 1}));
  EXPECT_EQ(b.next(0), (Arrival{9, 2}));
  b.router.push(2, {3, 0, 1});
  b.router.push(2, {4, 1, 1});  // the same input
  EXPECT_EQ(b.next(0), (Arrival{16, 3}));
  EXPECT_EQ(b.next(1), (Arrival{18, 4}));
}

TEST(FlitRouter, AnOutputServesItsInputsInRoundRobin) {
  RouterBench b;
  for (const std::uint32_t input : {2u, 1u, 0u})
    for (std::uint32_t n = 0; n < 2; ++n) b.router.push(input, {10 * input + n, 0, 2});
  for (const std::uint32_t handle : {0u, 10u, 20u, 1u, 11u, 21u})
    EXPECT_EQ(b.next(0).second, handle);
}

TEST(FlitRouter, AnInjectionQueueIsFreeAgainFlitByFlit) {
  RouterBench b;
  b.router.push(0, {1, 0, 5});
  EXPECT_TRUE(b.router.can_push(0, 4));
  EXPECT_FALSE(b.router.can_push(0, 5));
  b.step();
  EXPECT_EQ(b.left[0], 1u);
  EXPECT_TRUE(b.router.can_push(0, 5));
}

// 9 flits in the injection queue, 8 in the buffer of the input, 8 and 16 at the receiver.
TEST(FlitRouter, AReceiverThatTakesNothingStopsTheSenderWhenAllBuffersAreFull) {
  RouterBench b;
  std::uint32_t pushed = 0;
  for (int i = 0; i < 200; ++i, b.step())
    if (b.router.can_push(0, 1)) b.router.push(0, {pushed++, 0, 1});
  EXPECT_EQ(pushed, 9u + 8 + 8 + 16);
  b.router.push(1, {99, 1, 1});  // another output still gets packets
  EXPECT_EQ(b.next(1).second, 99u);
  for (std::uint32_t i = 0; i < pushed; ++i) EXPECT_EQ(b.next(0).second, i);
  EXPECT_TRUE(b.router.empty());
}

TEST(FlitRouter, EveryPacketArrivesOnceInTheOrderOfItsInput) {
  RouterBench b;
  std::mt19937 random(5);
  std::array<std::uint32_t, 3> sent{};
  std::array<std::array<std::uint32_t, 2>, 3> last{};
  std::uint32_t packets = 0, received = 0;
  for (int i = 0; i < 20000 || !b.router.empty(); ++i, b.step()) {
    for (std::uint32_t input = 0; input < 3 && i < 20000; ++input) {
      const auto flits = static_cast<std::uint16_t>(1 + random() % 5);
      if (random() % 4 || !b.router.can_push(input, flits)) continue;
      b.router.push(input,
                    {++sent[input] * 4 + input, static_cast<std::uint16_t>(random() % 2), flits});
      ++packets;
    }
    for (std::uint32_t output = 0; output < 2; ++output) {
      if (random() % 3 == 0 || !b.router.arrived().test(output)) continue;
      const std::uint32_t handle = b.router.pop(output);
      EXPECT_GT(handle / 4, last[handle % 4][output]);
      last[handle % 4][output] = handle / 4;
      ++received;
    }
  }
  EXPECT_EQ(received, packets);
  EXPECT_EQ(b.router.stats().packets, packets);
  EXPECT_EQ(b.left[0] + b.left[1] + b.left[2], b.router.stats().flits);
}

}  // namespace
}  // namespace heddle::mem
