// The fixed delay between the arrival of a request at an L2 slice and its access,
// memory.rop_latency, and from the other half of the L2 memory.far_latency more. They end it in
// the order in which their delays end.
#pragma once

#include <bit>
#include <cstdint>

#include "config/gpu_spec.h"
#include "mem/clocks.h"
#include "mem/growing_queue.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

class RopDelay {
 public:
  RopDelay(const config::GpuSpec& spec, std::uint32_t slice, const Clocks& clocks);

  // Whether the cluster is in the other half of the L2. The lower half of the slices is near the
  // clusters with even numbers.
  bool is_far(std::uint32_t cluster) const {
    return far_latency_ > near_latency_ && (cluster % 2 != 0) != upper_half_;
  }
  // The transaction's parts begin their delay. parts: a bit for the sector of each (see Part).
  void push(std::uint32_t transaction, std::uint8_t parts, std::uint32_t cluster,
            std::uint64_t cycle) {
    const bool far = is_far(cluster);
    (far ? far_ : near_).push({cycle + (far ? far_latency_ : near_latency_), transaction, parts});
    find_first();
  }
  bool empty() const { return ready_ == kNever; }
  // The L2 cycle in which the first part ends its delay; kNever: there is none.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::uint64_t ready() const { return ready_; }
  Part front() const { return first().front().part(); }
  void pop() {
    GrowingQueue<Delayed>& from = first_is_far_ ? far_ : near_;
    Delayed& delayed = from.front();
    delayed.parts &= static_cast<std::uint8_t>(delayed.parts - 1);
    if (delayed.parts != 0) return;
    from.pop();
    find_first();
  }

 private:
  struct Delayed {
    std::uint64_t ready;  // L2 cycle
    std::uint32_t transaction;
    std::uint8_t parts;  // those that have not ended it
    Part part() const {
      return Part::of(transaction, static_cast<std::uint32_t>(std::countr_zero(parts)));
    }
  };
  const GrowingQueue<Delayed>& first() const { return first_is_far_ ? far_ : near_; }
  void find_first() {
    first_is_far_ = !far_.empty() && (near_.empty() || far_.front().ready < near_.front().ready);
    ready_ = first().empty() ? kNever : first().front().ready;
  }

  std::uint64_t near_latency_, far_latency_;  // L2 cycles
  bool upper_half_, first_is_far_ = false;
  std::uint64_t ready_ = kNever;
  // They have no capacity; the outstanding requests of the SMs bound them.
  GrowingQueue<Delayed> near_, far_;
};

}  // namespace heddle::mem
