// The fixed delay between the arrival of a request at an L2 slice and its access,
// memory.rop_latency, and from the other half of the L2 memory.far_latency more. They end it in
// the order in which their delays end.
#pragma once

#include <cstdint>

#include "config/gpu_spec.h"
#include "mem/clocks.h"
#include "mem/growing_queue.h"
#include "mem/packet.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

class RopDelay {
 public:
  RopDelay(const config::GpuSpec& spec, std::uint32_t slice, const Clocks& clocks);

  struct Delayed {
    std::uint64_t ready;  // L2 cycle
    Part part;
  };
  // Whether the SM is in the other half of the L2. The lower half of the slices is near the
  // clusters with even numbers.
  bool is_far(std::uint32_t sm) const {
    return far_latency_ > near_latency_ && ((sm / sms_per_cluster_) % 2 != 0) != upper_half_;
  }
  void push(Part part, std::uint32_t sm, std::uint64_t cycle) {
    const bool far = is_far(sm);
    (far ? far_ : near_).push({cycle + (far ? far_latency_ : near_latency_), part});
  }
  bool empty() const { return near_.empty() && far_.empty(); }
  const Delayed& front() const { return first().front(); }
  void pop() { (&first() == &far_ ? far_ : near_).pop(); }

 private:
  const GrowingQueue<Delayed>& first() const {
    if (far_.empty()) return near_;
    return near_.empty() || far_.front().ready < near_.front().ready ? far_ : near_;
  }

  std::uint64_t near_latency_, far_latency_;  // L2 cycles
  std::uint32_t sms_per_cluster_;
  bool upper_half_;
  // They have no capacity; the outstanding requests of the SMs bound them.
  GrowingQueue<Delayed> near_, far_;
};

}  // namespace heddle::mem
