// Reads a results store (schema.sql, docs/results-store.md). Reading works while a sweep writes.
// Strings and units are those of the schema; times are UTC.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/database.h"

namespace heddle::lab {

struct StoredStatistic {
  std::int64_t id = 0;
  std::string name, unit, meaning;  // "l1d.hits"
};

struct StoredStudy {
  std::int64_t id = 0;
  std::string name, title, file, document;  // document: the content of the file
  std::string baseline;                     // the row over which speed-ups are
  double margin = 0, near = 0;              // shares, as in lab/study.h
  std::string swept;
  struct Row {
    std::string name;
    std::vector<std::string> members;  // names of case_runs; a row takes the fewest cycles of them
  };
  std::vector<Row> rows;
};

struct StoredCase {
  std::int64_t id = 0;
  std::string name, group, workload, gpu;                       // group: empty when there is none
  std::vector<std::pair<std::string, std::string>> parameters;  // values of the grid
  std::vector<std::string> winners;
};

// A scheduler of a case; run_id is empty while the run is missing.
struct StoredCaseRun {
  std::int64_t case_id = 0;
  std::string row, run_key;
  std::optional<std::int64_t> run_id;
};

struct StoredRun {
  std::int64_t id = 0;
  std::string key, program, program_hash, input_hash;  // input_hash: empty without input files
  std::vector<std::string> arguments, overrides;
  std::string gpu, configuration_hash, scheduler, cta_scheduler, share;
  std::int64_t seed = 0, limit_cycles = 0;
  std::string version, simulator_hash;
  std::string status, problem;  // status: "completed" or why there are no results
  int exit_code = 0;
  std::string host, started;
  double wall_seconds = 0, user_seconds = 0;
  std::int64_t peak_memory_bytes = 0;
  // Zero unless completed.
  std::int64_t launches = 0, cycles = 0, warp_instructions = 0, thread_instructions = 0;
  double timed_share = 0;

  bool completed() const { return status == "completed"; }
};

struct StoredKernel {
  std::int64_t id = 0, launch = 0;           // launch counts from 1
  std::string name, simulated, grid, block;  // grid in CTAs, block in threads: "16x1x1"
  std::int64_t registers_per_thread = 0, shared_bytes = 0;
  // Zero or empty when the launch was functional.
  std::int64_t ctas_per_sm = 0, warps_per_sm = 0, start_cycle = 0;
  std::string occupancy_limiter;
  std::int64_t cycles = 0, warp_instructions = 0, thread_instructions = 0;
};

struct StoredExpectation {
  std::int64_t case_id = 0;
  std::string text, reason, verdict;  // verdict: "holds", "fails", "unknown"
};

struct StoredConfiguration {
  std::string hash, gpu, parameters, toml;  // parameters: a JSON object
};

// A row of the study's table in one case. Rows without cycles are left out.
struct StoredSpeedup {
  std::int64_t case_id = 0;
  std::string row;
  std::int64_t cycles = 0;
  double speedup = 0;  // over the baseline row
};

// Which runs; empty texts select all. Texts match as SQL's GLOB: "patterns/*".
struct RunFilter {
  std::string study, program, gpu, scheduler, cta_scheduler, share, status, version;
};

class ResultsStore {
 public:
  // Throws UserError when the file does not exist, is no store, or is of a newer version.
  explicit ResultsStore(const std::string& path);

  const std::string& path() const { return path_; }
  std::vector<StoredStatistic> statistics() const;   // by id
  std::vector<StoredStudy> studies() const;          // by name
  StoredStudy study(const std::string& name) const;  // throws UserError with the known names
  bool has_study(const std::string& name) const;
  std::vector<StoredCase> cases(std::int64_t study_id) const;  // in the study's order
  std::vector<StoredCaseRun> case_runs(std::int64_t study_id) const;
  std::vector<StoredExpectation> expectations(std::int64_t study_id) const;
  std::vector<StoredSpeedup> speedups(std::int64_t study_id) const;

  // One call per run, so that memory does not grow with the store. By program, arguments, GPU and
  // policies.
  void for_each_run(const RunFilter& filter,
                    const std::function<void(const StoredRun&)>& use) const;
  std::optional<StoredRun> run(std::int64_t run_id) const;
  std::optional<StoredRun> run_with_key(const std::string& key) const;
  // All values of a run by name of the statistic.
  std::map<std::string, double> values(std::int64_t run_id) const;
  // One statistic of all runs of a study: run_id -> value.
  std::map<std::int64_t, double> values_of(std::int64_t study_id,
                                           const std::string& statistic) const;
  std::vector<StoredKernel> kernels(std::int64_t run_id) const;  // by launch
  std::map<std::string, double> kernel_values(std::int64_t kernel_id) const;
  std::optional<StoredConfiguration> configuration(const std::string& hash) const;
  // A file that the sweep kept, such as "run.json".
  std::optional<std::string> document(std::int64_t run_id, const std::string& name) const;

 private:
  std::string path_;
  mutable Database database_;
};

}  // namespace heddle::lab
