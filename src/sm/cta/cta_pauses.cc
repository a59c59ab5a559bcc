#include "sm/cta/cta_pauses.h"

#include <algorithm>

namespace heddle::sm {

void CtaPauses::set(const KernelContext& kernel, std::uint64_t linear, bool paused) {
  for (CtaSlot& slot : slots_)
    if (slot.holds(kernel, linear)) slot.paused = paused;
  update_warps();
  resume_oldest_if_all_paused();
}

void CtaPauses::update_warps() {
  WarpMask paused;
  for (const CtaSlot& slot : slots_)
    if (slot.resident && (slot.paused || slot.kernel->quota_left == 0)) paused |= slot.warps;
  state_.warps.paused = paused;
}

void CtaPauses::set_quota(KernelContext& kernel, std::uint64_t instructions) {
  kernel.quota = kernel.quota_left = instructions;
  state_.has_quotas = false;
  for (const auto& k : state_.kernels)
    state_.has_quotas |= k && k->active && k->quota != KernelContext::kNoQuota;
  update_warps();
}

// When all kernels with CTAs have used their quotas, each gets its quota again.
void CtaPauses::renew_quotas() {
  const auto& kernels = state_.resident_kernels;
  if (std::all_of(kernels.begin(), kernels.end(),
                  [](const KernelContext* k) { return k->quota_left == 0; }))
    for (KernelContext* const k : kernels) k->quota_left = k->quota;
  update_warps();
}

void CtaPauses::cta_ended(const CtaSlot& slot, bool last) {
  if (last && state_.has_quotas) renew_quotas();
  if (state_.warps.paused.none()) return;
  state_.warps.paused &= ~slot.warps;
  resume_oldest_if_all_paused();
}

void CtaPauses::resume_oldest_if_all_paused() {
  CtaSlot* oldest = nullptr;
  for (CtaSlot& slot : slots_) {
    if (!slot.resident) continue;
    if (!slot.paused) return;
    if (!oldest || slot.start < oldest->start) oldest = &slot;
  }
  if (!oldest) return;
  oldest->paused = false;
  update_warps();
}

}  // namespace heddle::sm
