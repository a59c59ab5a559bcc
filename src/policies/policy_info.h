// A policy as text: its parameters, its statistics, and how reports show it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stats/listing.h"

namespace heddle::policies {

struct ParameterInfo {
  std::string name, unit;
  std::string range;  // "1..64", "oldest|next" or "FILE|auto"
  std::string value;  // the default
  std::string meaning;
  std::string source;  // of the default: a paper, a simulator, or "an interpretation"
};

// A figure that reports compare between two runs.
enum class Topic : std::uint8_t {
  own_lines,
  shared_lines,
  throttling,
  open_rows,
  saturation,
  tail,
  barriers
};

// What a policy's own sentence may use of one run.
struct Counted {
  std::string_view scheduler;                            // as the report calls it
  const std::map<std::string, std::uint64_t>& counters;  // of policies: "ccws.vetoed_loads"
  std::uint64_t l1d_accesses;
  std::uint64_t at(const std::string& name) const {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
  }
};

struct Bar {
  std::string label;
  double value;
  std::string text;  // after the bar
};
using RecordValues = std::function<double(const char* name)>;

// Bars of one kernel: a bar for each record of a kind, or for each bucket of a breakdown.
struct BarChart {
  std::string statistic;  // "last_ctas", without the policy's name
  std::string title, note;
  Bar (*bar_of_record)(const RecordValues&) = nullptr;  // null: a breakdown
};

struct Presentation {
  static constexpr int kNoLook = -1;
  int look = kNoLook;  // the place in the palette of reports, for policies that papers compare
  std::vector<Topic> topics{};  // what its paper measures to show why it works
  // A sentence about its own counters; empty when the run has none.
  std::string (*sentence)(const Counted&) = nullptr;
  std::vector<BarChart> bars{};
  std::string
      issue_patterns{};  // the kind of its records that have the values of lab::IssuePattern
};

// Storage that a policy adds to an SM, by its paper.
struct HardwareCost {
  std::string name;
  std::uint64_t bits = 0;
  std::string meaning;
};

struct PolicyInfo {
  std::string name, title, paper;
  std::vector<ParameterInfo> parameters;
  std::vector<stats::FieldInfo> statistics;  // keys as in run.json, under "policy."
  Presentation presentation;
  std::vector<HardwareCost> hardware;  // of the context's default SM
};

}  // namespace heddle::policies
