// One L2 slice with its queues: network -> fixed delay (ROP) -> L2 -> network, and L2 -> DRAM -> L2. One access per L2 cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "mem/address_map.h"
#include "mem/cache.h"
#include "mem/dram_channel.h"
#include "mem/memory_system.h"
#include "mem/observer.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

class L2Slice {
 public:
  L2Slice(const config::GpuSpec& spec, std::uint32_t index, const AddressMap& map, TransactionPool& pool, Time period);

  // --- the network's side ---
  bool can_arrive() const { return !arrivals_.full(); }
  void arrive(std::uint32_t transaction, Time visible_at) { arrivals_.push({visible_at, transaction}); }
  bool has_reply() const { return !replies_.empty(); }
  Part front_reply() const { return replies_.front(); }
  Part pop_reply();

  // L2 cycle `cycle`, which happens at `now`. Returns when the next cycle with something to do is due, if nothing comes from
  // outside before; ~0 for never.
  Time cycle(std::uint64_t cycle, Time now, Cycle core_now, AtomicUnit& atomics);

  SliceToDram& dram() { return dram_; }
  Cache& cache() { return cache_; }
  const Cache& cache() const { return cache_; }
  void observe(MemoryObserver* observer) { observer_ = observer; }
  bool idle() const {
    return arrivals_.empty() && delayed_size_ == 0 && accesses_.empty() && replies_.empty() && cache_.idle() &&
           dram_.requests.empty() && dram_.returns.empty();
  }

  struct Counts {
    std::uint64_t atomics = 0, parts_in = 0, parts_out = 0, parts_silent = 0, time_down = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Arrival {
    Time visible_at;
    std::uint32_t transaction;
  };
  struct Delayed {
    std::uint64_t ready;
    Part part;
  };

  void take_arrival(std::uint64_t cycle, Time now, Cycle core_now, AtomicUnit& atomics);
  void split(std::uint32_t transaction, std::uint64_t ready);
  void push_delayed(const Delayed& delayed);
  void answer_ready();
  void take_return(std::uint64_t cycle);
  void send_miss();
  void access(std::uint64_t cycle);
  void leave_delay(std::uint64_t cycle);
  Request request_for(Part part) const;
  void finish_silently(Part part);

  bool sectored_;
  std::uint32_t index_;
  std::uint32_t rop_latency_;
  Time period_;
  const AddressMap& map_;
  TransactionPool& pool_;
  Cache cache_;
  SliceToDram dram_;
  BoundedQueue<Arrival> arrivals_;
  BoundedQueue<Part> accesses_;   // network -> L2
  BoundedQueue<Part> replies_;    // L2 -> network
  std::vector<Delayed> delayed_;  // a ring that grows: the delay itself has no limit, what SMs may have outstanding bounds it
  std::size_t delayed_head_ = 0, delayed_size_ = 0;
  Counts counts_;
  MemoryObserver* observer_ = nullptr;
};

}  // namespace heddle::mem
