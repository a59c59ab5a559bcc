// The fixed delay between the arrival of a request at an L2 slice and its access,
// memory.rop_latency, and from the other half of the L2 memory.far_latency more. They end it in
// the order in which their delays end. A read of a line from the other half puts a copy there,
// which serves later reads of that half as if it were near, until the line is written: each half
// caches the data that its SMs access (NVIDIA A100 white paper).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

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
  // parts: a bit for the sector of each (see Part).
  struct Arrival {
    std::uint32_t transaction;
    std::uint8_t parts;
    std::uint32_t cluster;
    std::uint64_t line;  // number in the slice
    bool reads;
  };
  // The transaction's parts begin their delay.
  void push(const Arrival& a, std::uint64_t cycle) {
    const bool far = waits_for_other_half(a, cycle);
    (far ? far_ : near_)
        .push({cycle + (far ? far_latency_ : near_latency_), a.transaction, a.parts});
    find_first();
  }
  // The L2 has been emptied.
  void forget_copies() { std::fill(copies_.begin(), copies_.end(), Copy{}); }
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
  // Of a line in the other half, complete from the L2 cycle `ready` on.
  struct Copy {
    std::uint64_t line = ~std::uint64_t{0}, ready = 0;
  };
  bool waits_for_other_half(const Arrival& a, std::uint64_t cycle) {
    if (copies_.empty()) return false;
    const bool far = is_far(a.cluster);
    Copy& copy = copies_[a.line % copies_.size()];
    if (copy.line == a.line && a.reads) return far && copy.ready > cycle;
    if (copy.line == a.line) copy = {};
    if (far && a.reads) copy = {a.line, cycle + far_latency_};
    return far;
  }
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
  std::vector<Copy> copies_;  // by line number modulo their number, as many as the slice has lines
};

}  // namespace heddle::mem
