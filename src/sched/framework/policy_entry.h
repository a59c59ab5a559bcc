// Describes a policy's class for the catalogue (policies/entry.h): policy<Class>(...) for an order,
// limiter<Class>(...) for a limiter.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "policies/entry.h"
#include "policies/plugin_file.h"
#include "sched/framework/limiter.h"
#include "sched/framework/policy.h"

namespace heddle::sched {

using policies::Presentation;
using policies::Topic;

// A parsed limiter. It is built together with an order.
using LimiterPolicy = policies::Policy<Limiter, PolicyContext>;

// Either `parse` (an order) or `parse_limiter` is set.
struct PolicyEntry : policies::Entry<sm::WarpScheduler, PolicyContext> {
  static constexpr policies::Kind kind{"scheduler", "schedulers", policies::kWarpPluginAbi,
                                       "heddle_plugin_policies"};
  static const std::vector<PolicyEntry>& catalogue();

  policies::Parser<Limiter, PolicyContext> parse_limiter;
  std::string order;  // of a limiter: the order used when the text names none
};

// An order. paper: authors, venue and year, or another source.
template <class P>
PolicyEntry policy(std::string name, std::string title, std::string paper,
                   Presentation presentation = {}) {
  auto entry = policies::describe<P, PolicyEntry, sm::WarpScheduler, PolicyContext>(
      std::move(name), std::move(title), std::move(paper));
  entry.presentation = std::move(presentation);
  return entry;
}

// A limiter. order: the order that the paper combines it with.
template <class P>
PolicyEntry limiter(std::string name, std::string title, std::string paper,
                    std::string order = "gto", Presentation presentation = {}) {
  auto entry =
      policies::describe<P, PolicyEntry>(std::move(name), std::move(title), std::move(paper));
  entry.parse_limiter = policies::parser<P, Limiter, PolicyContext>(PolicyEntry::kind.name,
                                                                    entry.name, entry.parameters);
  entry.order = std::move(order);
  entry.presentation = std::move(presentation);
  return entry;
}

}  // namespace heddle::sched
