// The buffer in which an L2 slice receives packets from the request network: so many packets, or
// flits with network.slice_flits. The network sees the room at the begin of the window, less what
// it has delivered since.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"

namespace heddle::mem {

class ArrivalBuffer {
 public:
  explicit ArrivalBuffer(const config::NetworkSpec& spec)
      : counts_flits_(spec.slice_flits > 0),
        capacity_((counts_flits_ ? spec.slice_flits : spec.ejection_packets) +
                  spec.request_latency),
        packets_(std::max(spec.slice_flits, spec.ejection_packets) + spec.request_latency) {}

  void begin_window() { room_ = capacity_ - held_; }
  // The network's side. flits: those of the packet; visible_at: L2 cycle.
  bool has_room() const { return room_ > 0; }
  void push(std::uint32_t transaction, std::uint32_t flits, std::uint64_t visible_at) {
    const std::int64_t size = counts_flits_ ? flits : 1;
    room_ -= size;
    held_ += size;
    packets_.push({visible_at, transaction, static_cast<std::uint32_t>(size)});
  }
  // The slice's side.
  bool empty() const { return packets_.empty(); }
  std::uint32_t front() const { return packets_.front().transaction; }
  std::uint64_t visible_at() const { return packets_.front().visible_at; }
  std::uint32_t pop() {
    const Arrival arrival = packets_.pop();
    held_ -= arrival.size;
    return arrival.transaction;
  }

 private:
  struct Arrival {
    std::uint64_t visible_at;
    std::uint32_t transaction, size;
  };
  bool counts_flits_;
  // In packets or flits.
  std::int64_t capacity_, held_ = 0, room_ = 0;
  BoundedQueue<Arrival> packets_;
};

}  // namespace heddle::mem
