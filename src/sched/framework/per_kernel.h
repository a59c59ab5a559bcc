// A warp scheduler per kernel: "K0=gto,K1=lrr". Each scheduler sees the warps of its kernel only.
// A kernel whose number is not given uses the policy of the largest number.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sched/framework/kernel_parts.h"
#include "sched/framework/policy.h"

namespace heddle::sched {

class PerKernelScheduler final : public KernelParts<sm::WarpScheduler> {
 public:
  PerKernelScheduler(const PolicyContext& where,
                     std::vector<std::unique_ptr<sm::WarpScheduler>> policies)
      : KernelParts(where) {
    for (auto& policy : policies) add(std::move(policy));
  }
};

class PerKernelPolicy final : public Policy {
 public:
  explicit PerKernelPolicy(std::vector<std::shared_ptr<const Policy>> policies);
  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const PolicyContext& context) const override;
  std::string missing_input() const override;

 private:
  std::vector<std::shared_ptr<const Policy>> policies_;
  std::string text_;
};

}  // namespace heddle::sched
