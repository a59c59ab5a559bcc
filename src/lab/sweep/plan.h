// The runs of a study: what each depends on, checked before the first run.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "lab/store/store_writer.h"
#include "lab/study.h"
#include "lab/sweep.h"

namespace heddle::lab {

class SweepPlan {
 public:
  // Checks programs, GPUs, parameters, policies and input files of all cases. Throws UserError with
  // the line of the case.
  SweepPlan(const Study& study, const SweepOptions& options);

  const Study& study() const { return study_; }
  // In the study's order. Nothing is kept, so that a large study costs no memory.
  using Use = std::function<void(std::size_t which, const std::string& row, const SweepTask&)>;
  void for_each_task(const Use& use);

 private:
  SweepTask task_of(const StudyCase& one, const std::string& row, bool cta_sharing);
  void add_programs(const StudyCase& one, SweepTask& task);
  std::string path_of(const std::string& program) const;
  std::string inputs_of(const StudyCase& one, const SweepTask& task);
  const std::string& hash_of(const std::string& path);
  void check(const SweepTask& task);

  const Study& study_;
  const SweepOptions& options_;
  std::string simulator_hash_;
  std::vector<std::string> plugins_, plugin_hashes_;
  std::map<std::string, std::string> file_hashes_;           // by path
  std::map<std::string, std::string> configuration_hashes_;  // by GPU and overrides
  std::set<std::string> checked_;  // programs, policies and GPUs that passed
};

struct PlanCounts {
  std::size_t runs = 0, kept = 0;  // distinct runs; of these, in the store already
  std::string replaced;            // when the study was swept with another content; else empty
};

// Writes the study with its cases and queues the runs that the store lacks, in one transaction.
// Throws UserError when the store has another study of this name: one of another file that still
// exists, or of another title.
PlanCounts write_plan(SweepPlan& plan, const SweepOptions& options, StoreWriter& store);

struct DryRun {
  PlanCounts counts;
  double expected_seconds = 0;  // of all runs with an expected time, one after the other
  std::size_t unknown = 0;      // runs to do without an expected time
  double longest_seconds = 0;
  std::uint64_t bytes = 0;  // by which the store grows
};
// The same without writing anything; the store may be missing.
DryRun dry_run(SweepPlan& plan, const SweepOptions& options);

// Cycles and problems of the study's runs, from the store.
SweepResult read_sweep_result(const Study& study, Database& database);
// Judges all expectations and writes their verdicts.
void write_verdicts(const Study& study, const SweepResult& result, Database& database);

}  // namespace heddle::lab
