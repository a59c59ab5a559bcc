// A crossbar under random traffic, compared with a reference model of queues.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "mem/crossbar.h"

namespace heddle::mem {
namespace {

using Delivered = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // output, handle

class SlowCrossbar {
 public:
  SlowCrossbar(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& spec)
      : spec_(spec),
        inputs_(inputs),
        holder_(outputs, kNobody),
        turn_(outputs),
        input_free_(inputs),
        output_free_(outputs) {}

  bool can_push(std::uint32_t input, std::uint32_t flits) const {
    std::uint32_t held = 0;
    for (const Flight& f : inputs_[input]) held += f.flits;
    return held == 0 || held + flits <= spec_.buffer_flits * spec_.virtual_channels;
  }
  void push(std::uint32_t input, std::uint32_t output, std::uint32_t handle, std::uint32_t flits) {
    inputs_[input].push_back({handle, output, flits});
  }
  bool empty() const {
    for (const auto& queue : inputs_)
      if (!queue.empty()) return false;
    return true;
  }

  Delivered step(const std::vector<bool>& open) {
    Delivered out;
    std::vector<std::uint32_t> sent(holder_.size());
    for (std::uint32_t round = 0; round < std::max(1u, spec_.internal_speedup); ++round) {
      std::vector<bool> moved(inputs_.size());
      // All outputs choose before any packet of this round moves.
      std::vector<bool> wanted(holder_.size());
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (competes(i)) wanted[inputs_[i].front().output] = true;
      for (std::uint32_t o = 0; o < holder_.size(); ++o) {
        if (!wanted[o] || sent[o] >= std::max(1u, spec_.output_speedup)) continue;
        if (holder_[o] == kNobody && !choose(o, moved, open)) continue;
        const std::size_t from = holder_[o];
        if (moved[from]) continue;
        moved[from] = !spec_.multiple_grants;
        ++sent[o];
        Flight& flight = inputs_[from].front();
        if (--flight.flits > 0) continue;
        out.emplace_back(o, flight.handle);
        inputs_[from].pop_front();
        holder_[o] = kNobody;
        if (spec_.multiple_grants && !inputs_[from].empty())
          wanted[inputs_[from].front().output] = true;
        input_free_[from] = output_free_[o] = cycle_ + spec_.packet_gap + (spec_.packet_gap > 0);
      }
    }
    ++cycle_;
    return out;
  }

 private:
  struct Flight {
    std::uint32_t handle, output, flits;
  };
  static constexpr std::size_t kNobody = ~std::size_t{0};

  bool competes(std::size_t input) const {
    return !inputs_[input].empty() && input_free_[input] <= cycle_;
  }
  bool choose(std::uint32_t o, const std::vector<bool>& moved, const std::vector<bool>& open) {
    if (output_free_[o] > cycle_) return false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const std::size_t input = (turn_[o] + i) % inputs_.size();
      if (moved[input] || !competes(input) || inputs_[input].front().output != o) continue;
      if (!open[o]) return false;
      holder_[o] = input;
      turn_[o] = input + 1;
      return true;
    }
    return false;
  }

  config::NetworkSpec spec_;
  std::vector<std::deque<Flight>> inputs_;
  std::vector<std::size_t> holder_, turn_;
  std::vector<std::uint64_t> input_free_, output_free_;  // the ends of their packet gaps
  std::uint64_t cycle_ = 0;
};

TEST(RandomCrossbar, DeliversInTheCyclesOfTheReferenceModel) {
  std::mt19937 draw(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t inputs = 1 + below(80), outputs = 1 + below(80), load = 1 + below(inputs);
    config::NetworkSpec spec;
    spec.buffer_flits = 4 + below(12);
    spec.internal_speedup = 1 + below(2);
    spec.output_speedup = 1 + below(2);
    if (below(3) == 0) {
      spec.topology = config::Topology::local_crossbar;
      spec.multiple_grants = true;
    } else if (round % 3 == 0) {
      spec.packet_gap = 1 + below(3);
    }
    Crossbar crossbar(inputs, outputs, spec);
    SlowCrossbar slow(inputs, outputs, spec);
    std::vector<bool> open(outputs, true);
    std::uint32_t handle = 0, delivered = 0, flits_in = 0;
    for (int cycle = 0; cycle < 300 || !slow.empty(); ++cycle) {
      for (std::uint32_t n = cycle < 300 ? below(load + 1) : 0; n > 0; --n) {
        const std::uint32_t input = below(inputs), output = below(outputs),
                            flits = spec.multiple_grants ? 1 : 1 + below(5);
        ASSERT_EQ(crossbar.can_push(input, flits), slow.can_push(input, flits));
        if (!slow.can_push(input, flits)) continue;
        crossbar.push(input, output, handle, flits);
        slow.push(input, output, handle++, flits);
        flits_in += flits;
      }
      for (std::uint32_t o = 0; o < outputs; ++o) open[o] = cycle >= 300 || below(5) > 0;
      Delivered now;
      crossbar.step(
          static_cast<std::uint64_t>(cycle),
          [&](std::uint32_t output, std::uint32_t) { return open[output]; },
          [&](std::uint32_t output, std::uint32_t packet) { now.emplace_back(output, packet); });
      ASSERT_EQ(now, slow.step(open)) << "round " << round << ", cycle " << cycle;
      delivered += static_cast<std::uint32_t>(now.size());
    }
    EXPECT_TRUE(crossbar.empty());
    EXPECT_EQ(delivered, handle);
    EXPECT_EQ(crossbar.stats().packets, handle);
    EXPECT_EQ(crossbar.stats().flits, flits_in);
  }
}

}  // namespace
}  // namespace heddle::mem
