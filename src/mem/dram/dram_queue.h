// The requests of a DRAM channel that wait for their banks. A DRAM scheduler (dram_scheduler.h)
// chooses among them. Reads and writes share one queue, or writes have their own queue, which is
// drained between two watermarks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/gpu_spec.h"
#include "mem/dram/dram_scheduler.h"

namespace heddle::mem {

class DramQueue {
 public:
  explicit DramQueue(const config::DramSpec& spec);

  bool full(bool write) const {
    return write && separate_ ? writes_ >= write_capacity_
                              : (separate_ ? reads_ : reads_ + writes_) >= capacity_;
  }
  std::uint32_t size() const { return reads_ + writes_; }
  void push(const DramRequest& request);
  // Banks with a request that can be scheduled now.
  std::uint64_t banks() const { return banks_; }
  // Takes the next request of a bank in banks().
  DramRequest take(std::uint32_t bank, std::uint32_t open_row);

 private:
  struct List {
    std::uint16_t head = WaitingRequests::kEnd, tail = WaitingRequests::kEnd;
  };
  int mode() const { return separate_ && draining_writes_; }
  void choose();

  bool separate_;
  std::uint32_t capacity_, write_capacity_, write_high_, write_low_;
  bool draining_writes_ = false;
  std::uint32_t reads_ = 0, writes_ = 0;
  std::uint64_t arrivals_ = 0;
  std::vector<WaitingRequests::Node> nodes_;
  std::vector<std::uint16_t> free_;
  std::vector<List> lists_[2];         // per bank, oldest first; [1]: writes when separate
  std::uint64_t waiting_[2] = {0, 0};  // banks whose list is not empty
  std::uint64_t banks_ = 0;            // the scheduler's answer, until the next change
  std::unique_ptr<DramScheduler> scheduler_;
};

}  // namespace heddle::mem
