// Statistics that a policy reports: counters, levels and records. A policy declares counters and
// levels as tables of fields, like all statistics (stats/fields.h). It adds them to a PolicyReport
// between windows, never while warps issue.
//
//   struct Statistics { std::uint64_t vetoes = 0; static constexpr auto fields(); };
//   struct Levels { std::uint64_t allowed = 0; static constexpr auto fields(); };
//   static std::vector<stats::FieldInfo> records();
//
//   void report_statistics(sm::PolicyReport& report, Cycle now) const override {
//     if (!first_in_sm_) return;  // the SM's first scheduler reports what its schedulers share
//     report.counters("ccws", statistics_);
//     report.levels("ccws", Levels{allowed});
//     if (report.wants_records()) report.record("ccws", "decisions").put("score", score);
//   }
//
// Statistics, Levels and records() are members of the policy's class; `heddle list stats` finds
// them there. Counters grow from the construction of the GPU on; Heddle takes differences per
// kernel and per interval. Levels are values of the moment and appear in rows of --interval only.
// Both are summed over SMs. Records belong to one kernel. run.json names them policy.ccws.vetoes,
// and policy.ccws.allowed in rows of --interval.
//
// Several kernels may run at once. Counters in sm::KernelCounters (kernel_counters.h) are counted
// for each of them. The growth of counters in a plain struct is divided between the kernels that
// run, in proportion to the warp instructions that they issue. Both add up to the GPU's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sm/policy/kernel_counters.h"
#include "stats/flatten.h"

namespace heddle::sm {

class PolicyReport {
 public:
  enum class Contents : std::uint8_t { counters, counters_and_levels, counters_and_records };
  static constexpr int kAllKernels = -1;
  PolicyReport() = default;
  // kernel: the number of a kernel that runs. counters() then has its counters, and undivided()
  // those that are not counted per kernel.
  explicit PolicyReport(Contents contents, int kernel = kAllKernels)
      : contents_(contents), kernel_(kernel) {}

  // "ccws.vetoes" and its value, in the order of the first report.
  using Values = std::vector<std::pair<std::string, std::uint64_t>>;
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
    if (kernel_ == kAllKernels) return add(counters_, policy, values);
    add(counters_, policy, S{});  // keeps the order of the names
    add(undivided_, policy, values);
  }
  template <class S>
  void counters(std::string_view policy, const KernelCounters<S>& values) {
    add(counters_, policy, S{});
    values.for_each([&](int kernel, const S& own) { counters_of(kernel, policy, own); });
  }
  // What a policy counted for one kernel.
  template <class S>
  void counters_of(int kernel, std::string_view policy, const S& values) {
    if (kernel_ == kAllKernels || kernel_ == kernel) add(counters_, policy, values);
  }
  template <class S>
  void levels(std::string_view policy, const S& values) {
    if (wants_levels()) add(levels_, policy, values);
  }
  // Appends a record. The reference is valid until the next call.
  Record& record(std::string_view policy, std::string_view kind) {
    records_.push_back({std::string(policy) + "." + std::string(kind), {}});
    return records_.back();
  }
  bool wants_levels() const { return contents_ == Contents::counters_and_levels; }
  bool wants_records() const { return contents_ == Contents::counters_and_records; }

  const Values& counters() const { return counters_; }
  const Values& undivided() const { return undivided_; }
  const Values& levels() const { return levels_; }
  const std::vector<Record>& records() const { return records_; }

  // Keeps the growth of each counter since `before`.
  void subtract(const PolicyReport& before) {
    for (auto& [name, value] : counters_)
      for (const auto& [known, earlier] : before.counters_)
        if (known == name) value -= earlier;
  }
  // Adds the counters of another report.
  void add(const PolicyReport& other) { add(other.counters_); }
  void add(const Values& counters) {
    for (const auto& [name, value] : counters) into(counters_, name) += value;
  }
  // Adds all that another report has.
  void append(const PolicyReport& other) {
    add(other);
    records_.insert(records_.end(), other.records_.begin(), other.records_.end());
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
  int kernel_ = kAllKernels;
  Values counters_, undivided_, levels_;
  std::vector<Record> records_;
};

}  // namespace heddle::sm
