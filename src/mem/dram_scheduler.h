// First-ready, first-come-first-served (Rixner et al., "Memory access scheduling", ISCA 2000): for
// a bank that is free, the oldest request to its open row, else its oldest request. Row hits may
// pass the oldest any number of times, as in GPGPU-Sim, or a bounded one, so that a stream of them
// cannot starve it. Reads and writes share one queue, or writes have one of their own which is
// drained between two watermarks.
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
  // Banks that have something to be scheduled now.
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
    std::uint32_t passes = 0;  // younger requests taken before the head since it became the head
  };
  void choose_mode();

  bool separate_;
  std::uint32_t capacity_, write_capacity_, write_high_, write_low_, most_passes_;
  bool draining_writes_ = false;
  std::uint32_t reads_ = 0, writes_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint16_t> free_;
  std::vector<List> lists_[2];         // per bank, oldest first; [1]: writes when separate
  std::uint64_t waiting_[2] = {0, 0};  // banks with a list that is not empty
};

}  // namespace heddle::mem
