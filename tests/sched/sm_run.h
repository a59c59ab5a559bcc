// Runs a policy on a whole SM with scripted code and a memory of fixed latency.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sched/catalogue.h"
#include "tests/sm/bench.h"

namespace heddle::sched {

struct SmRun {
  std::string policy;
  config::GpuSpec gpu = sm::test::gtx480();
  std::vector<isa::Instruction> code;
  sm::test::Script::Behave behave;
  int warps = 3, ctas = 6, resident = 4;
  std::uint64_t latency = 300;
};

struct SmOutcome {
  std::uint64_t cycles = 0;
  sm::SmStats stats;
};

inline SmOutcome run_on_sm(const SmRun& run) {
  PolicyContext context;
  context.schedulers = static_cast<int>(run.gpu.sm.schedulers);
  context.in_sm = std::make_shared<SharedState>();
  context.in_gpu = std::make_shared<SharedState>();
  const auto policy = parse_policy(run.policy);
  const auto make = [&](int scheduler) {
    context.scheduler = scheduler;
    return policy->build(context);
  };
  sm::test::Bench bench(run.code, run.behave, run.gpu, run.latency, make);
  const std::uint64_t cycles = bench.run(run.warps, run.ctas, 1, run.resident);
  return {cycles, bench.stats()};
}

// All statistics, for comparison.
inline std::vector<std::uint64_t> all_of(const SmOutcome& outcome) {
  std::vector<std::uint64_t> values{outcome.cycles};
  const auto add = [&](auto&& self, const auto& stats) -> void {
    using S = std::remove_cvref_t<decltype(stats)>;
    stats::for_each_field<S>([&](const auto& field) {
      const auto& member = stats.*(field.member);
      using M = std::remove_cvref_t<decltype(member)>;
      if constexpr (std::is_same_v<M, std::uint64_t>)
        values.push_back(member);
      else if constexpr (requires { member.size(); })
        values.insert(values.end(), member.begin(), member.end());
      else
        self(self, member);
    });
  };
  add(add, outcome.stats);
  return values;
}

}  // namespace heddle::sched
