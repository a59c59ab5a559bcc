#include "mem/crossbar.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "mem/flit_count.h"

namespace heddle::mem {
namespace {

config::NetworkSpec spec_with(std::uint32_t buffer_flits) {
  config::NetworkSpec spec;
  spec.flit_bytes = 32;
  spec.buffer_flits = buffer_flits;
  return spec;
}

class CrossbarBench {
 public:
  CrossbarBench(std::uint32_t inputs, std::uint32_t outputs,
                const config::NetworkSpec& spec = spec_with(8))
      : crossbar(inputs, outputs, spec), open(outputs, true) {}
  void push(std::uint32_t input, std::uint32_t output, std::uint32_t handle, std::uint32_t flits) {
    crossbar.push(cycle, input, output, handle, flits);
  }
  // The packets that outputs send in this cycle: (output, handle).
  std::vector<std::pair<std::uint32_t, std::uint32_t>> step() {
    crossbar.step(
        cycle, [&](std::uint32_t output, std::uint32_t) { return open[output]; },
        [&](std::uint32_t output, std::uint32_t handle, std::uint64_t wait) {
          sent[cycle + wait].emplace_back(output, handle);
        });
    return std::move(sent[cycle++]);
  }
  Crossbar crossbar;
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> sent;
  std::vector<bool> open;
  std::uint64_t cycle = 0;
};
using Delivered = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(Crossbar, APacketOfOneFlitPassesInOneCycle) {
  CrossbarBench b(2, 2);
  b.push(0, 1, 7, 1);
  EXPECT_EQ(b.step(), (Delivered{{1, 7}}));
  EXPECT_TRUE(b.crossbar.empty());
}

TEST(Crossbar, PortsAreIdleForThePacketGapAfterATail) {
  config::NetworkSpec spec = spec_with(8);
  spec.packet_gap = 1;
  CrossbarBench b(2, 2, spec);
  b.push(0, 0, 1, 2);
  b.push(0, 1, 2, 1);  // the same input
  b.push(1, 0, 3, 1);  // the same output
  EXPECT_EQ(b.step(), Delivered{});
  EXPECT_EQ(b.step(), (Delivered{{0, 1}}));
  EXPECT_EQ(b.step(), Delivered{});  // input 0 and output 0 are idle
  EXPECT_EQ(b.step(), (Delivered{{0, 3}, {1, 2}}));
  b.step();
  b.step();
  b.push(0, 1, 4, 1);  // the gap has passed
  EXPECT_EQ(b.step(), (Delivered{{1, 4}}));
}

TEST(Crossbar, AnOutputTransfersAPacketUpToItsTail) {
  CrossbarBench b(2, 1);
  b.push(0, 0, 1, 3);
  b.push(1, 0, 2, 1);
  EXPECT_EQ(b.step(), Delivered{});
  EXPECT_EQ(b.step(), Delivered{});
  EXPECT_EQ(b.step(), (Delivered{{0, 1}}));
  EXPECT_EQ(b.step(), (Delivered{{0, 2}}));
}

TEST(Crossbar, AnOutputServesItsInputsInRoundRobin) {
  CrossbarBench b(3, 1);
  for (std::uint32_t n = 0; n < 3; ++n)
    for (std::uint32_t input = 0; input < 3; ++input) b.push(input, 0, input, 1);
  std::vector<std::uint32_t> order;
  for (int i = 0; i < 9; ++i) order.push_back(b.step().at(0).second);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Crossbar, DifferentPairsMoveInTheSameCycle) {
  CrossbarBench b(2, 2);
  b.push(0, 1, 1, 1);
  b.push(1, 0, 2, 1);
  EXPECT_EQ(b.step().size(), 2u);
}

TEST(Crossbar, AnInputMovesOneFlitPerCycle) {
  CrossbarBench b(1, 2);
  b.push(0, 0, 1, 1);
  b.push(0, 1, 2, 1);
  EXPECT_EQ(b.step(), (Delivered{{0, 1}}));
  EXPECT_EQ(b.step(), (Delivered{{1, 2}}));
}

TEST(Crossbar, InternalSpeedupLetsALocalCrossbarsInputButNotAnOutputMoveTwoPacketsPerCycle) {
  config::NetworkSpec spec = spec_with(8);
  spec.topology = config::Topology::local_crossbar;
  spec.internal_speedup = 2;
  CrossbarBench b(2, 2, spec);
  b.push(0, 0, 1, 1);
  b.push(0, 1, 2, 1);
  EXPECT_EQ(b.step(), (Delivered{{0, 1}, {1, 2}}));
  b.push(0, 0, 3, 1);
  b.push(1, 0, 4, 1);
  EXPECT_EQ(b.step().size(), 1u);
  EXPECT_EQ(b.step().size(), 1u);
}

// GPGPU-Sim's GTX 480: two router steps per cycle, one of which allocates a virtual channel.
config::NetworkSpec spec_of_two_steps() {
  config::NetworkSpec spec = spec_with(64);
  spec.internal_speedup = 2;
  spec.packet_gap = 1;
  return spec;
}

TEST(Crossbar, ARouterOfTwoStepsPassesAPacketOfOneFlitPerCycleAndPort) {
  CrossbarBench b(2, 2, spec_of_two_steps());
  for (std::uint32_t i = 0; i < 3; ++i) {
    b.push(0, 0, i, 1);
    b.push(1, 0, i + 10, 1);
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(b.step(), (Delivered{{0, i}}));
    EXPECT_EQ(b.step(), (Delivered{{0, i + 10}}));
  }
}

TEST(Crossbar, LinksTransferAFlitPerCycle) {
  CrossbarBench b(2, 2, spec_of_two_steps());
  b.push(0, 0, 1, 4);
  b.push(0, 1, 2, 1);  // arrives behind the four flits
  for (int i = 0; i < 3; ++i) EXPECT_EQ(b.step(), Delivered{});
  EXPECT_EQ(b.step(), (Delivered{{0, 1}}));
  EXPECT_EQ(b.step(), (Delivered{{1, 2}}));
}

// Input 0 waits for output 0 until its nine flits have arrived. Then its four flits pass in two and
// a half cycles, so another output sends the packet behind them soon after.
TEST(Crossbar, ARouterOfTwoStepsPassesAPacketThatHasArrivedFasterThanALink) {
  CrossbarBench b(1, 2, spec_of_two_steps());
  b.push(0, 0, 1, 4);
  b.push(0, 1, 2, 4);
  b.push(0, 1, 3, 1);
  b.open[0] = false;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(b.step(), Delivered{});
  b.open[0] = true;
  std::vector<std::pair<int, std::uint32_t>> seen;  // cycle from now on, packet
  for (int cycle = 0; cycle < 8; ++cycle)
    for (const auto& [output, packet] : b.step()) seen.emplace_back(cycle, packet);
  EXPECT_EQ(seen, (std::vector<std::pair<int, std::uint32_t>>{{3, 1}, {5, 2}, {6, 3}}));
}

TEST(Crossbar, TheFirstPacketOfAnInputBlocksThePacketsAfterIt) {
  CrossbarBench b(1, 2);
  b.push(0, 0, 1, 1);
  b.push(0, 1, 2, 1);
  b.open[0] = false;
  EXPECT_EQ(b.step(), Delivered{});
  EXPECT_EQ(b.crossbar.stats().stall_cycles, 1u);
  b.open[0] = true;
  EXPECT_EQ(b.step(), (Delivered{{0, 1}}));
}

TEST(Crossbar, AnInputBufferHoldsNoMoreThanItsFlits) {
  CrossbarBench b(1, 1, spec_with(8));
  b.push(0, 0, 1, 5);
  EXPECT_TRUE(b.crossbar.can_push(0, 3));
  EXPECT_FALSE(b.crossbar.can_push(0, 4));
  b.step();
  EXPECT_TRUE(b.crossbar.can_push(0, 4));
}

TEST(Crossbar, ReachesPortsBeyondTheFirstMachineWord) {
  CrossbarBench b(100, 100);
  b.push(99, 70, 1, 1);
  b.push(3, 70, 2, 1);
  EXPECT_EQ(b.step(), (Delivered{{70, 2}}));
  EXPECT_EQ(b.step(), (Delivered{{70, 1}}));
}

TEST(Crossbar, ALocalCrossbarTransfersAPacketOfAnyLengthPerCycle) {
  config::NetworkSpec spec = spec_with(2);
  spec.topology = config::Topology::local_crossbar;
  CrossbarBench b(2, 1, spec);
  const std::uint32_t flits = FlitCount(spec)(136);
  EXPECT_EQ(flits, 1u);
  b.push(0, 0, 1, flits);
  b.push(0, 0, 2, flits);
  EXPECT_FALSE(b.crossbar.can_push(0, 1));  // its buffer counts packets
  EXPECT_EQ(b.step(), (Delivered{{0, 1}}));
  EXPECT_EQ(b.step(), (Delivered{{0, 2}}));
}

// Inputs 0 and 1 both begin with output 1. The next packet of input 0 goes to a later output, that
// of input 1 to an earlier one.
TEST(Crossbar, WithMultipleGrantsAnInputSendsToLaterOutputsInTheSameCycle) {
  for (const bool multiple : {false, true}) {
    config::NetworkSpec spec = spec_with(8);
    spec.topology = config::Topology::local_crossbar;
    spec.multiple_grants = multiple;
    CrossbarBench b(2, 100, spec);
    b.push(0, 1, 10, 1);
    b.push(0, 70, 11, 1);
    b.push(0, 70, 12, 1);  // an output takes one packet per cycle
    b.push(1, 1, 20, 1);
    b.push(1, 0, 21, 1);
    const Delivered first = b.step(), second = b.step(), third = b.step();
    if (multiple) {
      EXPECT_EQ(first, (Delivered{{1, 10}, {70, 11}}));
      EXPECT_EQ(second, (Delivered{{1, 20}, {70, 12}}));
      EXPECT_EQ(third, (Delivered{{0, 21}}));
    } else {
      EXPECT_EQ(first, (Delivered{{1, 10}}));
      EXPECT_EQ(second, (Delivered{{1, 20}, {70, 11}}));
      EXPECT_EQ(third, (Delivered{{0, 21}, {70, 12}}));
    }
  }
}

TEST(Crossbar, Reaches192Ports) {
  CrossbarBench b(192, 192);
  for (std::uint32_t i = 0; i < 192; ++i) b.push(i, 191 - i, i, 1);
  EXPECT_EQ(b.step().size(), 192u);
  for (const std::uint32_t i : {130u, 5u, 191u}) b.push(i, 150, i, 1);  // input 41 was served last
  EXPECT_EQ(b.step(), (Delivered{{150, 130}}));
  EXPECT_EQ(b.step(), (Delivered{{150, 191}}));
  EXPECT_EQ(b.step(), (Delivered{{150, 5}}));
}

}  // namespace
}  // namespace heddle::mem
