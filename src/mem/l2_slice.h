// One L2 slice with its queues: network -> fixed delay (ROP) -> L2 -> network, and L2 -> DRAM ->
// L2. It serves one access per L2 cycle. The slice and the networks simulate a window of cycles one
// after the other. Within a window neither sees what the other does to their queues: arrivals
// become visible after the latency of a link, replies carry the time at which they were made, and
// begin_window() updates the free entries that each side knows of.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "mem/address_map.h"
#include "mem/arrival_buffer.h"
#include "mem/cache.h"
#include "mem/clocks.h"
#include "mem/dram_channel.h"
#include "mem/flit_count.h"
#include "mem/memory_system.h"
#include "mem/observer.h"
#include "mem/reuse_watch.h"
#include "mem/rop_delay.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

class alignas(64) L2Slice {
 public:
  L2Slice(const config::GpuSpec& spec, std::uint32_t index, const AddressMap& map,
          const FlitCount& flits_of, TransactionPool& pool, const Clocks& clocks);

  // What the reply network needs to know of a reply until it delivers it.
  struct Reply {
    Time at;        // the L2 edge that made it; the network accepts it at a later edge
    Cycle reached;  // the core cycle in which its request reached the slice
    Part part;
    std::uint16_t flits;
    std::uint8_t cluster;
    bool carries_data;
  };

  void begin_window() {
    arrivals_.begin_window();
    reply_room_ = replies_.free();
  }

  // It has something to answer, for which the network side of its queue had no place.
  bool waits_for_room() const {
    return reply_room_ == 0 && (!accesses_.empty() || cache_.has_ready());
  }

  // --- the networks' side ---
  ArrivalBuffer& arrivals() { return arrivals_; }
  bool takes_arrival() const { return accesses_.free() >= slice_room_; }
  BoundedQueue<Reply>& replies() { return replies_; }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  // Simulates L2 cycle `cycle`, and those that follow it immediately: while they change something,
  // are before `limit`, and no request waits for DRAM. Nothing else in the partition may happen in
  // the second and later cycles. Returns the next cycle that changes something, unless a request or
  // a DRAM reply arrives before, or kNever. The first cycle of a window changes something when the
  // slice waited for room and begin_window() has found some.
  std::uint64_t run(std::uint64_t cycle, Time limit, CycleCounter& core, AtomicUnit& atomics);
  // The edge that was simulated last.
  Time now() const { return now_; }

  SliceToDram& dram() { return dram_; }
  // Transactions that ended here without a reply; the owner returns them to the pool.
  std::vector<std::uint32_t>& ended() { return ended_; }
  Cache& cache() { return cache_; }
  void empty() {
    cache_.invalidate_all();
    delayed_.forget_copies();
  }
  void observe(MemoryObserver* observer) { observer_ = observer; }
  // From now on replies report which lines their reads reuse.
  void watch_reuse() {
    reuse_ = std::make_unique<ReuseWatch>(cache_.spec());
    cache_.listen(reuse_.get());
  }
  bool idle() const {
    return arrivals_.empty() && delayed_.empty() && accesses_.empty() && replies_.empty() &&
           cache_.idle() && dram_.requests.empty() && dram_.returns.empty();
  }

  struct Counts {
    std::uint64_t atomics = 0, parts_in = 0, parts_out = 0, parts_silent = 0, time_down = 0;
  };
  const Counts& counts() const { return counts_; }
  // See MemorySystem::count_by_kernel().
  void count_by_kernel(std::size_t kernels) { by_kernel_.resize(kernels); }
  CacheStats of_kernel(std::size_t kernel) const { return by_kernel_.at(kernel); }
  CacheStats stats() const;  // of the cache, for all kernels
  void check_conservation() const {
    stats().check_conservation();
    cache_.mshrs().check_conservation();
  }

 private:
  std::uint64_t next_cycle(std::uint64_t cycle) const;
  void reply(Part part);
  void take_arrival(std::uint64_t cycle, CycleCounter& core, AtomicUnit& atomics);
  void split(std::uint32_t transaction, std::uint64_t cycle);
  void take_return(std::uint64_t cycle);
  void send_miss();
  void access(std::uint64_t cycle);
  void end_delay();
  void finish_silently(Part part);

  std::uint32_t index_;
  std::uint32_t slice_room_;  // free places of accesses_ that an arrival needs
  Time period_;
  const AddressMap& map_;
  const FlitCount& flits_of_;
  TransactionPool& pool_;
  Cache cache_;
  SliceToDram dram_;
  ArrivalBuffer arrivals_;
  BoundedQueue<Part> accesses_;  // network -> L2
  BoundedQueue<Reply> replies_;  // L2 -> network
  std::size_t reply_room_ = 0;
  Time now_ = 0;  // see now()
  std::vector<std::uint32_t> ended_;
  RopDelay delayed_;
  Counts counts_;
  CacheStats counted_;                 // what counts for no kernel
  std::vector<CacheStats> by_kernel_;  // empty: not counted
  MemoryObserver* observer_ = nullptr;
  std::unique_ptr<ReuseWatch> reuse_;  // null unless a policy subscribed to l2_reuse
};

}  // namespace heddle::mem
