// One L2 slice with its queues: network -> fixed delay (ROP) -> L2 -> network, and L2 -> DRAM ->
// L2. One access per L2 cycle. The slice and the networks run a window of cycles one after the
// other. Neither sees what the other does to their queues before the window ends: arrivals become
// visible a link's latency later, replies carry the moment they were made, and the room that either
// has is settled in begin_window().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "mem/address_map.h"
#include "mem/cache.h"
#include "mem/dram_channel.h"
#include "mem/memory_system.h"
#include "mem/observer.h"
#include "mem/reuse_watch.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

class alignas(64) L2Slice {
 public:
  L2Slice(const config::GpuSpec& spec, std::uint32_t index, const AddressMap& map,
          TransactionPool& pool, Time period);

  struct Reply {
    Time at;  // the L2 edge that made it; the network takes it at a later edge
    Part part;
  };

  void begin_window() { arrival_room_ = arrivals_.free(), reply_room_ = replies_.free(); }

  // --- the networks' side ---
  bool can_arrive() const { return arrival_room_ > 0; }
  void arrive(std::uint32_t transaction, Time visible_at) {
    --arrival_room_, arrivals_.push({visible_at, transaction});
  }
  bool has_reply() const { return !replies_.empty(); }
  const Reply& front_reply() const { return replies_.front(); }
  void pop_reply() { replies_.pop(); }

  // L2 cycle `cycle`, which happens at `now`. Returns when the next cycle with something to do is
  // due, if nothing comes from outside before; ~0 for never.
  Time cycle(std::uint64_t cycle, Time now, Cycle core_now, AtomicUnit& atomics);

  SliceToDram& dram() { return dram_; }
  // Transactions that ended here without a reply ; the owner gives them back to the pool.
  std::vector<std::uint32_t>& ended() { return ended_; }
  Cache& cache() { return cache_; }
  const Cache& cache() const { return cache_; }
  void observe(MemoryObserver* observer) { observer_ = observer; }
  // From now on replies tell what their reads reuse.
  void watch_reuse() {
    reuse_ = std::make_unique<ReuseWatch>(cache_.spec());
    cache_.listen(reuse_.get());
  }
  bool idle() const {
    return arrivals_.empty() && delayed_size_ == 0 && accesses_.empty() && replies_.empty() &&
           cache_.idle() && dram_.requests.empty() && dram_.returns.empty();
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

  void reply(Part part);
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
  BoundedQueue<Part> accesses_;  // network -> L2
  BoundedQueue<Reply> replies_;  // L2 -> network
  std::size_t arrival_room_ = 0, reply_room_ = 0;
  Time now_ = 0;  // of the edge being run
  std::vector<std::uint32_t> ended_;
  std::vector<Delayed> delayed_;  // a ring that grows: the delay itself has no limit, what SMs may
                                  // have outstanding bounds it
  std::size_t delayed_head_ = 0, delayed_size_ = 0;
  Counts counts_;
  MemoryObserver* observer_ = nullptr;
  std::unique_ptr<ReuseWatch> reuse_;  // only where a policy asks
};

}  // namespace heddle::mem
