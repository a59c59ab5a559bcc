// The front ends of the L1 data cache with a re-execution queue (reexecution.h). In each cycle of
// the unit a bank serves a new access; without one, the L1 serves the head of the queue. While the
// queue is closed and empty, refused accesses wait as without a queue.
#pragma once

#include <cstdint>

#include "sm/lsu/direct_l1.h"
#include "sm/lsu/queued_l1.h"
#include "sm/lsu/reexecution.h"

namespace heddle::sm {

// Tries accesses, queues those that the cache refuses, and tries these again.
class Reexecution {
 public:
  Reexecution(std::uint32_t entries, L1Lookup& l1, LsuContext& context)
      : l1_(l1), context_(context), queue_(entries) {}

  ReexecutionQueue& queue() { return queue_; }
  const ReexecutionQueue& queue() const { return queue_; }
  // New accesses wait while the queue is full, and while a closed queue is not empty.
  bool accepts_new(WarpSlot warp) const { return queue_.idle() || queue_.has_room(warp); }
  // Returns whether the access was served or queued; otherwise the port of the cache is busy.
  bool serve_new(const QueuedAccess& q, SmStats& stats);
  bool can_retry() const { return !queue_.empty() && queue_.can_progress(l1_.cache().changes()); }
  void retry();

 private:
  enum class Attempt : std::uint8_t { accepted, refused, port_busy };
  Attempt try_access(const QueuedAccess& q, SmStats& stats);

  L1Lookup& l1_;
  LsuContext& context_;
  ReexecutionQueue queue_;
};

class ReexecutingQueuedL1 final : public QueuedL1 {
 public:
  ReexecutingQueuedL1(const config::SmSpec& spec, L1Lookup& l1, LsuContext& context,
                      std::uint32_t entries)
      : QueuedL1(spec, l1, context), retries_(entries, l1, context) {}

  void serve() override;
  bool is_stuck(const Op&) const override {
    return waits_for_bank([this](const Bank& bank) { return is_blocked(bank); });
  }
  Cycle next_event() const override;
  bool empty() const override { return QueuedL1::empty() && retries_.queue().empty(); }
  ReexecutionQueue* reexecution() override { return &retries_.queue(); }

 private:
  bool is_blocked(const Bank& bank) const {
    return repeats_refusal(bank) || !retries_.accepts_new(bank.queue.front().warp());
  }
  void serve_banks_or_queue();

  Reexecution retries_;
};

class ReexecutingDirectL1 final : public DirectL1 {
 public:
  ReexecutingDirectL1(L1Lookup& l1, LsuContext& context, std::uint32_t entries)
      : DirectL1(l1, context), retries_(entries, l1, context) {}

  void serve() override;
  bool is_stuck(const Op&) const override { return false; }
  Cycle next_event() const override { return retries_.can_retry() ? Cycle{} : Cycle::never(); }
  bool empty() const override { return retries_.queue().empty(); }
  ReexecutionQueue* reexecution() override { return &retries_.queue(); }

 private:
  bool send(const Op& op, OpId id, SmStats& stats) override;

  Reexecution retries_;
  bool served_new_ = false;  // in this cycle of the unit
};

}  // namespace heddle::sm
