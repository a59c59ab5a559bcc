// FR-FCFS, first-ready, first-come-first-served (Rixner et al., "Memory access scheduling", ISCA
// 2000). A free bank gets its oldest request to the open row, or else its oldest request. The
// number of row hits that may overtake the oldest request is unbounded, as in GPGPU-Sim, or
// bounded, so that row hits cannot starve it. Reads and writes share one queue, or writes have
// their own queue, which is drained between two watermarks.
#pragma once

#include <cstdint>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::mem {

struct DramRequest {
  std::uint32_t row = 0;
  std::uint16_t bank = 0;
  std::uint16_t slice = 0;  // of the channel
  std::uint32_t tag = 0;    // fetch: the L2's MSHR; forwarded write: its part
  std::uint32_t bytes = 0;
  bool write = false;
  bool wants_reply = true;    // write-backs want none
  std::uint8_t kernel = 0;    // number of the kernel that caused it
  std::uint64_t entered = 0;  // DRAM cycle of entering this queue
};

class FrFcfs {
 public:
  explicit FrFcfs(const config::DramSpec& spec);

  bool full(bool write) const {
    return write && separate_ ? writes_ >= write_capacity_
                              : (separate_ ? reads_ : reads_ + writes_) >= capacity_;
  }
  std::uint32_t size() const { return reads_ + writes_; }
  void push(const DramRequest& request);
  // Banks with a request that can be scheduled now.
  std::uint64_t banks() const { return separate_ && draining_writes_ ? waiting_[1] : waiting_[0]; }
  // Takes the next request of a bank in banks().
  DramRequest take(std::uint32_t bank, std::uint32_t open_row);

 private:
  static constexpr std::uint16_t kEnd = 0xFFFF;
  struct Node {
    DramRequest request;
    std::uint16_t next = kEnd;
  };
  struct List {
    std::uint16_t head = kEnd, tail = kEnd;
    std::uint32_t passes = 0;  // younger requests that have overtaken the head
  };
  void choose_mode();

  bool separate_;
  std::uint32_t capacity_, write_capacity_, write_high_, write_low_, max_passes_;
  bool draining_writes_ = false;
  std::uint32_t reads_ = 0, writes_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint16_t> free_;
  std::vector<List> lists_[2];         // per bank, oldest first; [1]: writes when separate
  std::uint64_t waiting_[2] = {0, 0};  // banks whose list is not empty
};

}  // namespace heddle::mem
