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
#include "lab/store/run_record.h"

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

// A row of the table `runs`.
struct StoredRun {
  std::int64_t id = 0;
  std::string key;
  RunIdentity identity;              // without what has no column
  std::vector<std::string> changes;  // identity.changes()
  HostLimits limits;
  RunRecord record;  // without results
  // Nothing unless completed.
  std::optional<std::uint64_t> launches, cycles, warp_instructions, thread_instructions;
  std::optional<double> timed_share;

  template <class Self, class Archive>
  static void columns(Self& self, Archive& archive) {
    archive("key", self.key);
    RunIdentity::columns(self.identity, archive);
    archive("input_hash", or_null(self.identity.input_hash))("overrides", self.changes);
    archive("time_limit_seconds", or_null(self.limits.seconds));
    archive("memory_limit_bytes", or_null(self.limits.memory_bytes));
    RunRecord::columns(self.record, archive);
    archive("launches", self.launches)("timed_share", self.timed_share)("cycles", self.cycles);
    archive("warp_instructions", self.warp_instructions);
    archive("thread_instructions", self.thread_instructions);
  }

  bool completed() const { return record.status == RunStatus::completed; }
};

struct StoredKernel {
  std::int64_t id = 0, run_id = 0;
  std::uint64_t launch = 0;                  // counts from 1
  std::string name, simulated, grid, block;  // grid in CTAs, block in threads: "16x1x1"
  std::uint64_t registers_per_thread = 0, shared_bytes = 0;
  // Nothing when the launch was functional.
  std::optional<std::uint64_t> ctas_per_sm, warps_per_sm, start_cycle;
  std::optional<std::string> occupancy_limiter;
  std::uint64_t cycles = 0, warp_instructions = 0, thread_instructions = 0;

  template <class Self, class Archive>
  static void columns(Self& self, Archive& archive) {
    archive("run_id", self.run_id)("launch", self.launch)("name", self.name);
    archive("simulated", self.simulated)("grid", self.grid)("block", self.block);
    archive("registers_per_thread", self.registers_per_thread)("shared_bytes", self.shared_bytes);
    archive("ctas_per_sm", self.ctas_per_sm)("warps_per_sm", self.warps_per_sm);
    archive("occupancy_limiter", self.occupancy_limiter)("start_cycle", self.start_cycle);
    archive("cycles", self.cycles)("warp_instructions", self.warp_instructions);
    archive("thread_instructions", self.thread_instructions);
  }
};

struct StoredExpectation {
  std::int64_t case_id = 0;
  std::string text, reason, verdict;  // verdict: "holds", "fails", "unknown"
};

struct StoredConfiguration {
  std::string hash, gpu, parameters, toml;  // parameters: a JSON object
};

// A row of the study's table in one case. Rows without cycles are left out.
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

  // One call per run, so that memory does not grow with the store. By program, arguments, GPU and
  // policies.
  void for_each_run(const RunFilter& filter,
                    const std::function<void(const StoredRun&)>& use) const;
  std::optional<StoredRun> run(std::int64_t run_id) const;
  // The names of the cases that the run belongs to, of a study or, without its name, of all.
  std::vector<std::string> cases_of(const std::string& run_key, const std::string& study) const;
  // All values of a run by name of the statistic.
  std::map<std::string, double> values(std::int64_t run_id) const;
  // Of a sampled run: the statistics with an error bar, and half its width.
  std::map<std::string, double> bars(std::int64_t run_id) const;
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
