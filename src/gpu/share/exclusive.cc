// An SM runs CTAs of one kernel at a time, as in GPGPU-Sim 4.2 unless gpgpu_concurrent_kernel_sm is
// set: it gets those of another kernel when its last CTA has ended.
#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

class Exclusive final : public ShareScheduler {
 public:
  ShareNeeds needs() const override { return {.exclusive_sms = true}; }
  void kernels_changed(std::span<const SharedKernel>, Cycle) override {}
  int most_ctas(int, int) const override { return kNoLimit; }
};

}  // namespace

ShareEntry exclusive() {
  return share_policy<Exclusive>("exclusive", "as leftover, but one kernel at a time on each SM",
                                 "GPGPU-Sim 4.2");
}

}  // namespace heddle::gpu
