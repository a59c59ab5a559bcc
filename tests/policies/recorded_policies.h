// What a catalogue says of its policies, and which values their parameters take, stays what it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "policies/policy_info.h"
#include "tests/damaged_text.h"
#include "tests/recorded.h"

namespace heddle::policies {

// The text with which the catalogue writes a policy, or why it refuses it; of a file without the
// folder in which the test runs.
template <class Write>
std::string outcome_of(const std::string& text, Write write) {
  std::string outcome;
  try {
    outcome = write(text);
  } catch (const UserError& refusal) {
    outcome = refusal.what();
  }
  return without(outcome, std::filesystem::current_path().string() + "/");
}

template <class Write>
void check_recorded_policies(const std::string& file, const std::vector<PolicyInfo>& all,
                             Write write) {
  const std::vector<std::string> values{"0",       "1",  "2",   "7",  "0.5",           "64", "65",
                                        "1000000", "-1", "yes", "no", "no such value", ""};
  for (const PolicyInfo& policy : all) {
    Fnv64 hash;
    hash.add(policy.name + policy.title + policy.paper + outcome_of(policy.name, write));
    for (const ParameterInfo& p : policy.parameters) {
      hash.add(fmt::format("{} {} {} {} {}\n", p.name, p.value, p.unit, p.meaning, p.range));
      for (const std::string& value : values)
        hash.add(outcome_of(policy.name + ":" + p.name + "=" + value, write) + "\n");
      hash.add(outcome_of(policy.name + ":" + p.name + "=" + p.value, write) + "\n");
      hash.add(outcome_of(policy.name + ":" + p.name, write));
    }
    for (const stats::FieldInfo& s : policy.statistics)
      hash.add(fmt::format("{} {} {}\n", s.key, s.unit, s.meaning));
    for (const HardwareCost& cost : policy.hardware)
      hash.add(fmt::format("{} {}\n", cost.name, cost.bits));
    check_recorded_text(file, policy.name, fmt::format("{:016x}", hash.value()));
  }
}

}  // namespace heddle::policies
