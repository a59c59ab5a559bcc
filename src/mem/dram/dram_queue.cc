#include "mem/dram/dram_queue.h"

#include <bit>

#include "base/diagnostics.h"
#include "mem/catalogue.h"

namespace heddle::mem {

namespace {
constexpr std::uint16_t kEnd = WaitingRequests::kEnd;
}

DramQueue::DramQueue(const config::DramSpec& spec)
    : separate_(spec.separate_writes),
      capacity_(spec.frfcfs_queue),
      write_capacity_(spec.write_queue),
      write_high_(spec.write_high),
      write_low_(spec.write_low),
      nodes_(capacity_ + (separate_ ? write_capacity_ : 0)),
      scheduler_(policies::parse<DramSchedulerEntry>(spec.scheduler)->build(spec)) {
  if (spec.banks == 0 || spec.banks > 64) throw UserError("memory.dram.banks must be 1 to 64");
  if (capacity_ == 0 || nodes_.size() >= kEnd)
    throw UserError("memory.dram.frfcfs_queue must be 1 to 65000");
  for (std::size_t i = nodes_.size(); i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
  for (auto& lists : lists_) lists.resize(spec.banks);
}

void DramQueue::push(const DramRequest& request) {
  check_invariant(!full(request.write), "a request entered a full DRAM queue");
  const std::uint16_t node = free_.back();
  free_.pop_back();
  nodes_[node] = {request, arrivals_++, kEnd};
  const int which = separate_ && request.write;
  List& list = lists_[which][request.bank];
  (list.head == kEnd ? list.head : nodes_[list.tail].next) = node;
  list.tail = node;
  waiting_[which] |= std::uint64_t{1} << request.bank;
  ++(request.write ? writes_ : reads_);
  choose();
}

DramRequest DramQueue::take(std::uint32_t bank, std::uint32_t open_row) {
  const int which = mode();
  List& list = lists_[which][bank];
  const auto at = scheduler_->next({nodes_.data(), list.head}, {bank, open_row, which == 1});
  const WaitingRequests::Node node = nodes_[at.node()];
  (at.before() == kEnd ? list.head : nodes_[at.before()].next) = node.next;
  if (list.tail == at.node()) list.tail = at.before();
  if (list.head == kEnd) waiting_[which] &= ~(std::uint64_t{1} << bank);
  free_.push_back(at.node());
  --(node.request.write ? writes_ : reads_);
  choose();
  return node.request;
}

// Between reads and writes, and between banks.
void DramQueue::choose() {
  if (separate_ && !draining_writes_)
    draining_writes_ = writes_ >= write_high_ || (reads_ == 0 && writes_ > 0);
  else if (separate_ && (writes_ == 0 || (writes_ < write_low_ && reads_ > 0)))
    draining_writes_ = false;
  const auto& lists = lists_[mode()];
  banks_ = waiting_[mode()];
  if (banks_ == 0 || !scheduler_->in_order()) return;
  auto oldest = static_cast<std::size_t>(std::countr_zero(banks_));
  for (std::uint64_t rest = banks_; rest; rest &= rest - 1) {
    const auto bank = static_cast<std::size_t>(std::countr_zero(rest));
    if (nodes_[lists[bank].head].arrival < nodes_[lists[oldest].head].arrival) oldest = bank;
  }
  banks_ = std::uint64_t{1} << oldest;
}

}  // namespace heddle::mem
