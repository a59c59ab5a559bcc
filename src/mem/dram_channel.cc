#include "mem/dram_channel.h"

#include <algorithm>
#include <bit>

namespace heddle::mem {

namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

// The requests that a channel can hold in addition to one for each slice.
std::uint32_t shared_credits(const config::DramSpec& spec, std::size_t slices) {
  const std::uint32_t room =
      spec.frfcfs_queue + spec.return_queue + (spec.separate_writes ? spec.write_queue : 0);
  return room > slices ? room - static_cast<std::uint32_t>(slices - 1) : 1;
}

}  // namespace

DramChannel::DramChannel(const config::DramSpec& spec, std::vector<SliceToDram*> slices,
                         Time request_delay)
    : spec_(spec),
      slices_(std::move(slices)),
      request_delay_(request_delay),
      burst_cycles_(std::max(1u, spec.burst / spec.ratio)),
      read_to_write_(spec.cl + burst_cycles_ + 2 - std::min(spec.wl, spec.cl + burst_cycles_ + 2)),
      write_to_read_(spec.wl + burst_cycles_ + spec.cdlr),
      write_to_precharge_(spec.wl + burst_cycles_ + spec.wr),
      activate_to_write_(spec.rcd > spec.wl + 1 ? spec.rcd - (spec.wl + 1) : 0),
      group_shift_(spec.bank_group_bits == config::BankGroupBits::low
                       ? 0
                       : static_cast<std::uint32_t>(std::bit_width(spec.banks) -
                                                    std::bit_width(spec.bank_groups))),
      queue_(spec),
      banks_(spec.banks),
      groups_(spec.bank_groups),
      credits_used_(slices_.size()),
      shared_credits_(shared_credits(spec, slices_.size())),
      delayed_(shared_credits_ + slices_.size()),
      bursts_(spec.cl + 1),
      returns_(std::max(spec.return_queue, 1u)) {
  if (!std::has_single_bit(spec.banks) || !std::has_single_bit(spec.bank_groups) ||
      spec.bank_groups > spec.banks)
    throw UserError(
        "memory.dram.banks and bank_groups must be powers of two, with no more groups than banks");
}

void DramChannel::cycle(std::uint64_t cycle, Time time) {
  account(cycle);
  return_to_slice();
  finish_bursts(cycle);
  schedule(cycle);
  issue_commands(cycle);
  accept(time);
  enter_queue(cycle, time);
  if (observer_) observer_->dram_queue(index_, cycle, queue_.size());
  quiet_until_ = look_ahead(cycle);
}

// In skipped cycles the state was that after the last simulated cycle.
void DramChannel::account(std::uint64_t cycle) {
  const std::uint64_t passed = cycle - last_cycle_;
  last_cycle_ = cycle;
  if (busy_banks_ == 0 && queue_.size() == 0) return;
  stats_.active_cycles += passed;
  stats_.busy_bank_cycles += passed * static_cast<std::uint64_t>(std::popcount(busy_banks_));
  stats_.queue_occupancy += passed * queue_.size();
}

void DramChannel::return_to_slice() {
  if (returns_.empty()) return;
  SliceToDram& slice = *slices_[returns_.front().slice];
  if (slice.returns.full()) return;
  return_credit(returns_.front().slice);
  slice.returns.push(returns_.pop());
  --inside_;
}

void DramChannel::finish_bursts(std::uint64_t cycle) {
  if (bursts_.empty() || bursts_.front().done > cycle || returns_.full()) return;
  const Burst burst = bursts_.pop();
  if (!burst.last) return;
  count_for(burst.request, [&](DramStats& stats) {
    ++stats.requests;
    stats.request_cycles += cycle - burst.request.entered;
    if (!burst.request.write)
      ++stats.read_requests, stats.read_request_cycles += cycle - burst.request.entered;
  });
  if (burst.request.wants_reply) {
    returns_.push(burst.request);
  } else {
    return_credit(burst.request.slice);
    --inside_;
  }
}

// Moves one request per cycle from the queue to a free bank.
void DramChannel::schedule(std::uint64_t cycle) {
  const std::uint64_t free = queue_.banks() & ~busy_banks_;
  if (!free) return;
  const std::uint64_t from_first = free & (kNever << first_bank_);
  const auto index = static_cast<std::uint32_t>(std::countr_zero(from_first ? from_first : free));
  Bank& bank = banks_[index];
  bank.request = queue_.take(index, bank.row);
  bank.bytes_left = bank.request.bytes;
  bank.busy = true;
  busy_banks_ |= std::uint64_t{1} << index;
  count_for(bank.request, [&](DramStats& stats) {
    if (!bank.request.write) stats.read_queue_cycles += cycle - bank.request.entered;
    ++(bank.active && bank.row == bank.request.row ? stats.row_hits : stats.row_misses);
  });
  first_bank_ = (first_bank_ + 1) % spec_.banks;
}

void DramChannel::issue_commands(std::uint64_t cycle) {
  bool column = false, row = false;
  const std::uint64_t high = busy_banks_ & (kNever << first_bank_);
  for (std::uint64_t part : {high, busy_banks_ & ~high}) {
    for (; part; part &= part - 1) {
      const auto bank = static_cast<std::uint32_t>(std::countr_zero(part));
      if (!column) column = issue_column(bank, cycle);
      if (!row && (spec_.dual_command_bus || !column)) row = issue_row(bank, cycle);
      if (spec_.dual_command_bus ? column && row : column || row) return;
    }
  }
}

