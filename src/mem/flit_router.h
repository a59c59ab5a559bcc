// One direction of a network that is a single input-queued router, flit by flit and credit by
// credit, as intersim2 of GPGPU-Sim has it (iq_router with one virtual channel, islip). Ports send
// and receive a flit per cycle. A flit passes
//
//   injection queue, link (2 cycles), input buffer, switch, link (3 cycles), ejection buffer,
//   boundary buffer
//
// and each buffer returns a credit (2 cycles) when it has sent the flit. The head of a packet takes
// a cycle to be allocated to its output, which serves packets in round robin, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "base/index_set.h"
#include "config/gpu_spec.h"
#include "mem/memory_stats.h"

namespace heddle::mem {

class FlitRouter {
 public:
  FlitRouter(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& spec);

  // --- senders ---
  bool can_push(std::uint32_t input, std::uint32_t flits) const {
    return inputs_[input].waiting + flits <= injection_flits_;
  }
  struct Packet {
    std::uint32_t handle;
    std::uint16_t output, flits;
  };
  void push(std::uint32_t input, const Packet& packet);

  // --- receivers ---
  // Outputs with a complete packet.
  const IndexSet& arrived() const { return arrived_; }
  // Returns the handle of the first one.
  std::uint32_t pop(std::uint32_t output);

  // The next cycle. Calls left(input) for each flit that an injection queue sends.
  template <class Left>
  void step(Left&& left) {
    eject();
    inject(left);
    allocate();
    traverse();
    ++cycle_;
  }

  bool empty() const { return packets_ == 0; }
  std::uint32_t inputs() const { return static_cast<std::uint32_t>(inputs_.size()); }
  // Packets at an input whose last flit has not passed the switch.
  std::size_t waiting(std::uint32_t input) const { return inputs_[input].packets.size(); }
  const NetworkStats& stats() const { return stats_; }

 private:
  static constexpr std::uint32_t kLink = 2, kSwitchAndLink = 3, kSlots = 4;
  static constexpr std::uint32_t kNone = ~0u;
  struct Input {
    Input(std::size_t most_packets, std::uint32_t places)
        : packets(most_packets), credits(places) {}
    BoundedQueue<Packet> packets;
    std::uint32_t waiting = 0;   // flits in the injection queue
    std::uint32_t credits;       // free places of the input buffer, as the sender knows them
    std::uint32_t buffered = 0;  // flits in the input buffer
    std::uint32_t sent = 0;      // flits of the first packet that passed the switch
    bool routed = false;         // the first packet requests or holds its output
  };
  struct Output {
    Output(std::size_t most_packets, std::uint32_t places)
        : packets(most_packets), credits(places) {}
    BoundedQueue<Packet> packets;  // allocated to it and not received
    IndexSet requested_by;         // inputs whose first packet waits for it
    std::uint32_t holder = kNone;  // the input whose packet it transfers
    std::uint64_t holds_from = 0;  // the cycle of its first flit at the earliest
    std::uint32_t next = 0;        // input from which the next search begins
    std::uint32_t credits;         // free places of the ejection buffer, as the router knows them
    std::uint32_t ejected = 0;     // flits in the ejection buffer
    std::uint32_t boundary = 0;    // flits in the boundary buffer
    std::size_t complete = 0;      // packets in it with all flits
    std::uint32_t partial = 0;     // flits of the next packet in it
  };
  IndexSet& at(std::array<IndexSet, kSlots>& ring, std::uint32_t delay) {
    return ring[(cycle_ + delay) % kSlots];
  }
  void eject();
  template <class Left>
  void inject(Left&& left) {
    IndexSet& credits = at(input_credits_, 0);
    credits.for_each([&](std::uint32_t i) { ++inputs_[i].credits; });
    credits = {};
    IndexSet& on_link = at(on_input_link_, kLink);
    injecting_.for_each([&](std::uint32_t i) {
      Input& in = inputs_[i];
      if (in.credits == 0) return;
      --in.credits;
      on_link.set(i);
      left(i);
      if (--in.waiting == 0) injecting_.reset(i);
    });
  }
  void allocate();
  void traverse();
  void request(std::uint32_t input);

  std::uint32_t injection_flits_, boundary_flits_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  IndexSet injecting_;  // inputs with flits in the injection queue
  IndexSet requested_;  // outputs that an input requests
  IndexSet held_;       // outputs that transfer a packet
  IndexSet ejecting_;   // outputs with flits in the ejection buffer
  IndexSet arrived_;
  // Flits and credits on their way, by the cycle in which they arrive.
  std::array<IndexSet, kSlots> on_input_link_{}, on_output_link_{}, input_credits_{},
      output_credits_{};
  std::uint64_t cycle_ = 0, packets_ = 0;
  NetworkStats stats_;
};

}  // namespace heddle::mem
