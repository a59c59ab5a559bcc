#include "sched/catalogue.h"

#include "base/diagnostics.h"
#include "sched/policy_entry.h"

namespace heddle::sched {

// A policy is one file that defines one of these functions.
PolicyEntry greedy_then_oldest();
PolicyEntry greedy_then_round_robin();
PolicyEntry loose_round_robin();
PolicyEntry oldest_first();
PolicyEntry strict_round_robin();
PolicyEntry youngest_first();

namespace {

const std::vector<PolicyEntry>& catalogue() {
  static const std::vector<PolicyEntry> entries = {
      loose_round_robin(),
      greedy_then_oldest(),
      oldest_first(),
      strict_round_robin(),
      greedy_then_round_robin(),
      youngest_first(),
  };
  return entries;
}

[[noreturn]] void unknown(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const auto& entry : catalogue()) {
    names.push_back(entry.name);
    all += (all.empty() ? "" : ", ") + entry.name;
  }
  const std::string near = nearest_names(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + near + "?";
  throw UserError("unknown scheduler \"" + name + "\"" + hint + "\n  schedulers: " + all);
}

}  // namespace

std::shared_ptr<const Policy> parse_policy(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  for (const auto& entry : catalogue()) {
    if (entry.name != name) continue;
    if (colon == std::string::npos) return entry.parse("");
    if (colon + 1 == text.size()) throw UserError("scheduler " + name + ": expected parameter=value after the colon");
    return entry.parse(std::string_view(text).substr(colon + 1));
  }
  unknown(name);
}

std::vector<PolicyInfo> list_policies() {
  std::vector<PolicyInfo> infos;
  for (const auto& entry : catalogue()) infos.push_back(entry.info());
  return infos;
}

}  // namespace heddle::sched
