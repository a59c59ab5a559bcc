#include "sm/issue/register_banks.h"

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"

namespace heddle::sm {
namespace {

int banks_of_sub_core(const config::SmSpec& spec) {
  return static_cast<int>(std::bit_floor(std::max(1u, spec.register_banks / spec.schedulers)));
}

}  // namespace

RegisterBanks::RegisterBanks(const config::SmSpec& spec)
    : count_(static_cast<int>(spec.register_banks)),
      own_mask_(spec.sub_cores ? banks_of_sub_core(spec) - 1 : count_ - 1),
      first_step_(spec.sub_cores ? banks_of_sub_core(spec) : 0) {
  check_invariant(count_ <= 64, "more than 64 register banks were configured");
  check_invariant(std::has_single_bit(spec.register_banks),
                  "a number of register banks that is not a power of two was configured");
}

// Results of one instruction may share a bank. Otherwise an instruction with more results than
// there are banks could never write back.
bool RegisterBanks::write(WarpSlot warp, int scheduler, const InstructionTiming& timing) {
  const BankOf bank_of = of(warp, scheduler);
  const std::uint64_t taken = written_;
  for (std::size_t k = 0; k < timing.result_count; ++k) {
    const std::uint64_t bank = std::uint64_t{1} << bank_of(timing.results[k]);
    if (taken & bank) return false;
    written_ |= bank;
  }
  return true;
}

}  // namespace heddle::sm
