// When the banks of a DRAM channel accept commands: the constraints of each bank, of its group and
// of the channel. The timing is that of GPGPU-Sim's GDDR model. Cycles are DRAM cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::mem {

class DramTiming {
 public:
  explicit DramTiming(const config::DramSpec& spec);

  bool is_active(std::uint32_t bank) const { return banks_[bank].active; }
  bool is_open(std::uint32_t bank, std::uint32_t row) const {
    return banks_[bank].active && banks_[bank].row == row;
  }
  // The row that is open or was open last.
  std::uint32_t row(std::uint32_t bank) const { return banks_[bank].row; }

  // The earliest cycle of a command, unless another command comes before.
  std::uint64_t next_access(std::uint32_t bank, bool write) const {
    const Bank& b = banks_[bank];
    return std::max({column_at_, group_of(bank).column_at,
                     write ? std::max(b.write_at, write_at_) : std::max(b.read_at, read_at_)});
  }
  std::uint64_t next_activate(std::uint32_t bank) const {
    return std::max(banks_[bank].activate_at, activate_at_);
  }
  std::uint64_t next_precharge(std::uint32_t bank) const {
    return std::max(banks_[bank].precharge_at, group_of(bank).precharge_at);
  }

  // The bank gets the command. access() and activate() return when its data are there, and when it
  // can read.
  std::uint64_t access(std::uint32_t bank, bool write, std::uint64_t cycle);
  std::uint64_t activate(std::uint32_t bank, std::uint32_t row, std::uint64_t cycle);
  // Returns when the bank can be activated.
  std::uint64_t precharge(std::uint32_t bank, std::uint64_t cycle);

  std::uint32_t burst_cycles() const { return burst_cycles_; }

 private:
  struct Bank {
    bool active = false;
    std::uint32_t row = 0;
    std::uint64_t activate_at = 0, read_at = 0, write_at = 0, precharge_at = 0;
  };
  struct Group {
    std::uint64_t column_at = 0, precharge_at = 0;
  };
  // By low bits, adjacent banks are in different groups, so that one stream alternates between
  // groups.
  std::uint32_t group_index(std::uint32_t bank) const {
    return bank >> group_shift_ & (spec_.bank_groups - 1);
  }
  Group& group_of(std::uint32_t bank) { return groups_[group_index(bank)]; }
  const Group& group_of(std::uint32_t bank) const { return groups_[group_index(bank)]; }

  config::DramSpec spec_;
  std::uint32_t burst_cycles_, read_to_write_, write_to_read_, write_to_precharge_,
      activate_to_write_;
  std::uint32_t group_shift_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  // The constraints of the channel.
  std::uint64_t column_at_ = 0, activate_at_ = 0, read_at_ = 0, write_at_ = 0;
  std::array<std::uint64_t, 4> last_activates_{};  // their cycles
  std::uint64_t activates_ = 0;
};

}  // namespace heddle::mem
