// A policy and its parameters as text: what `heddle list schedulers` and `heddle list parameters`
// print.
#pragma once

#include <string>
#include <vector>

#include "stats/listing.h"

namespace heddle::sched {

struct ParameterInfo {
  std::string name, unit;
  std::string range;  // "1..64", "oldest|next" or "FILE|auto"
  std::string value;  // the default
  std::string meaning;
  std::string source;  // of the default: a paper, a simulator, or "an interpretation"
};

struct PolicyInfo {
  std::string name, title, paper;
  std::vector<ParameterInfo> parameters;
  std::vector<stats::FieldInfo> statistics;  // keys as in run.json, under "policy."
};

}  // namespace heddle::sched
