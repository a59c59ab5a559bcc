// Describes the class of a CTA scheduler for the catalogue: cta_scheduler<Class>(...). Members of
// the class that are used when they exist:
//   Options                its parameters (sched/framework/parameters.h)
//   Statistics, records()  its statistics (sm/policy_report.h)
// The constructor takes the Options, the CtaContext, both (in this order), or nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cta/cta_policy.h"
#include "sched/framework/parameters.h"
#include "sched/framework/policy_entry.h"

namespace heddle::gpu {

// What messages call it.
inline constexpr const char* kCtaSchedulerKind = "CTA scheduler";

// The argument of `parse` is the text after the colon, or empty.
struct CtaEntry {
  std::string name, title, paper;
  std::vector<sched::Parameter> parameters;
  std::function<std::shared_ptr<const CtaPolicy>(std::string_view options)> parse;
  std::vector<stats::FieldInfo> statistics;

  sched::PolicyInfo info() const {
    sched::PolicyInfo info{name, title, paper, {}, statistics};
    for (const auto& parameter : parameters) info.parameters.push_back(parameter.info);
    return info;
  }
};

namespace detail {

using NoCtaOptions = sched::detail::NoOptions;

template <class P>
class ParsedCtaPolicy final : public CtaPolicy {
 public:
  using Options = typename sched::detail::OptionsOf<P>::type;
  ParsedCtaPolicy(std::string text, const Options& options)
      : text_(std::move(text)), options_(options) {}

  const std::string& text() const override { return text_; }
  std::unique_ptr<CtaScheduler> build(const CtaContext& context) const override {
    if constexpr (std::is_constructible_v<P, const Options&, const CtaContext&>)
      return std::make_unique<P>(options_, context);
    else if constexpr (std::is_constructible_v<P, const Options&>)
      return std::make_unique<P>(options_);
    else if constexpr (std::is_constructible_v<P, const CtaContext&>)
      return std::make_unique<P>(context);
    else
      return std::make_unique<P>();
  }

 private:
  std::string text_;
  Options options_;
};

}  // namespace detail

// paper: authors, venue and year, or another source.
template <class P>
CtaEntry cta_scheduler(std::string name, std::string title, std::string paper) {
  using Options = typename sched::detail::OptionsOf<P>::type;
  CtaEntry entry{
      std::move(name), std::move(title), std::move(paper), sched::parameters_of<Options>(), {}, {}};
  entry.statistics = sched::detail::statistics_of<P>(entry.name);
  entry.parse = [policy = entry.name, parameters = entry.parameters](
                    std::string_view text) -> std::shared_ptr<const CtaPolicy> {
    Options options;
    if (!text.empty())
      sched::parse_parameters(policy, parameters, text, &options, kCtaSchedulerKind);
    return std::make_shared<detail::ParsedCtaPolicy<P>>(
        sched::canonical_text(policy, parameters, &options), options);
  };
  return entry;
}

}  // namespace heddle::gpu
