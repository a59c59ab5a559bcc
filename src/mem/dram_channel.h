// One DRAM channel: requests of its L2 slices wait a fixed time, then compete in the scheduler's
// queue; each bank works on one request; one command goes out per DRAM cycle; data come back in
// order. Timing as in GPGPU-Sim's GDDR model.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "mem/dram_scheduler.h"
#include "mem/memory_stats.h"
#include "mem/observer.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

// The queues of one L2 slice towards its channel and back.
struct SliceToDram {
  SliceToDram(std::size_t down, std::size_t up) : requests(down), returns(up) {}
  BoundedQueue<DramRequest> requests;
  BoundedQueue<DramRequest> returns;
};

class alignas(64) DramChannel {
 public:
  // slices[i]: queues of slice i of this channel; they outlive it. request_delay: the fixed wait
  // before the queue.
  DramChannel(const config::DramSpec& spec, std::vector<SliceToDram*> slices, Time request_delay);

  // DRAM cycle `cycle`, which happens at `time`. Cycles may be left out while quiet_until() says
  // so.
  void cycle(std::uint64_t cycle, Time time);
  // The first DRAM cycle after the last one run in which something may happen, if no slice sends
  // anything before.
  std::uint64_t quiet_until() const { return quiet_until_; }
  // Requests in the fixed delay also wake the channel: the time of the first; ~0 when none.
  Time first_delayed() const { return delayed_.empty() ? ~Time{0} : delayed_.front().ready; }
  bool idle() const { return inside_ == 0; }

  void observe(MemoryObserver* observer, std::uint32_t index) {
    observer_ = observer, index_ = index;
  }

  const DramStats& stats() const { return stats_; }

 private:
  struct Bank {
    bool active = false, busy = false;
    std::uint32_t row = 0;
    std::uint32_t bytes_left = 0;
    DramRequest request;
    std::uint64_t activate_at = 0, read_at = 0, write_at = 0,
                  precharge_at = 0;  // earliest cycles of commands, as far as this bank decides
  };
  struct Group {
    std::uint64_t column_at = 0, precharge_at = 0;
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
  void return_to_slice();
  void finish_bursts(std::uint64_t cycle);
  void schedule(std::uint64_t cycle);
  void issue_commands(std::uint64_t cycle);
  bool issue_column(std::uint32_t bank, std::uint64_t cycle);
  bool issue_row(std::uint32_t bank, std::uint64_t cycle);
  std::uint64_t next_command(const Bank& bank, std::uint32_t index) const;
  void accept(Time time);
  void enter_queue(std::uint64_t cycle, Time time);
  std::uint64_t look_ahead(std::uint64_t cycle) const;
  bool has_credit(std::size_t slice) const;
  void return_credit(std::size_t slice);
  // Neighbouring banks are of different groups, so that one stream alternates between groups
  // (GPGPU-Sim's bank group indexing by low bits).
  Group& group_of(std::uint32_t bank) { return groups_[bank & (spec_.bank_groups - 1)]; }
  const Group& group_of(std::uint32_t bank) const {
    return groups_[bank & (spec_.bank_groups - 1)];
  }

  config::DramSpec spec_;
  std::vector<SliceToDram*> slices_;
  Time request_delay_;
  std::uint32_t burst_cycles_, read_to_write_, write_to_read_, write_to_precharge_,
      activate_to_write_;
  FrFcfs queue_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::uint64_t busy_banks_ = 0;
  std::uint64_t column_at_ = 0, activate_at_ = 0, read_at_ = 0,
                write_at_ = 0;                     // earliest cycles, as far as the channel decides
  std::array<std::uint64_t, 4> last_activates_{};  // their cycles
  std::uint64_t activates_ = 0;
  std::uint32_t turn_ = 0;  // bank that is asked first
  std::uint32_t last_slice_ = 0;
  std::vector<std::uint32_t> credits_used_;
  std::uint32_t shared_credits_used_ = 0, shared_credits_;
  BoundedQueue<Delayed> delayed_;
  BoundedQueue<Burst> bursts_;
  BoundedQueue<DramRequest> returns_;
  std::uint64_t inside_ = 0;  // requests accepted and not yet returned
  std::uint64_t last_cycle_ = 0, quiet_until_ = 0;
  DramStats stats_;
  MemoryObserver* observer_ = nullptr;
  std::uint32_t index_ = 0;  // as the observer knows this channel
};

}  // namespace heddle::mem
