// Which resident CTAs do not issue: those that a CTA scheduler has paused, and those of kernels
// that have used their quotas.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sm/stages/sm_state.h"

namespace heddle::sm {

struct CtaSlot {
  KernelContext* kernel = nullptr;
  int number = 0;  // among the kernel's resident CTAs
  std::uint64_t linear = 0;
  Cycle start;
  WarpMask warps;
  int warps_left = 0;
  bool resident = false, paused = false;
  bool holds(const KernelContext& k, std::uint64_t cta) const {
    return resident && kernel == &k && linear == cta;
  }
};

class CtaPauses {
 public:
  CtaPauses(SmState& state, std::vector<CtaSlot>& slots) : state_(state), slots_(slots) {}

  // The warps of a paused CTA do not issue. Does nothing when the CTA is not resident. When all
  // resident CTAs are paused the oldest one resumes.
  void set(const KernelContext& kernel, std::uint64_t linear, bool paused);

  // See Sm::set_quota().
  void set_quota(KernelContext& kernel, std::uint64_t instructions);
  // A warp of the kernel issues.
  void use_quota(KernelContext& kernel) {
    if (kernel.quota_left > 0 && --kernel.quota_left == 0) renew_quotas();
  }

  void cta_started() {
    if (state_.has_quotas) update_warps();
  }
  // last: of its kernel here.
  void cta_ended(const CtaSlot& slot, bool last);

 private:
  void update_warps();
  void renew_quotas();
  void resume_oldest_if_all_paused();

  SmState& state_;
  std::vector<CtaSlot>& slots_;
};

}  // namespace heddle::sm
