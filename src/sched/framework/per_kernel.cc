#include "sched/framework/per_kernel.h"

#include <utility>

#include "sched/framework/policy_text.h"

namespace heddle::sched {

PerKernelPolicy::PerKernelPolicy(std::vector<std::shared_ptr<const Policy>> policies)
    : policies_(std::move(policies)) {
  std::vector<std::string> texts;
  for (const auto& policy : policies_) texts.push_back(policy->text());
  text_ = join_per_kernel(texts);
}

// Equal policies of different kernels share no state.
std::unique_ptr<sm::WarpScheduler> PerKernelPolicy::build(const PolicyContext& context) const {
  std::vector<std::unique_ptr<sm::WarpScheduler>> built;
  PolicyContext place = context;
  for (const auto& policy : policies_) {
    built.push_back(policy->build(place));
    place.part += kPartsOfText;
  }
  return std::make_unique<PerKernelScheduler>(place, std::move(built));
}

std::string PerKernelPolicy::missing_input() const {
  for (const auto& policy : policies_)
    if (std::string missing = policy->missing_input(); !missing.empty()) return missing;
  return {};
}

}  // namespace heddle::sched
