#include "mem/dram_scheduler.h"

#include "base/diagnostics.h"

namespace heddle::mem {

FrFcfs::FrFcfs(const config::DramSpec& spec)
    : separate_(spec.separate_writes),
      capacity_(spec.frfcfs_queue),
      write_capacity_(spec.write_queue),
      write_high_(spec.write_high),
      write_low_(spec.write_low),
      max_passes_(spec.frfcfs_passes),
      nodes_(capacity_ + (separate_ ? write_capacity_ : 0)) {
  if (spec.banks == 0 || spec.banks > 64) throw UserError("memory.dram.banks must be 1 to 64");
  if (capacity_ == 0 || nodes_.size() >= kEnd)
    throw UserError("memory.dram.frfcfs_queue must be 1 to 65000");
  for (std::size_t i = nodes_.size(); i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
  for (auto& lists : lists_) lists.resize(spec.banks);
}

void FrFcfs::push(const DramRequest& request) {
  check_invariant(!full(request.write), "a request entered a full DRAM queue");
  const std::uint16_t node = free_.back();
  free_.pop_back();
  nodes_[node] = {request, kEnd};
  const int which = separate_ && request.write;
  List& list = lists_[which][request.bank];
  if (list.head == kEnd)
    list.head = node;
  else
    nodes_[list.tail].next = node;
  list.tail = node;
  waiting_[which] |= std::uint64_t{1} << request.bank;
  ++(request.write ? writes_ : reads_);
  choose_mode();
}

DramRequest FrFcfs::take(std::uint32_t bank, std::uint32_t open_row) {
  const int which = separate_ && draining_writes_;
  List& list = lists_[which][bank];
  std::uint16_t before = kEnd, found = list.head;
  const bool starved = max_passes_ && list.passes >= max_passes_;
  while (!starved && found != kEnd && nodes_[found].request.row != open_row) {
    before = found;
    found = nodes_[found].next;
  }
  if (found == kEnd) {  // no row hit: the oldest
    before = kEnd;
    found = list.head;
  }
  list.passes = found == list.head ? 0 : list.passes + 1;
  const Node node = nodes_[found];
  (before == kEnd ? list.head : nodes_[before].next) = node.next;
  if (list.tail == found) list.tail = before;
  if (list.head == kEnd) waiting_[which] &= ~(std::uint64_t{1} << bank);
  free_.push_back(found);
  --(node.request.write ? writes_ : reads_);
  choose_mode();
  return node.request;
}

void FrFcfs::choose_mode() {
  if (!separate_) return;
  if (!draining_writes_)
    draining_writes_ = writes_ >= write_high_ || (reads_ == 0 && writes_ > 0);
  else if (writes_ == 0 || (writes_ < write_low_ && reads_ > 0))
    draining_writes_ = false;
}

}  // namespace heddle::mem
