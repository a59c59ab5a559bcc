#include "lab/store/results_store.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "lab/json_input.h"
#include "lab/store/schema.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// A list of texts, as JSON.
std::vector<std::string> texts_of(const Statement& row, int column) {
  const ordered_json list = parse_json(row.text(column), row.place(column));
  check_shape(list, ordered_json::array({""}), row.place(column));
  return list.get<std::vector<std::string>>();
}

// An object of texts, as JSON.
std::vector<std::pair<std::string, std::string>> parameters_of(const Statement& row, int column) {
  const ordered_json object = parse_json(row.text(column), row.place(column));
  check_shape(object, {{"*", ""}}, row.place(column));
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto& [key, value] : object.items())
    parameters.emplace_back(key, value.get<std::string>());
  return parameters;
}

constexpr const char* kRunColumns =
    "r.id, r.key, r.program, r.program_hash, r.input_hash, r.arguments, r.overrides, r.gpu, "
    "r.configuration_hash, r.scheduler, r.cta_scheduler, r.share, r.seed, r.limit_cycles, "
    "r.version, r.simulator_hash, r.status, r.problem, r.exit_code, r.host, r.started, "
    "r.wall_seconds, r.user_seconds, r.peak_memory_bytes, r.launches, r.cycles, "
    "r.warp_instructions, r.thread_instructions, r.timed_share";

StoredRun read_run(const Statement& row) {
  StoredRun run;
  int at = 0;
  const auto integer = [&] { return row.integer(at++); };
  const auto text = [&] { return row.text(at++); };
  const auto real = [&] { return row.real(at++); };
  run.id = integer();
  run.key = text();
  run.program = text();
  run.program_hash = text();
  run.input_hash = text();
  run.arguments = texts_of(row, at++);
  run.overrides = texts_of(row, at++);
  run.gpu = text();
  run.configuration_hash = text();
  run.scheduler = text();
  run.cta_scheduler = text();
  run.share = text();
  run.seed = integer();
  run.limit_cycles = integer();
  run.version = text();
  run.simulator_hash = text();
  run.status = text();
  run.problem = text();
  run.exit_code = static_cast<int>(integer());
  run.host = text();
  run.started = text();
  run.wall_seconds = real();
  run.user_seconds = real();
  run.peak_memory_bytes = integer();
  run.launches = integer();
  run.cycles = integer();
  run.warp_instructions = integer();
  run.thread_instructions = integer();
  run.timed_share = real();
  return run;
}

}  // namespace

ResultsStore::ResultsStore(const std::string& path)
    : path_(path), database_(path, Database::Access::read) {
  check_schema(database_);
}

std::vector<StoredStatistic> ResultsStore::statistics() const {
  std::vector<StoredStatistic> list;
  Statement rows(database_, "SELECT id, name, unit, meaning FROM statistics ORDER BY id");
  while (rows.step()) list.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.text(3)});
  return list;
}

std::vector<StoredStudy> ResultsStore::studies() const {
  std::vector<StoredStudy> list;
  Statement studies(database_,
                    "SELECT id, name, title, file, document, baseline, margin, near, swept "
                    "FROM studies ORDER BY name");
  Statement members(database_,
                    "SELECT name, members FROM study_rows WHERE study_id = ? ORDER BY ordinal");
  while (studies.step()) {
    StoredStudy study{
        studies.integer(0), studies.text(1), studies.text(2), studies.text(3), studies.text(4),
        studies.text(5),    studies.real(6), studies.real(7), studies.text(8), {}};
    members.bind(study.id);
    while (members.step()) study.rows.push_back({members.text(0), texts_of(members, 1)});
    list.push_back(std::move(study));
  }
  return list;
}

StoredStudy ResultsStore::study(const std::string& name) const {
  std::string known;
  for (StoredStudy& study : studies()) {
    if (study.name == name) return std::move(study);
    known += (known.empty() ? "" : ", ") + study.name;
  }
  throw UserError(fmt::format("store {}: there is no study {}; it has {}", path_, name,
                              known.empty() ? "none" : known));
}

bool ResultsStore::has_study(const std::string& name) const {
  const std::vector<StoredStudy> known = studies();
  return std::any_of(known.begin(), known.end(),
                     [&](const StoredStudy& study) { return study.name == name; });
}

