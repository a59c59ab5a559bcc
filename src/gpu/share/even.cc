// Simultaneous kernels with equal parts (sCKE of iPAWS, Lee et al., HPCA 2016, section 4.3):
// registers, shared memory, threads and CTA slots of every SM are divided equally between the
// programs, and between the kernels of a program that run.
#include <algorithm>
#include <map>

#include "gpu/share/program_parts.h"
#include "gpu/share/resource_shares.h"
#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

class Even final : public ShareScheduler {
 public:
  explicit Even(const ShareContext& context) : sm_(context.sm) {}

  void programs_changed(std::span<const std::uint32_t> present, Cycle) override {
    present_.assign(present.begin(), present.end());
  }
  void kernels_changed(std::span<const SharedKernel> kernels, Cycle) override {
    limits_.clear();
    const auto all = parts_of(kernels, present_);
    for (const SharedKernel& k : kernels) {
      const std::uint64_t parts = all.at(k.number).programs * all.at(k.number).kernels;
      limits_[k.number] = parts > 1 ? ctas_of(k, parts) : kNoLimit;
    }
  }
  int most_ctas(int kernel, int) const override {
    const auto found = limits_.find(kernel);
    return found == limits_.end() ? kNoLimit : found->second;
  }

 private:
  // At least one: a CTA that needs more than its part runs, too.
  int ctas_of(const SharedKernel& k, std::uint64_t parts) const {
    Resources part = resources_of(sm_);
    for (std::uint64_t& amount : part) amount /= parts;
    return static_cast<int>(std::max<std::uint64_t>(1, ctas_in(part, resources_of(k.cta))));
  }

  config::SmSpec sm_;
  std::vector<std::uint32_t> present_;
  std::map<int, int> limits_;  // by kernel: CTAs on each SM
};

}  // namespace

ShareEntry even() {
  return share_policy<Even>("even", "every SM divided equally between kernels (sCKE)",
                            "Lee et al., HPCA 2016, section 4.3");
}

}  // namespace heddle::gpu
