// What a policy tells about itself: counters, levels and records. A policy declares them as tables
// of fields, like all statistics (stats/fields.h), and hands them over when it is asked, which is
// between windows and never while it works:
//
//   struct Statistics { std::uint64_t vetoes = 0; static constexpr auto fields(); };   // nested in the policy's class, so that
//   struct Levels { std::uint64_t allowed = 0; static constexpr auto fields(); };      // `heddle list stats` knows them
//   static std::vector<stats::FieldInfo> records();
//
//   void report_statistics(sm::PolicyReport& report, Cycle now) const override {
//     if (!leads_sm_) return;                                         // state that schedulers share is told once
//     report.counters("ccws", stats_);                                // grow since the device was built; differences are taken
//     report.levels("ccws", Levels{allowed});                         // of this moment; summed over SMs, in rows of --interval only
//     if (report.wants_records()) report.record("ccws", "decisions").put("sm", sm).put("scores", scores);   // of this kernel
//   }
//
// They appear in run.json as policy.ccws.vetoes, in rows of --interval as that and
// policy.ccws.allowed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stats/flatten.h"

namespace heddle::sm {

class PolicyReport {
 public:
  enum class Contents : std::uint8_t { counters, counters_and_levels, counters_and_records };
  PolicyReport() = default;
  explicit PolicyReport(Contents contents) : contents_(contents) {}

  using Values =
      std::vector<std::pair<std::string, std::uint64_t>>;  // "ccws.vetoes", in the order in which
                                                           // they were first told

  struct Record {
    using Value = std::variant<std::uint64_t, double, std::string, std::vector<std::uint64_t>>;
    std::string kind;  // "ccws.decisions"
    std::vector<std::pair<std::string, Value>> values;
    Record& put(std::string name, std::uint64_t value);
    Record& put(std::string name, double value);
    Record& put(std::string name, std::string value);
    Record& put(std::string name, std::vector<std::uint64_t> value);
  };

  template <class S>
  void counters(std::string_view policy, const S& values) {
    add(counters_, policy, values);
  }
  template <class S>
  void levels(std::string_view policy, const S& values) {
    if (wants_levels()) add(levels_, policy, values);
  }
  // The reference holds until the next record.
  Record& record(std::string_view policy, std::string_view kind) {
    records_.push_back({std::string(policy) + "." + std::string(kind), {}});
    return records_.back();
  }
  bool wants_levels() const { return contents_ == Contents::counters_and_levels; }
  bool wants_records() const { return contents_ == Contents::counters_and_records; }

  const Values& counters() const { return counters_; }
  const Values& levels() const { return levels_; }
  const std::vector<Record>& records() const { return records_; }

  // What was counted since `before` was told.
  void subtract(const PolicyReport& before) {
    for (auto& [name, value] : counters_)
      for (const auto& [known, earlier] : before.counters_)
        if (known == name) value -= earlier;
  }
  // Another kernel's counters.
  void add(const PolicyReport& other) {
    for (const auto& [name, value] : other.counters_) into(counters_, name) += value;
  }

 private:
  template <class S>
  static void add(Values& list, std::string_view policy, const S& values) {
    stats::flatten(
        values, [&](const std::string& name, std::uint64_t value) { into(list, name) += value; },
        std::string(policy) + ".");
  }
  static std::uint64_t& into(Values& list, const std::string& name) {
    for (auto& [known, value] : list)
      if (known == name) return value;
    return list.emplace_back(name, 0).second;
  }

  Contents contents_ = Contents::counters;
  Values counters_, levels_;
  std::vector<Record> records_;
};

}  // namespace heddle::sm
