// One DRAM channel. Requests of its L2 slices wait for a fixed delay, then enter the scheduler's
// queue. Each bank serves one request at a time; the channel issues one command per DRAM cycle;
// data return in order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "mem/dram/dram_queue.h"
#include "mem/dram/dram_timing.h"
#include "mem/dram/slice_credits.h"
#include "mem/dram_edges.h"
#include "mem/memory_stats.h"
#include "mem/observer.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

// The queues between one L2 slice and its channel.
struct SliceToDram {
  SliceToDram(std::size_t down, std::size_t up) : requests(down), returns(up) {}
  BoundedQueue<DramRequest> requests;
  BoundedQueue<DramRequest> returns;
};

class alignas(64) DramChannel {
 public:
  // slices[i]: the queues of slice i of this channel; they outlive it, as does `edges`.
  // request_delay: the fixed delay before the scheduler's queue.
  DramChannel(const config::DramSpec& spec, std::vector<SliceToDram*> slices,
              const DramEdges& edges, std::uint32_t request_delay, bool gpgpusim_arbitration);

  // Simulates DRAM cycle `cycle`, which is at `time`. Cycles before quiet_until() may be skipped.
  void cycle(std::uint64_t cycle, Time time);
  // The first cycle after the last simulated one in which something may change, unless a slice
  // sends a request before.
  std::uint64_t quiet_until() const { return quiet_until_; }
  // The end of the fixed delay of the first request in it, which also wakes the channel; ~0: none.
  Time first_delayed() const { return delayed_.empty() ? ~Time{0} : delayed_.front().ready; }
  bool idle() const { return inside_ == 0; }

  void observe(MemoryObserver* observer, std::uint32_t index) {
    observer_ = observer, index_ = index;
  }

  const DramStats& stats() const { return stats_; }
  // See MemorySystem::count_by_kernel().
  void count_by_kernel(std::size_t kernels) { by_kernel_.resize(kernels); }
  DramStats of_kernel(std::size_t kernel) const { return by_kernel_.at(kernel); }

 private:
  struct Bank {
    bool busy = false;
    std::uint32_t bytes_left = 0;
    std::uint64_t not_before = 0;  // its next command comes in this cycle or later
    DramRequest request;
  };
  struct Burst {
    std::uint64_t done;
    bool last;
    DramRequest request;
  };
  struct Delayed {
    Time ready;
    DramRequest request;
  };

  void account(std::uint64_t cycle);
  // Counts an event of the request: count(statistics) adds to them.
  template <class F>
  void count_for(const DramRequest& request, F&& count) {
    count(stats_);
    if (!by_kernel_.empty()) [[unlikely]]
      count(by_kernel_[request.origin.kernel]);
  }
  void return_to_slice();
  void finish_bursts(std::uint64_t cycle);
  void schedule(std::uint64_t cycle);
  void issue_commands(std::uint64_t cycle);
  void issue_column(std::uint32_t bank, std::uint64_t cycle);
  void issue_row(std::uint32_t bank, std::uint64_t cycle);
  std::uint64_t next_command(std::uint32_t bank) const;
  void accept(Time time);
  void enter_queue(std::uint64_t cycle, Time time);
  std::uint64_t look_ahead(std::uint64_t cycle);

  config::DramSpec spec_;
  std::vector<SliceToDram*> slices_;
  struct Delay {
    const DramEdges& edges;
    std::uint32_t core_cycles;
  } request_delay_;
  DramTiming timing_;
  DramQueue queue_;
  std::vector<Bank> banks_;
  std::uint64_t busy_banks_ = 0;
  std::uint32_t first_bank_ = 0;  // the bank that is examined first
  struct Arbitration {
    bool as_gpgpusim;  // see config::MemorySpec::gpgpusim_arbitration
    std::uint32_t last_slice;
  } arbitration_;
  SliceCredits credits_;
  BoundedQueue<Delayed> delayed_;
  BoundedQueue<Burst> bursts_;
  BoundedQueue<DramRequest> returns_;
  std::uint64_t inside_ = 0;  // requests accepted and not yet returned
  std::uint64_t last_cycle_ = 0, quiet_until_ = 0;
  DramStats stats_;
  std::vector<DramStats> by_kernel_;  // empty: not counted
  MemoryObserver* observer_ = nullptr;
  std::uint32_t index_ = 0;  // as the observer knows this channel
};

}  // namespace heddle::mem
