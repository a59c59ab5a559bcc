#include "mem/dram_channel.h"

#include <algorithm>
#include <bit>

namespace heddle::mem {

namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

DramChannel::DramChannel(const config::DramSpec& spec, std::vector<SliceToDram*> slices,
                         const DramEdges& edges, std::uint32_t request_delay,
                         bool gpgpusim_arbitration)
    : spec_(spec),
      slices_(std::move(slices)),
      request_delay_{edges, request_delay},
      timing_(spec),
      queue_(spec),
      banks_(spec.banks),
      arbitration_{gpgpusim_arbitration,
                   gpgpusim_arbitration ? static_cast<std::uint32_t>(slices_.size()) - 1 : 0},
      credits_(slices_.size(), spec.frfcfs_queue + spec.return_queue +
                                   (spec.separate_writes ? spec.write_queue : 0)),
      delayed_(credits_.places()),
      bursts_(spec.cl + 1),
      returns_(std::max(spec.return_queue, 1u)) {}

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
  credits_.give_back(returns_.front().slice);
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
    credits_.give_back(burst.request.slice);
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
  bank.request = queue_.take(index, timing_.row(index));
  bank.bytes_left = bank.request.bytes;
  bank.busy = true;
  bank.not_before = 0;
  busy_banks_ |= std::uint64_t{1} << index;
  count_for(bank.request, [&](DramStats& stats) {
    if (!bank.request.write) stats.read_queue_cycles += cycle - bank.request.entered;
    ++(timing_.is_open(index, bank.request.row) ? stats.row_hits : stats.row_misses);
  });
  first_bank_ = (first_bank_ + 1) % spec_.banks;
}

// The constraints of a command only move to later cycles while it waits, so a bank need not be
// examined before the cycle that was found last.
void DramChannel::issue_commands(std::uint64_t cycle) {
  bool column = false, row = false;
  const std::uint64_t high = busy_banks_ & (kNever << first_bank_);
  for (std::uint64_t part : {high, busy_banks_ & ~high}) {
    for (; part; part &= part - 1) {
      const auto index = static_cast<std::uint32_t>(std::countr_zero(part));
      Bank& bank = banks_[index];
      if (cycle < bank.not_before || cycle < (bank.not_before = next_command(index))) continue;
      if (timing_.is_open(index, bank.request.row)) {
        if (column || bursts_.full()) continue;
        issue_column(index, cycle);
        column = true;
      } else {
        if (row) continue;
        issue_row(index, cycle);
        row = true;
      }
      if (spec_.dual_command_bus ? column && row : column || row) return;
    }
  }
}

void DramChannel::issue_column(std::uint32_t index, std::uint64_t cycle) {
  Bank& bank = banks_[index];
  const bool write = bank.request.write;
  std::uint64_t done = timing_.access(index, write, cycle);
  count_for(bank.request, [&](DramStats& stats) {
    ++(write ? stats.writes : stats.reads);
    stats.data_cycles += timing_.burst_cycles();
  });
  if (!bursts_.empty()) done = std::max(done, bursts_[bursts_.size() - 1].done + 1);
  const std::uint32_t atom = spec_.atom_bytes();
  bank.bytes_left -= std::min(bank.bytes_left, atom);
  if (observer_)
    observer_->dram_command(index_, index, write ? DramCommand::write : DramCommand::read,
                            bank.request.row, cycle, done);
  const bool last = bank.bytes_left == 0;
  bursts_.push({done, last, bank.request});
  if (last) {
    bank.busy = false;
    busy_banks_ &= ~(std::uint64_t{1} << index);
  }
}

void DramChannel::issue_row(std::uint32_t index, std::uint64_t cycle) {
  const bool activates = !timing_.is_active(index);
  const std::uint32_t row = activates ? banks_[index].request.row : timing_.row(index);
  const std::uint64_t ends =
      activates ? timing_.activate(index, row, cycle) : timing_.precharge(index, cycle);
  ++(activates ? stats_.activates : stats_.precharges);
  if (observer_)
    observer_->dram_command(index_, index,
                            activates ? DramCommand::activate : DramCommand::precharge, row, cycle,
                            ends);
  first_bank_ = (index + 1) % spec_.banks;
}

// The earliest cycle of a busy bank's next command if no other bank issues a command before.
std::uint64_t DramChannel::next_command(std::uint32_t index) const {
  const DramRequest& request = banks_[index].request;
  if (!timing_.is_active(index)) return timing_.next_activate(index);
  return timing_.row(index) == request.row ? timing_.next_access(index, request.write)
                                           : timing_.next_precharge(index);
}

// Accepts one request per cycle from the slices, in round robin.
void DramChannel::accept(Time time) {
  const std::size_t count = slices_.size();
  std::size_t slice = arbitration_.last_slice;
  for (std::size_t i = 0; i < count; ++i) {
    if (++slice == count) slice = 0;
    auto& requests = slices_[slice]->requests;
    if (requests.empty() || !credits_.has(slice)) continue;
    if (arbitration_.as_gpgpusim && slices_[slice]->returns.full()) continue;
    if (queue_.full(requests.front().write)) return;
    credits_.use(slice);
    delayed_.push(
        {request_delay_.edges.after_core_cycles(time, request_delay_.core_cycles), requests.pop()});
    arbitration_.last_slice = static_cast<std::uint32_t>(slice);
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

std::uint64_t DramChannel::look_ahead(std::uint64_t cycle) {
  const std::uint64_t next = cycle + 1;
  if (!returns_.empty() || (queue_.banks() & ~busy_banks_)) return next;
  for (const SliceToDram* slice : slices_)
    if (!slice->requests.empty()) return next;
  std::uint64_t earliest = bursts_.empty() ? kNever : bursts_.front().done;
  for (std::uint64_t rest = busy_banks_; rest; rest &= rest - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
    Bank& bank = banks_[index];
    if (bank.not_before >= earliest) continue;
    bank.not_before = next_command(index);
    earliest = std::min(earliest, bank.not_before);
  }
  return std::max(earliest, next);
}

}  // namespace heddle::mem
