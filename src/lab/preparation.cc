#include "lab/preparation.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/cta/catalogue.h"
#include "lab/best_limits.h"
#include "lab/load_profile.h"
#include "lab/scheduler_pair.h"
#include "sched/catalogue.h"
#include "sched/framework/policy_text.h"

namespace heddle::lab {
namespace {

constexpr const char* kProfiled = "daws-profiled";

// Does a limiter swl of the policy request the best limits of the kernels, or that of the program?
bool wants_kernel_limits(const std::string& policy) {
  const std::vector<sched::PolicyPart> parts = sched::split_policy(policy);
  return std::any_of(parts.begin(), parts.end(), [](const sched::PolicyPart& part) {
    return part.name == "swl" && part.has("best_per_kernel");
  });
}

bool lacks_input(const std::string& policy, const std::vector<std::string>& plugins) {
  return !sched::parse_policy(policy, sched::Plugins(plugins))->missing_input().empty();
}

}  // namespace

bool needs_earlier_run(const RunRequest& request) {
  return !request.scheduler.empty() && lacks_input(request.scheduler, request.plugins);
}
bool Preparation::lacks_input(const std::string& policy) const {
  return lab::lacks_input(policy, request_.plugins);
}

std::string with_limit(const std::string& policy, const std::string& key,
                       const std::string& value) {
  std::vector<sched::PolicyPart> parts = sched::split_policy(policy);
  for (sched::PolicyPart& part : parts) {
    if (part.name != "swl") continue;
    for (const char* limit : {"best", "best_per_kernel", "warps"}) part.remove(limit);
    part.set(key, value);
    return sched::join_policy(parts);
  }
  return "swl:" + key + "=" + value + "+" + policy;
}

Preparation::Preparation(const RunRequest& request, const std::vector<std::string>& schedulers,
                         int jobs, const ReportProgress& report_progress)
    : request_(request), jobs_(jobs), report_progress_(report_progress) {
  for (const std::string& scheduler : schedulers)
    lacks_input(scheduler);  // throws for unknown names before the first run
  for (const std::string& scheduler : schedulers)
    policies_.push_back(interrupted_ || !lacks_input(scheduler) ? scheduler
                                                                : with_inputs(scheduler));
}

std::string Preparation::keep_file(const std::string& stem, const std::string& text) {
  const std::string name =
      fmt::format("{}{}.toml", stem, files_.empty() ? "" : fmt::format("-{}", files_.size() + 1));
  files_.push_back({name, text});
  write_file_atomically(folder_.file(name), text);
  return folder_.file(name);
}

std::string Preparation::with_inputs(const std::string& scheduler) {
  if (sched::is_per_kernel(scheduler)) {
    std::vector<std::string> policies = sched::split_per_kernel(scheduler);
    for (std::string& policy : policies)
      if (!interrupted_ && lacks_input(policy)) policy = with_inputs(policy);
    return sched::join_per_kernel(policies);
  }
  std::vector<sched::PolicyPart> parts = sched::split_policy(scheduler);
  for (sched::PolicyPart& part : parts) {
    if (part.name != kProfiled || !lacks_input(part.text())) continue;
    if (profile_.empty()) {
      RunRequest profiled = request_;
      if (!profiled.profile_arguments.empty()) {
        profiled.program.resize(1);
        profiled.program.insert(profiled.program.end(), profiled.profile_arguments.begin(),
                                profiled.profile_arguments.end());
      }
      const ProfileRun run = profile_loads(profiled, [&](const std::string& what) {
        if (report_progress_) report_progress_("profiling: " + what);
      });
      if ((interrupted_ = run.interrupted)) return scheduler;
      profile_ = keep_file("profile", run.profile.to_toml());
    }
    part.set("profile", profile_);
  }
  const std::string policy = sched::join_policy(parts);
  if (!lacks_input(policy)) return policy;
  const std::string key = wants_kernel_limits(policy) ? "best_per_kernel" : "best";
  // Both limits of a policy come from one search.
  std::string& file = limits_[with_limit(policy, "warps", "1")];
  if (file.empty()) {
    const LimitSearch search =
        search_limits(request_, policy, all_limits(request_), jobs_, [&](const std::string& what) {
          if (report_progress_) report_progress_("best limit: " + what);
        });
    if ((interrupted_ = search.interrupted)) return scheduler;
    file = keep_file("best-swl", search.limits.to_toml());
  }
  return with_limit(policy, key, file);
}

Preparations::Preparations(const RunRequest& request, const std::vector<std::string>& pairs,
                           int jobs, const ReportProgress& report_progress)
    : names_(pairs) {
  for (const std::string& name : pairs)
    gpu::parse_cta_policy(SchedulerPair::of(name).cta_scheduler, gpu::CtaPlugins(request.plugins));
  std::map<std::string, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    places[SchedulerPair::of(pairs[i]).cta_scheduler].push_back(i);
  for (const auto& [cta_scheduler, indices] : places) {
    if (interrupted_) return;
    RunRequest& one = requests_.emplace(cta_scheduler, request).first->second;
    one.cta_scheduler = cta_scheduler;
    std::vector<std::string> schedulers;
    for (const std::size_t i : indices) schedulers.push_back(SchedulerPair::of(pairs[i]).scheduler);
    auto& preparation = preparations_[cta_scheduler];
    preparation = std::make_unique<Preparation>(one, schedulers, jobs, report_progress);
    interrupted_ = preparation->interrupted();
    for (std::size_t k = 0; k < indices.size(); ++k)
      names_[indices[k]] = SchedulerPair{preparation->policies()[k], cta_scheduler}.name();
    const bool by_default = cta_scheduler == gpu::kDefaultCtaScheduler;
    for (const PreparedFile& file : preparation->files())
      files_.push_back(
          {by_default ? file.name : file_name_of(cta_scheduler) + "-" + file.name, file.text});
  }
}

std::string file_name_of(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.' && c != '=' &&
        c != '+')
      c = '_';
  return name;
}

}  // namespace heddle::lab
