// What CTA schedulers and share policies have in common: a parsed text, its entry in a catalogue,
// and the search in it. Scheduler: the class that decides. Context: what its constructor may take.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "sched/framework/parameters.h"
#include "sched/framework/policy_entry.h"

namespace heddle::gpu {

// A parsed and checked text. Immutable. build() makes one object per GPU.
template <class Scheduler, class Context>
class GpuPolicy {
 public:
  virtual ~GpuPolicy() = default;
  // Canonical: only the parameters that differ from their defaults, in declared order.
  virtual const std::string& text() const = 0;
  virtual std::unique_ptr<Scheduler> build(const Context& context) const = 0;
};

// The argument of `parse` is the text after the colon, or empty.
template <class Scheduler, class Context>
struct GpuPolicyEntry {
  using Policy = GpuPolicy<Scheduler, Context>;
  std::string name, title, paper;
  std::vector<sched::Parameter> parameters;
  std::function<std::shared_ptr<const Policy>(std::string_view options)> parse;
  std::vector<stats::FieldInfo> statistics;

  sched::PolicyInfo info() const {
    sched::PolicyInfo info{name, title, paper, {}, statistics};
    for (const auto& parameter : parameters) info.parameters.push_back(parameter.info);
    return info;
  }
};

namespace detail {

template <class P, class Scheduler, class Context>
class ParsedGpuPolicy final : public GpuPolicy<Scheduler, Context> {
 public:
  using Options = typename sched::detail::OptionsOf<P>::type;
  ParsedGpuPolicy(std::string text, const Options& options)
      : text_(std::move(text)), options_(options) {}

  const std::string& text() const override { return text_; }
  std::unique_ptr<Scheduler> build(const Context& context) const override {
    if constexpr (std::is_constructible_v<P, const Options&, const Context&>)
      return std::make_unique<P>(options_, context);
    else if constexpr (std::is_constructible_v<P, const Options&>)
      return std::make_unique<P>(options_);
    else if constexpr (std::is_constructible_v<P, const Context&>)
      return std::make_unique<P>(context);
    else
      return std::make_unique<P>();
  }

 private:
  std::string text_;
  Options options_;
};

}  // namespace detail

// Describes the class P for a catalogue. Members of P that are used when they exist:
//   Options                its parameters (sched/framework/parameters.h)
//   Statistics, records()  its statistics (sm/policy/policy_report.h)
// The constructor takes the Options, the Context, both (in this order), or nothing. kind: what
// messages call such policies. paper: authors, venue and year, or another source.
template <class P, class Scheduler, class Context>
GpuPolicyEntry<Scheduler, Context> describe_policy(const char* kind, std::string name,
                                                   std::string title, std::string paper) {
  using Options = typename sched::detail::OptionsOf<P>::type;
  GpuPolicyEntry<Scheduler, Context> entry{
      std::move(name), std::move(title), std::move(paper), sched::parameters_of<Options>(), {}, {}};
  entry.statistics = sched::detail::statistics_of<P>(entry.name);
  entry.parse = [kind, policy = entry.name, parameters = entry.parameters](
                    std::string_view text) -> std::shared_ptr<const GpuPolicy<Scheduler, Context>> {
    Options options;
    if (!text.empty()) sched::parse_parameters(policy, parameters, text, &options, kind);
    return std::make_shared<detail::ParsedGpuPolicy<P, Scheduler, Context>>(
        sched::canonical_text(policy, parameters, &options), options);
  };
  return entry;
}

// Parses "name" or "name:key=value,key=value". UserError for an unknown name (with the nearest
// names), an unknown parameter, or a value out of range.
template <class Entry>
std::shared_ptr<const typename Entry::Policy> parse_policy(const std::string& kind,
                                                           const std::string& plural,
                                                           const std::vector<Entry>& entries,
                                                           const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  std::vector<std::string> names;
  std::string all;
  for (const Entry& entry : entries) {
    if (entry.name != name) {
      names.push_back(entry.name);
      all += (all.empty() ? "" : ", ") + entry.name;
      continue;
    }
    if (colon == std::string::npos) return entry.parse("");
    if (colon + 1 == text.size())
      throw UserError(kind + " " + name + ": expected parameter=value after the colon");
    return entry.parse(std::string_view(text).substr(colon + 1));
  }
  const std::string near = nearest_names(name, names);
  throw UserError("unknown " + kind + " \"" + name + "\"" +
                  (near.empty() ? "" : "; did you mean " + near + "?") + "\n  " + plural + ": " +
                  all);
}

template <class Entry>
std::vector<sched::PolicyInfo> list_policies(const std::vector<Entry>& entries) {
  std::vector<sched::PolicyInfo> infos;
  for (const Entry& entry : entries) infos.push_back(entry.info());
  return infos;
}

}  // namespace heddle::gpu
