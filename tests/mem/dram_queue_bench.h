// The queue of a DRAM channel under a scheduler. Tests know requests by their tags.
#pragma once

#include <string>

#include "mem/dram/dram_queue.h"

namespace heddle::mem {

class DramQueueBench {
 public:
  explicit DramQueueBench(const std::string& scheduler, config::DramSpec spec = {})
      : queue_((spec.scheduler = scheduler, spec)) {}
  void push(std::uint32_t bank, std::uint32_t row, std::uint32_t tag, bool write = false) {
    DramRequest request;
    request.bank = static_cast<std::uint16_t>(bank);
    request.row = row;
    request.tag = tag;
    request.write = write;
    queue_.push(request);
  }
  bool full() const { return queue_.full(false); }
  std::uint64_t banks() const { return queue_.banks(); }
  std::uint32_t take(std::uint32_t bank, std::uint32_t open_row) {
    return queue_.take(bank, open_row).tag;
  }

 private:
  DramQueue queue_;
};

}  // namespace heddle::mem
