#include "lab/preparation.h"

#include <fmt/format.h>

#include "gpu/cta/catalogue.h"
#include "gpu/cta/plugins.h"
#include "lab/best_limits.h"
#include "lab/load_profile.h"
#include "lab/scheduler_pair.h"
#include "sched/catalogue.h"
#include "sched/framework/plugins.h"

namespace heddle::lab {
namespace {

constexpr const char* kProfiled = "daws-profiled";

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& parts, char with) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i ? std::string(1, with) : "") + parts[i];
  return text;
}

// "name:a=1,b=2" as name and parameters.
struct Part {
  explicit Part(const std::string& text) : name(text.substr(0, text.find(':'))) {
    if (name.size() < text.size()) parameters = split(text.substr(name.size() + 1), ',');
  }
  std::string text() const {
    return parameters.empty() ? name : name + ":" + joined(parameters, ',');
  }
  // Replaces `key` or `key=...` with "key=value"; appends it when there is none.
  void set(const std::string& key, const std::string& value) {
    for (std::string& parameter : parameters)
      if (parameter == key || parameter.starts_with(key + "=")) {
        parameter = key + "=" + value;
        return;
      }
    parameters.push_back(key + "=" + value);
  }
  std::string name;
  std::vector<std::string> parameters;
};

// Does a limiter swl of the policy request the best limits of the kernels, or that of the program?
bool wants_kernel_limits(const std::string& policy) {
  for (const std::string& text : split(policy, '+')) {
    const Part part(text);
    if (part.name != "swl") continue;
    for (const std::string& parameter : part.parameters)
      if (parameter.substr(0, parameter.find('=')) == "best_per_kernel") return true;
  }
  return false;
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
  std::vector<std::string> texts = split(policy, '+');
  for (std::string& text : texts) {
    Part part(text);
    if (part.name != "swl") continue;
    std::erase_if(part.parameters, [](const std::string& p) {
      const std::string name = p.substr(0, p.find('='));
      return name == "best" || name == "best_per_kernel" || name == "warps";
    });
    part.set(key, value);
    text = part.text();
    return joined(texts, '+');
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
  std::vector<std::string> texts = split(scheduler, '+');
  for (std::string& text : texts) {
    Part part(text);
    if (part.name != kProfiled || !lacks_input(text)) continue;
    if (profile_.empty()) {
      const ProfileRun run = profile_loads(request_, [&](const std::string& what) {
        if (report_progress_) report_progress_("profiling: " + what);
      });
      if ((interrupted_ = run.interrupted)) return scheduler;
      profile_ = keep_file("profile", run.profile.to_toml());
    }
    part.set("profile", profile_);
    text = part.text();
  }
  const std::string policy = joined(texts, '+');
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
