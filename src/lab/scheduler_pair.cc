#include "lab/scheduler_pair.h"

#include <algorithm>
#include <string_view>

#include "gpu/cta/cta_policy.h"

namespace heddle::lab {
namespace {
// Policies of a composed warp scheduler are joined without blanks: swl+lrr.
constexpr std::string_view kAnd = " + ";
}  // namespace

std::string SchedulerPair::name() const {
  if (cta_scheduler == gpu::kDefaultCtaScheduler) return scheduler;
  return scheduler + std::string(kAnd) + cta_scheduler;
}

SchedulerPair SchedulerPair::of(const std::string& name) {
  const std::size_t at = name.find(kAnd);
  if (at == std::string::npos) return {name, gpu::kDefaultCtaScheduler};
  return {name.substr(0, at), name.substr(at + kAnd.size())};
}

std::vector<std::string> pair_names(const std::vector<std::string>& schedulers,
                                    const std::vector<std::string>& cta_schedulers) {
  std::vector<std::string> names;
  for (const std::string& cta_scheduler : cta_schedulers)
    for (const std::string& scheduler : schedulers)
      names.push_back(SchedulerPair{scheduler, cta_scheduler}.name());
  return names;
}

bool differ_in_cta_scheduler(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return SchedulerPair::of(name).cta_scheduler != SchedulerPair::of(names[0]).cta_scheduler;
  });
}

}  // namespace heddle::lab
