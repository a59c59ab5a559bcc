// The banks of the register file: which registers each has, and which are written in a step. A
// result occupies its bank for the whole step.
#pragma once

#include <cstdint>
#include <utility>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/warp/instruction_timing.h"

namespace heddle::sm {

class RegisterBanks {
 public:
  explicit RegisterBanks(const config::SmSpec& spec);

  int count() const { return count_; }
  // The bank of each register of a warp.
  struct BankOf {
    int warp, own_mask, first, mask;
    int operator()(std::uint16_t reg) const { return (((reg + warp) & own_mask) + first) & mask; }
  };
  BankOf of(WarpSlot warp, int scheduler) const {
    return {warp.index, own_mask_, scheduler * first_step_, count_ - 1};
  }
  // Reserves the banks of an instruction's results for this step. False when one is taken already.
  bool write(WarpSlot warp, int scheduler, const InstructionTiming& timing);
  std::uint64_t written() const { return written_; }  // a bit for each bank
  // Frees the banks for the next step's results. Returns those that were written in this one.
  std::uint64_t end_step() { return std::exchange(written_, 0); }

 private:
  int count_, own_mask_;  // own: of the scheduler's sub-core
  int first_step_;        // from the first bank of a sub-core to that of the next
  std::uint64_t written_ = 0;
};

}  // namespace heddle::sm
