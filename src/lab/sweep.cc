#include "lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/sweep/local_executor.h"
#include "lab/sweep/own_sweeps.h"
#include "lab/sweep/plan.h"
#include "lab/sweep/slurm_executor.h"
#include "lab/sweep/submissions.h"

namespace heddle::lab {

bool SweepResult::failed() const {
  return std::any_of(cases.begin(), cases.end(),
                     [](const CaseResult& one) { return !one.problems.empty(); });
}

namespace {

// The scheduler with the fewest cycles among those of the row.
auto fewest_cycles(const Study& study, const CaseResult& result, const std::string& row) {
  auto fewest = result.cycles.end();
  for (const std::string& scheduler : study.schedulers_of(row)) {
    const auto found = result.cycles.find(scheduler);
    if (found == result.cycles.end()) continue;
    if (fewest == result.cycles.end() || found->second < fewest->second) fewest = found;
  }
  return fewest;
}

}  // namespace

std::optional<std::uint64_t> SweepResult::cycles(const Study& study, std::size_t which,
                                                 const std::string& row) const {
  const auto fewest = fewest_cycles(study, cases[which], row);
  if (fewest == cases[which].cycles.end()) return {};
  return fewest->second;
}

double SweepResult::bar(const Study& study, std::size_t which, const std::string& row) const {
  const auto fewest = fewest_cycles(study, cases[which], row);
  if (fewest == cases[which].cycles.end()) return 0;
  const auto found = cases[which].bars.find(fewest->first);
  return found == cases[which].bars.end() ? 0 : found->second;
}

std::optional<CorunScore> SweepResult::corun(const Study& study, std::size_t which,
                                             const std::string& row) const {
  const auto fewest = fewest_cycles(study, cases[which], row);
  if (fewest == cases[which].cycles.end()) return {};
  const auto score = cases[which].coruns.find(fewest->first);
  if (score == cases[which].coruns.end()) return {};
  return score->second;
}

SweepResult run_sweep(const Study& study, const SweepOptions& options,
                      const SweepListener& listener) {
  SweepPlan plan(study, options);
  if (options.slurm) require_slurm();
  StoreWriter store(options.store, options.plugins);
  const auto note = [&](const std::string& text) {
    if (listener.note) listener.note(text);
  };
  for (const Submission& one : forget_foreign_submissions(store))
    note(fmt::format("{} is forgotten: the folder {} carries no mark of this store", one.name,
                     one.folder));
  const PlanCounts counts = write_plan(plan, options, store);
  if (!counts.replaced.empty())
    note(
        fmt::format("the study {} has changed since it was swept at {}: its cases and "
                    "expectations in {} are replaced, its runs are kept",
                    study.name, counts.replaced, options.store));
  note_own_sweep(store.database(), study.name);
  const ExecutionResult execution = options.slurm
                                        ? execute_on_slurm(study, options, listener, store)
                                        : execute_locally(options, listener, store);
  SweepResult result = read_sweep_result(study, store.database());
  write_verdicts(study, result, store.database());
  result.runs = execution.runs;
  result.kept = counts.kept;
  result.interrupted = execution.interrupted;
  result.submitted = execution.submitted;
  result.unconfirmed = execution.unconfirmed;
  return result;
}

ExpectationVerdict judge(const Study& study, const SweepResult& result, std::size_t which,
                         const Expectation& expectation) {
  bool holds = true, sure = true;
  for (std::size_t i = 0; i < expectation.relations.size(); ++i) {
    const auto left = result.cycles(study, which, expectation.names[i]),
               right = result.cycles(study, which, expectation.names[i + 1]);
    if (!left || !right) return ExpectationVerdict::unknown;
    const auto agrees = [&](double ratio) {  // above 1: the left one is faster
      return expectation.relations[i] == '>'
                 ? ratio > 1 + study.margin
                 : ratio <= 1 + study.near && ratio >= 1 / (1 + study.near);
    };
    const auto a = static_cast<double>(*left), b = static_cast<double>(*right);
    const double of_a = result.bar(study, which, expectation.names[i]),
                 of_b = result.bar(study, which, expectation.names[i + 1]);
    const bool agree = agrees(b / a);
    holds = holds && agree;
    // Estimates decide it only when both ends of their bars do.
    sure = sure && agrees((b - of_b) / (a + of_a)) == agree &&
           agrees((b + of_b) / std::max(1.0, a - of_a)) == agree;
  }
  if (!sure) return ExpectationVerdict::unknown;
  return holds ? ExpectationVerdict::holds : ExpectationVerdict::fails;
}

}  // namespace heddle::lab
