// The interface of DRAM schedulers: which bank of a channel gets a request next, and which one. One
// object serves one channel. The queue (dram_queue.h) decides between reads and writes when they
// wait in queues of their own. Guide: docs/write-a-memory-policy.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mem/packet.h"

namespace heddle::mem {

struct DramRequest {
  std::uint32_t row = 0;
  std::uint16_t bank = 0;
  std::uint16_t slice = 0;  // of the channel
  std::uint32_t tag = 0;    // fetch: the L2's MSHR; forwarded write: its part
  Origin origin;
  std::uint16_t bytes = 0;
  bool write = false;
  bool wants_reply = true;    // write-backs want none
  std::uint64_t entered = 0;  // DRAM cycle of entering this queue
};

// The requests that wait for one bank, the oldest first.
class WaitingRequests {
 public:
  static constexpr std::uint16_t kEnd = 0xFFFF;
  struct Node {
    DramRequest request;
    std::uint64_t arrival = 0;  // requests of the channel before it
    std::uint16_t next = kEnd;
  };
  class Iterator {
   public:
    using value_type = DramRequest;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Node* nodes, std::uint16_t at) : nodes_(nodes), at_(at) {}
    const DramRequest& operator*() const { return nodes_[at_].request; }
    const DramRequest* operator->() const { return &nodes_[at_].request; }
    Iterator& operator++() {
      before_ = at_;
      at_ = nodes_[at_].next;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    std::uint64_t arrival() const { return nodes_[at_].arrival; }
    std::uint16_t node() const { return at_; }
    std::uint16_t before() const { return before_; }  // the node before; kEnd: none

   private:
    const Node* nodes_ = nullptr;
    std::uint16_t at_ = kEnd, before_ = kEnd;
  };

  WaitingRequests(const Node* nodes, std::uint16_t head) : nodes_(nodes), head_(head) {}
  Iterator begin() const { return {nodes_, head_}; }
  Iterator end() const { return {nodes_, kEnd}; }

 private:
  const Node* nodes_;
  std::uint16_t head_;
};

struct BankTurn {
  std::uint32_t bank = 0;
  std::uint32_t open_row = 0;  // or the row that was open last
  bool writes = false;         // the requests come from the separate queue of writes
};

class DramScheduler {
 public:
  virtual ~DramScheduler() = default;
  // Whether only the bank with the channel's oldest request may get one.
  virtual bool in_order() const { return false; }
  // The request that the bank gets. It is then taken out of the queue.
  virtual WaitingRequests::Iterator next(const WaitingRequests& requests, const BankTurn& turn) = 0;
};

}  // namespace heddle::mem
