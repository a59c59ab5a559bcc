#include "mem/dram/dram_timing.h"

#include <bit>

#include "base/diagnostics.h"

namespace heddle::mem {

DramTiming::DramTiming(const config::DramSpec& spec)
    : spec_(spec),
      burst_cycles_(std::max(1u, spec.burst / spec.ratio)),
      read_to_write_(spec.cl + burst_cycles_ + 2 - std::min(spec.wl, spec.cl + burst_cycles_ + 2)),
      write_to_read_(spec.wl + burst_cycles_ + spec.cdlr),
      write_to_precharge_(spec.wl + burst_cycles_ + spec.wr),
      activate_to_write_(spec.rcd > spec.wl + 1 ? spec.rcd - (spec.wl + 1) : 0),
      group_shift_(spec.bank_group_bits == config::BankGroupBits::low
                       ? 0
                       : static_cast<std::uint32_t>(std::bit_width(spec.banks) -
                                                    std::bit_width(spec.bank_groups))),
      banks_(spec.banks),
      groups_(spec.bank_groups) {
  if (!std::has_single_bit(spec.banks) || !std::has_single_bit(spec.bank_groups) ||
      spec.bank_groups > spec.banks)
    throw UserError(
        "memory.dram.banks and bank_groups must be powers of two, with no more groups than banks");
}

std::uint64_t DramTiming::access(std::uint32_t index, bool write, std::uint64_t cycle) {
  Bank& bank = banks_[index];
  Group& group = group_of(index);
  column_at_ = cycle + spec_.ccd;
  group.column_at = cycle + spec_.ccdl;
  if (write) {
    read_at_ = cycle + write_to_read_;
    bank.precharge_at = std::max(bank.precharge_at, cycle + write_to_precharge_);
    return cycle + spec_.wl;
  }
  write_at_ = cycle + read_to_write_;
  bank.precharge_at = std::max(bank.precharge_at, cycle + burst_cycles_);
  group.precharge_at = cycle + spec_.rtpl;
  return cycle + spec_.cl;
}

std::uint64_t DramTiming::activate(std::uint32_t index, std::uint32_t row, std::uint64_t cycle) {
  Bank& bank = banks_[index];
  bank.active = true;
  bank.row = row;
  last_activates_[activates_++ % last_activates_.size()] = cycle;
  activate_at_ = cycle + spec_.rrd;
  if (activates_ >= last_activates_.size())
    activate_at_ =
        std::max(activate_at_, last_activates_[activates_ % last_activates_.size()] + spec_.faw);
  bank.read_at = cycle + spec_.rcd;
  bank.write_at = cycle + activate_to_write_;
  bank.precharge_at = cycle + spec_.ras;
  bank.activate_at = cycle + spec_.rc;
  return bank.read_at;
}

std::uint64_t DramTiming::precharge(std::uint32_t index, std::uint64_t cycle) {
  Bank& bank = banks_[index];
  bank.active = false;
  return bank.activate_at = std::max(bank.activate_at, cycle + spec_.rp);
}

}  // namespace heddle::mem
