// Describes the class of a share policy for the catalogue: share_policy<Class>(...). Members of
// the class that are used when they exist:
//   Options                its parameters (sched/framework/parameters.h)
//   Statistics, records()  its statistics (sm/policy_report.h)
// The constructor takes the Options, the ShareContext, both (in this order), or nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/share/share_policy.h"
#include "sched/framework/parameters.h"
#include "sched/framework/policy_entry.h"

namespace heddle::gpu {

// What messages call it.
inline constexpr const char* kSharePolicyKind = "share policy";

// The argument of `parse` is the text after the colon, or empty.
struct ShareEntry {
  std::string name, title, paper;
  std::vector<sched::Parameter> parameters;
  std::function<std::shared_ptr<const SharePolicy>(std::string_view options)> parse;
  std::vector<stats::FieldInfo> statistics;

  sched::PolicyInfo info() const {
    sched::PolicyInfo info{name, title, paper, {}, statistics};
    for (const auto& parameter : parameters) info.parameters.push_back(parameter.info);
    return info;
  }
};

namespace detail {

using NoShareOptions = sched::detail::NoOptions;

template <class P>
class ParsedSharePolicy final : public SharePolicy {
 public:
  using Options = typename sched::detail::OptionsOf<P>::type;
  ParsedSharePolicy(std::string text, const Options& options)
      : text_(std::move(text)), options_(options) {}

  const std::string& text() const override { return text_; }
  std::unique_ptr<ShareScheduler> build(const ShareContext& context) const override {
    if constexpr (std::is_constructible_v<P, const Options&, const ShareContext&>)
      return std::make_unique<P>(options_, context);
    else if constexpr (std::is_constructible_v<P, const Options&>)
      return std::make_unique<P>(options_);
    else if constexpr (std::is_constructible_v<P, const ShareContext&>)
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
ShareEntry share_policy(std::string name, std::string title, std::string paper) {
  using Options = typename sched::detail::OptionsOf<P>::type;
  ShareEntry entry{
      std::move(name), std::move(title), std::move(paper), sched::parameters_of<Options>(), {}, {}};
  entry.statistics = sched::detail::statistics_of<P>(entry.name);
  entry.parse = [policy = entry.name, parameters = entry.parameters](
                    std::string_view text) -> std::shared_ptr<const SharePolicy> {
    Options options;
    if (!text.empty())
      sched::parse_parameters(policy, parameters, text, &options, kSharePolicyKind);
    return std::make_shared<detail::ParsedSharePolicy<P>>(
        sched::canonical_text(policy, parameters, &options), options);
  };
  return entry;
}

}  // namespace heddle::gpu
