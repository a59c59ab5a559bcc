// One input-buffered crossbar, for a single-stage butterfly or a local crossbar. Each input has one
// queue, and only its first packet competes for an output. An output serves the competing inputs in
// round robin and transfers a packet completely before the next (wormhole). Virtual channels only
// add buffer space, because all packets of a network are of one class. Round robin with one queue
// per input is iSLIP with one iteration. With network.multiple_grants an input sends a packet to
// each of several outputs in a cycle, in ascending order.
//
// A router makes network.internal_speedup steps per network cycle and moves a flit per step and
// port. The links are slower: a flit of a butterfly reaches an input per cycle, and as many as
// network.output_speedup are sent by an output, whose queue holds the others.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "base/index_set.h"
#include "config/gpu_spec.h"
#include "mem/memory_stats.h"

namespace heddle::mem {

class alignas(64) Crossbar {
 public:
  static constexpr std::uint32_t kMaxPorts = IndexSet::kCapacity;

  Crossbar(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& spec);

  bool can_push(std::uint32_t input, std::uint32_t flits) const {
    return inputs_[input].flits + flits <= buffer_flits_ || inputs_[input].flits == 0;
  }
  // Before the step of this network cycle.
  void push(std::uint64_t cycle, std::uint32_t input, std::uint32_t output, std::uint32_t handle,
            std::uint32_t flits);
  bool empty() const { return packets_inside_ == 0; }
  std::uint32_t inputs() const { return static_cast<std::uint32_t>(inputs_.size()); }
  std::size_t waiting(std::uint32_t input) const { return inputs_[input].queue.size(); }
  const NetworkStats& stats() const { return stats_; }

  // The network cycle `cycle`. Calls can_take(output, handle) before the head of a packet moves,
  // and deliver(output, handle, wait) after its tail has moved; the output sends it `wait` cycles
  // later.
  template <class CanTake, class Deliver>
  void step(std::uint64_t cycle, CanTake&& can_take, Deliver&& deliver);

 private:
  struct Flight {
    std::uint64_t ready;  // the router step in which its next flit arrives
    std::uint32_t handle;
    std::uint16_t output;
    std::uint16_t flits;
  };
  struct Input {
    BoundedQueue<Flight> queue;
    std::uint32_t flits = 0;
    std::uint64_t free_at = 0;    // the router step that ends its gap after a packet
    std::uint64_t next_flit = 0;  // the router step in which a later flit arrives at the earliest
  };
  static constexpr std::int32_t kFree = -1;
  struct Output {
    IndexSet wanted_by;           // inputs whose first packet goes here
    std::int32_t holder = kFree;  // the input whose packet is being transferred
    std::uint32_t next = 0;       // input from which the next search begins
    std::uint64_t free_at = 0;    // the router step that ends its gap after a packet
    std::uint64_t sent_in = 0;    // the cycle in which its last flit is sent
    std::uint32_t sent = 0;       // flits in that cycle
  };

  template <class CanTake, class Deliver>
  void serve(std::uint32_t output, CanTake&& can_take, Deliver&& deliver);
  template <class CanTake, class Deliver>
  void serve_ascending(CanTake&& can_take, Deliver&& deliver);
  void compete(std::uint32_t input);
  void compete_at(std::uint64_t step, std::uint32_t input);
  void send_flit(Output& out);

  bool multiple_grants_;  // an input may send several packets in one cycle
  std::uint32_t buffer_flits_, rounds_, flits_per_output_, gap_;
  std::uint32_t flit_steps_;  // router steps between two flits of an input; 0: they never wait
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  IndexSet busy_outputs_;
  // Inputs whose first packet competes from a later step on, by that step. All have a packet, so
  // that no step is left out before it. A packet waits for the gap after another one and for the
  // next flit of its input.
  static constexpr std::uint32_t kSteps = 32;
  static_assert(kSteps > config::NetworkSpec::kMaxGap + config::NetworkSpec::kMaxSpeedup);
  std::array<IndexSet, kSteps> competing_later_{};
  std::uint64_t packets_inside_ = 0;
  std::uint64_t cycle_ = 0, step_ = 0;  // the simulated ones
  NetworkStats stats_;
};

template <class CanTake, class Deliver>
void Crossbar::step(std::uint64_t cycle, CanTake&& can_take, Deliver&& deliver) {
  if (packets_inside_ == 0) return;
  cycle_ = cycle;
  step_ = cycle * rounds_;
  for (std::uint32_t round = 0; round < rounds_; ++round, ++step_) {
    IndexSet& due = competing_later_[step_ % kSteps];
    if (due.any()) {
      due.for_each([&](std::uint32_t input) { compete(input); });
      due = {};
    }
    if (multiple_grants_)
      serve_ascending(can_take, deliver);
    else
      busy_outputs_.for_each([&](std::uint32_t output) { serve(output, can_take, deliver); });
  }
}

// Every output in ascending order. The next packet of an input that has sent one competes at once,
// so it is served if its output comes later.
template <class CanTake, class Deliver>
void Crossbar::serve_ascending(CanTake&& can_take, Deliver&& deliver) {
  for (std::uint32_t w = 0; w < IndexSet::kWords; ++w)
    for (std::uint64_t later = ~std::uint64_t{0};  // NOLINT(bugprone-infinite-loop)
         const std::uint64_t rest = busy_outputs_.words[w] & later;) {
      const int bit = std::countr_zero(rest);
      later = ~std::uint64_t{1} << bit;
      serve(w * 64 + static_cast<std::uint32_t>(bit), can_take, deliver);
    }
}

template <class CanTake, class Deliver>
void Crossbar::serve(std::uint32_t output, CanTake&& can_take, Deliver&& deliver) {
  Output& out = outputs_[output];
  if (out.holder == kFree) {
    if (step_ < out.free_at) return;
    const std::uint32_t input = out.wanted_by.next_cyclic(out.next);
    if (!can_take(output, inputs_[input].queue.front().handle)) {
      ++stats_.stall_cycles;
      return;
    }
    out.next = input + 1;
    out.holder = static_cast<std::int32_t>(input);
  }
  const auto input = static_cast<std::uint32_t>(out.holder);
  Input& in = inputs_[input];
  Flight& flight = in.queue.front();
  if (step_ + gap_ < flight.ready) return;
  send_flit(out);
  --in.flits;
  flight.ready += flit_steps_;
  if (--flight.flits > 0) return;
  const std::uint32_t handle = flight.handle;
  in.queue.pop();
  --packets_inside_;
  ++stats_.packets;
  out.holder = kFree;
  out.wanted_by.reset(input);
  if (!out.wanted_by.any()) busy_outputs_.reset(output);
  if (multiple_grants_) {
    if (!in.queue.empty()) compete(input);
  } else {
    in.free_at = out.free_at = step_ + 1 + gap_;
    if (!in.queue.empty()) compete_at(std::max(in.free_at, in.queue.front().ready), input);
  }
  deliver(output, handle, out.sent_in - cycle_);
}

inline void Crossbar::send_flit(Output& out) {
  ++stats_.flits;
  if (out.sent_in < cycle_) {
    out.sent_in = cycle_;
    out.sent = 0;
  } else if (out.sent == flits_per_output_) {
    ++out.sent_in;
    out.sent = 0;
  }
  ++out.sent;
}

}  // namespace heddle::mem
