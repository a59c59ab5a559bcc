// A crossbar under random traffic, compared with a reference model of queues.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
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
        rounds_(spec.internal_speedup),
        link_(spec.topology == config::Topology::butterfly && rounds_ > 1),
        inputs_(inputs),
        arrived_(inputs),
        sending_(outputs),
        holder_(outputs, kNobody),
        turn_(outputs),
        input_free_(inputs),
        output_free_(outputs) {}

  bool can_push(std::uint32_t input, std::uint32_t flits) const {
    std::size_t held = 0;
    for (const Flight& f : inputs_[input]) held += f.arrivals.size();
    return held == 0 || held + flits <= spec_.buffer_flits * spec_.virtual_channels;
  }
  void push(std::uint32_t input, std::uint32_t output, std::uint32_t handle, std::uint32_t flits) {
    Flight flight{handle, output, {}};
    for (std::uint32_t i = 0; i < flits; ++i) {
      if (link_) arrived_[input] = std::max(arrived_[input] + 1, cycle_ + 1);
      flight.arrivals.push_back(link_ ? arrived_[input] - 1 : 0);
    }
    inputs_[input].push_back(std::move(flight));
  }
  bool empty() const {
    const auto is_empty = [](const auto& queue) { return queue.empty(); };
    return std::ranges::all_of(inputs_, is_empty) && std::ranges::all_of(sending_, is_empty);
  }

  Delivered step(const std::vector<bool>& open) {
    for (std::uint32_t round = 0; round < rounds_; ++round) step_router(open, round);
    ++cycle_;
    // The links of the outputs.
    Delivered out;
    for (std::uint32_t o = 0; o < sending_.size(); ++o)
      for (std::uint32_t n = 0; n < spec_.output_speedup && !sending_[o].empty(); ++n) {
        if (sending_[o].front() != kNoTail) out.emplace_back(o, sending_[o].front());
        sending_[o].pop_front();
      }
    return out;
  }

 private:
  struct Flight {
    std::uint32_t handle, output;
    std::deque<std::uint64_t> arrivals;  // of the flits that have not moved: their cycles
  };
  static constexpr std::size_t kNobody = ~std::size_t{0};
  static constexpr std::uint32_t kNoTail = ~std::uint32_t{0};

  void step_router(const std::vector<bool>& open, std::uint32_t round) {
    now_ = cycle_ * rounds_ + round;
    std::vector<bool> moved(inputs_.size());
    // All outputs choose before any packet of this round moves.
    std::vector<bool> wanted(holder_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (competes(i) || transfers(i)) wanted[inputs_[i].front().output] = true;
    for (std::uint32_t o = 0; o < holder_.size(); ++o) {
      if (!wanted[o] || (holder_[o] == kNobody && !choose(o, moved, open))) continue;
      const std::size_t from = holder_[o];
      Flight& flight = inputs_[from].front();
      // The flits behind the head need no allocation, for which the head was here before.
      if (moved[from] || flight.arrivals.front() * rounds_ > now_ + spec_.packet_gap) continue;
      moved[from] = !spec_.multiple_grants;
      flight.arrivals.pop_front();
      const bool tail = flight.arrivals.empty();
      sending_[o].push_back(tail ? flight.handle : kNoTail);
      if (!tail) continue;
      inputs_[from].pop_front();
      holder_[o] = kNobody;
      if (spec_.multiple_grants && !inputs_[from].empty())
        wanted[inputs_[from].front().output] = true;
      if (spec_.packet_gap) input_free_[from] = output_free_[o] = now_ + 1 + spec_.packet_gap;
    }
  }
  bool competes(std::size_t input) const {
    return !inputs_[input].empty() && input_free_[input] <= now_ &&
           inputs_[input].front().arrivals.front() * rounds_ <= now_;
  }
  bool transfers(std::size_t input) const {
    return !inputs_[input].empty() && holder_[inputs_[input].front().output] == input;
  }
  bool choose(std::uint32_t o, const std::vector<bool>& moved, const std::vector<bool>& open) {
    if (output_free_[o] > now_) return false;
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
  std::uint32_t rounds_;
  bool link_;  // a flit per cycle reaches an input
  std::vector<std::deque<Flight>> inputs_;
  std::vector<std::uint64_t> arrived_;              // the cycle after the last flit's
  std::vector<std::deque<std::uint32_t>> sending_;  // handles of tails, or kNoTail
  std::vector<std::size_t> holder_, turn_;
  std::vector<std::uint64_t> input_free_, output_free_;  // the ends of their packet gaps
  std::uint64_t cycle_ = 0, now_ = 0;                    // now_: in router steps
};

TEST(RandomCrossbar, DeliversInTheCyclesOfTheReferenceModel) {
  std::mt19937 draw(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t inputs = 1 + below(80), outputs = 1 + below(80), load = 1 + below(inputs);
    config::NetworkSpec spec;
    spec.buffer_flits = 4 + below(12);
    spec.internal_speedup = 1 + below(3);
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
    std::map<std::uint64_t, Delivered> sending;  // by cycle
    std::uint32_t handle = 0, delivered = 0, flits_in = 0;
    for (int cycle = 0; cycle < 300 || !slow.empty(); ++cycle) {
      for (std::uint32_t n = cycle < 300 ? below(load + 1) : 0; n > 0; --n) {
        const std::uint32_t input = below(inputs), output = below(outputs),
                            flits = spec.multiple_grants ? 1 : 1 + below(5);
        ASSERT_EQ(crossbar.can_push(input, flits), slow.can_push(input, flits));
        if (!slow.can_push(input, flits)) continue;
        crossbar.push(static_cast<std::uint64_t>(cycle), input, output, handle, flits);
        slow.push(input, output, handle++, flits);
        flits_in += flits;
      }
      for (std::uint32_t o = 0; o < outputs; ++o) open[o] = cycle >= 300 || below(5) > 0;
      crossbar.step(
          static_cast<std::uint64_t>(cycle),
          [&](std::uint32_t output, std::uint32_t) { return open[output]; },
          [&](std::uint32_t output, std::uint32_t packet, std::uint64_t wait) {
            sending[static_cast<std::uint64_t>(cycle) + wait].emplace_back(output, packet);
          });
      Delivered now = std::move(sending[static_cast<std::uint64_t>(cycle)]);
      std::ranges::sort(now);
      Delivered expected = slow.step(open);
      std::ranges::sort(expected);
      ASSERT_EQ(now, expected) << "round " << round << ", cycle " << cycle;
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