std::vector<StoredCase> ResultsStore::cases(std::int64_t study_id) const {
  std::vector<StoredCase> list;
  Statement rows(database_,
                 "SELECT id, name, group_name, workload, gpu, parameters, winners FROM cases "
                 "WHERE study_id = ? ORDER BY ordinal");
  rows.bind(study_id);
  while (rows.step()) {
    StoredCase one{rows.integer(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), {}, {}};
    one.parameters = parameters_of(rows, 5);
    one.winners = texts_of(rows, 6);
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<StoredCaseRun> ResultsStore::case_runs(std::int64_t study_id) const {
  std::vector<StoredCaseRun> list;
  Statement rows(database_,
                 "SELECT case_id, row, run_key, run_id FROM study_runs WHERE study_id = ? "
                 "ORDER BY case_ordinal");
  rows.bind(study_id);
  while (rows.step()) {
    StoredCaseRun one{rows.integer(0), rows.text(1), rows.text(2), {}};
    if (!rows.is_null(3)) one.run_id = rows.integer(3);
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<StoredExpectation> ResultsStore::expectations(std::int64_t study_id) const {
  std::vector<StoredExpectation> list;
  Statement rows(database_,
                 "SELECT e.case_id, e.text, e.reason, e.verdict FROM expectations e "
                 "JOIN cases c ON c.id = e.case_id WHERE c.study_id = ? "
                 "ORDER BY c.ordinal, e.ordinal");
  rows.bind(study_id);
  while (rows.step()) list.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.text(3)});
  return list;
}

std::vector<StoredSpeedup> ResultsStore::speedups(std::int64_t study_id) const {
  std::vector<StoredSpeedup> list;
  Statement rows(database_,
                 "SELECT case_id, row, cycles, speedup FROM speedups WHERE study_id = ? "
                 "ORDER BY case_ordinal, row_ordinal");
  rows.bind(study_id);
  while (rows.step())
    list.push_back({rows.integer(0), rows.text(1), rows.integer(2), rows.real(3)});
  return list;
}

void ResultsStore::for_each_run(const RunFilter& filter,
                                const std::function<void(const StoredRun&)>& use) const {
  const auto pattern = [](const std::string& text) { return text.empty() ? "*" : text; };
  Statement rows(
      database_,
      fmt::format("SELECT {} FROM runs r WHERE r.program GLOB ?1 AND r.gpu GLOB ?2 AND "
                  "r.scheduler GLOB ?3 AND r.cta_scheduler GLOB ?4 AND r.share GLOB ?5 AND "
                  "r.status GLOB ?6 AND r.version GLOB ?7 AND (?8 = '' OR r.key IN "
                  "(SELECT run_key FROM study_runs WHERE study = ?8)) ORDER BY r.program, "
                  "r.arguments, r.gpu, r.overrides, r.scheduler, r.cta_scheduler, r.share, r.id",
                  kRunColumns));
  rows.bind(pattern(filter.program), pattern(filter.gpu), pattern(filter.scheduler),
            pattern(filter.cta_scheduler), pattern(filter.share), pattern(filter.status),
            pattern(filter.version), filter.study);
  while (rows.step()) use(read_run(rows));
}

std::optional<StoredRun> ResultsStore::run(std::int64_t run_id) const {
  Statement rows(database_, fmt::format("SELECT {} FROM runs r WHERE r.id = ?", kRunColumns));
  if (!rows.bind(run_id).step()) return {};
  return read_run(rows);
}

std::optional<StoredRun> ResultsStore::run_with_key(const std::string& key) const {
  Statement rows(database_, fmt::format("SELECT {} FROM runs r WHERE r.key = ?", kRunColumns));
  if (!rows.bind(key).step()) return {};
  return read_run(rows);
}

std::map<std::string, double> ResultsStore::values(std::int64_t run_id) const {
  std::map<std::string, double> values;
  Statement rows(database_, "SELECT statistic, value FROM run_statistics WHERE run_id = ?");
  rows.bind(run_id);
  while (rows.step()) values[rows.text(0)] = rows.real(1);
  return values;
}

std::map<std::int64_t, double> ResultsStore::values_of(std::int64_t study_id,
                                                       const std::string& statistic) const {
  std::map<std::int64_t, double> values;
  Statement rows(database_,
                 "SELECT x.run_id, v.value FROM (SELECT DISTINCT run_id FROM study_runs "
                 "WHERE study_id = ?1 AND run_id IS NOT NULL) x JOIN run_values v "
                 "ON v.run_id = x.run_id AND v.statistic_id = "
                 "(SELECT id FROM statistics WHERE name = ?2)");
  rows.bind(study_id, statistic);
  while (rows.step()) values[rows.integer(0)] = rows.real(1);
  return values;
}

std::vector<StoredKernel> ResultsStore::kernels(std::int64_t run_id) const {
  std::vector<StoredKernel> list;
  Statement rows(database_,
                 "SELECT id, launch, name, simulated, grid, block, registers_per_thread, "
                 "shared_bytes, ctas_per_sm, warps_per_sm, start_cycle, occupancy_limiter, "
                 "cycles, warp_instructions, thread_instructions FROM kernels "
                 "WHERE run_id = ? ORDER BY launch");
  rows.bind(run_id);
  while (rows.step())
    list.push_back({rows.integer(0), rows.integer(1), rows.text(2), rows.text(3), rows.text(4),
                    rows.text(5), rows.integer(6), rows.integer(7), rows.integer(8),
                    rows.integer(9), rows.integer(10), rows.text(11), rows.integer(12),
                    rows.integer(13), rows.integer(14)});
  return list;
}

std::map<std::string, double> ResultsStore::kernel_values(std::int64_t kernel_id) const {
  std::map<std::string, double> values;
  Statement rows(database_,
                 "SELECT s.name, v.value FROM kernel_values v "
                 "JOIN statistics s ON s.id = v.statistic_id WHERE v.kernel_id = ?");
  rows.bind(kernel_id);
  while (rows.step()) values[rows.text(0)] = rows.real(1);
  return values;
}

std::optional<StoredConfiguration> ResultsStore::configuration(const std::string& hash) const {
  Statement rows(database_,
                 "SELECT hash, gpu, parameters, toml FROM configurations WHERE hash = ?");
  if (!rows.bind(hash).step()) return {};
  return StoredConfiguration{rows.text(0), rows.text(1), rows.text(2), rows.text(3)};
}

std::optional<std::string> ResultsStore::document(std::int64_t run_id,
                                                  const std::string& name) const {
  Statement rows(database_, "SELECT content FROM documents WHERE run_id = ? AND name = ?");
  if (!rows.bind(run_id, name).step()) return {};
  return rows.text(0);
}

}  // namespace heddle::lab
