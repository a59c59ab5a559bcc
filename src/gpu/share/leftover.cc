// The default, as in hardware: the kernel that started first gets the CTA slots that it can fill,
// the next one what is left. Kernels with a higher priority come first.
#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

class Leftover final : public ShareScheduler {
 public:
  void kernels_changed(std::span<const SharedKernel>, Cycle) override {}
  int most_ctas(int, int) const override { return kNoLimit; }
};

}  // namespace

ShareEntry leftover() {
  return share_policy<Leftover>("leftover", "first come, first served; the rest for the next",
                                "NVIDIA GPUs since Fermi");
}

}  // namespace heddle::gpu
