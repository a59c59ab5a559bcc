// Compares every executed global and local access with its affine form (`--check-analysis`).
#pragma once

#include <vector>

#include "analysis/address_forms.h"
#include "exec/state/decoded_instruction.h"
#include "exec/state/launch.h"
#include "exec/state/machine.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// Of one launch. Throws UserError at the first mismatch.
class AddressCheck {
 public:
  explicit AddressCheck(const Launch& launch);

  const ptx::Kernel& kernel() const { return kernel_; }
  Pc entry_end() const { return entry_end_; }
  // Compares the lanes of an access. `iterations` has 32 counters for each loop.
  void compare(const Warp& w, const DecodedInstruction& r, std::uint32_t mask,
               const std::vector<std::int64_t>& iterations);
  bool covers(Pc pc) const { return forms_.is_affine(pc) || forms_.is_unreached(pc); }
  std::uint64_t compared() const { return compared_; }  // addresses of lanes

 private:
  [[noreturn]] void report(const Warp& w, Pc pc, std::uint32_t lane, const std::string& what) const;

  const ptx::Kernel& kernel_;
  Dim3 block_;
  Pc entry_end_;
  analysis::AddressForms forms_;
  analysis::AddressForms::Point point_;
  std::uint64_t compared_ = 0;
};

// Of the warps of one CTA: counts the iterations of each lane.
class CtaAddressCheck {
 public:
  CtaAddressCheck(AddressCheck& check, std::size_t warps);
  void start();
  void before(const Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
    if (w.pc >= check_.entry_end()) return;  // in a called function
    if (!inside_.empty()) count_iterations(w, r);
    if (mask != 0 && check_.covers(w.pc)) check_.compare(w, r, mask, iterations_[w.warp_in_cta]);
  }

 private:
  void count_iterations(const Warp& w, const DecodedInstruction& r);

  AddressCheck& check_;
  std::size_t loops_;
  std::vector<std::vector<char>> contains_;            // by innermost loop + 1, by loop
  std::vector<std::vector<std::uint32_t>> inside_;     // by warp, by loop: lanes
  std::vector<std::vector<std::int64_t>> iterations_;  // by warp, by loop and lane
};

}  // namespace heddle::exec