bool DramChannel::issue_column(std::uint32_t index, std::uint64_t cycle) {
  Bank& bank = banks_[index];
  if (!bank.busy || !bank.active || bank.row != bank.request.row || bursts_.full()) return false;
  Group& group = group_of(index);
  if (cycle < std::max(column_at_, group.column_at)) return false;
  const bool write = bank.request.write;
  if (cycle < (write ? std::max(bank.write_at, write_at_) : std::max(bank.read_at, read_at_)))
    return false;
  column_at_ = cycle + spec_.ccd;
  group.column_at = cycle + spec_.ccdl;
  std::uint64_t done = cycle + (write ? spec_.wl : spec_.cl);
  if (write) {
    read_at_ = cycle + write_to_read_;
    bank.precharge_at = std::max(bank.precharge_at, cycle + write_to_precharge_);
  } else {
    write_at_ = cycle + read_to_write_;
    bank.precharge_at = std::max(bank.precharge_at, cycle + burst_cycles_);
    group.precharge_at = cycle + spec_.rtpl;
  }
  count_for(bank.request, [&](DramStats& stats) {
    ++(write ? stats.writes : stats.reads);
    stats.data_cycles += burst_cycles_;
  });
  if (!bursts_.empty()) done = std::max(done, bursts_[bursts_.size() - 1].done + 1);
  const std::uint32_t atom = spec_.atom_bytes();
  bank.bytes_left -= std::min(bank.bytes_left, atom);
  if (observer_)
    observer_->dram_command(index_, index, write ? DramCommand::write : DramCommand::read, bank.row,
                            cycle, done);
  const bool last = bank.bytes_left == 0;
  bursts_.push({done, last, bank.request});
  if (last) {
    bank.busy = false;
    busy_banks_ &= ~(std::uint64_t{1} << index);
  }
  return true;
}

bool DramChannel::issue_row(std::uint32_t index, std::uint64_t cycle) {
  Bank& bank = banks_[index];
  if (!bank.busy) return false;
  if (!bank.active) {
    if (cycle < std::max(bank.activate_at, activate_at_)) return false;
    bank.active = true;
    bank.row = bank.request.row;
    last_activates_[activates_++ % last_activates_.size()] = cycle;
    activate_at_ = cycle + spec_.rrd;
    if (activates_ >= last_activates_.size())
      activate_at_ =
          std::max(activate_at_, last_activates_[activates_ % last_activates_.size()] + spec_.faw);
    bank.read_at = cycle + spec_.rcd;
    bank.write_at = cycle + activate_to_write_;
    bank.precharge_at = cycle + spec_.ras;
    bank.activate_at = cycle + spec_.rc;
    ++stats_.activates;
    if (observer_)
      observer_->dram_command(index_, index, DramCommand::activate, bank.row, cycle, bank.read_at);
  } else {
    if (bank.row == bank.request.row ||
        cycle < std::max(bank.precharge_at, group_of(index).precharge_at))
      return false;
    bank.active = false;
    bank.activate_at = std::max(bank.activate_at, cycle + spec_.rp);
    ++stats_.precharges;
    if (observer_)
      observer_->dram_command(index_, index, DramCommand::precharge, bank.row, cycle,
                              bank.activate_at);
  }
  first_bank_ = (index + 1) % spec_.banks;
  return true;
}

// The earliest cycle of a busy bank's next command if no other bank issues a command before.
std::uint64_t DramChannel::next_command(const Bank& bank, std::uint32_t index) const {
  const Group& group = group_of(index);
  if (!bank.active) return std::max(bank.activate_at, activate_at_);
  if (bank.row != bank.request.row) return std::max(bank.precharge_at, group.precharge_at);
  return std::max(
      {column_at_, group.column_at,
       bank.request.write ? std::max(bank.write_at, write_at_) : std::max(bank.read_at, read_at_)});
}

bool DramChannel::has_credit(std::size_t slice) const {
  return credits_used_[slice] < 1 || shared_credits_used_ < shared_credits_;
}

void DramChannel::return_credit(std::size_t slice) {
  // Shared credits are returned first; a slice returns its own with its last request.
  if (credits_used_[slice] > 1) --shared_credits_used_;
  --credits_used_[slice];
}

// Accepts one request per cycle from the slices, in round robin.
void DramChannel::accept(Time time) {
  const std::size_t count = slices_.size();
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t slice = (last_slice_ + i) % count;
    auto& requests = slices_[slice]->requests;
    if (requests.empty() || !has_credit(slice)) continue;
    if (queue_.full(requests.front().write)) return;
    if (++credits_used_[slice] > 1) ++shared_credits_used_;
    delayed_.push({time + request_delay_, requests.pop()});
    last_slice_ = static_cast<std::uint32_t>(slice);
    ++inside_;
    return;
  }
}

void DramChannel::enter_queue(std::uint64_t cycle, Time time) {
  if (delayed_.empty() || delayed_.front().ready > time ||
      queue_.full(delayed_.front().request.write))
    return;
  DramRequest request = delayed_.pop().request;
  request.entered = cycle;
  queue_.push(request);
}

std::uint64_t DramChannel::look_ahead(std::uint64_t cycle) const {
  const std::uint64_t next = cycle + 1;
  if (!returns_.empty() || (queue_.banks() & ~busy_banks_)) return next;
  for (const SliceToDram* slice : slices_)
    if (!slice->requests.empty()) return next;
  std::uint64_t earliest = bursts_.empty() ? kNever : bursts_.front().done;
  for (std::uint64_t rest = busy_banks_; rest; rest &= rest - 1) {
    const auto bank = static_cast<std::uint32_t>(std::countr_zero(rest));
    earliest = std::min(earliest, next_command(banks_[bank], bank));
  }
  return std::max(earliest, next);
}

}  // namespace heddle::mem
