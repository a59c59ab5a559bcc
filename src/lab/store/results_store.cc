#include "lab/store/results_store.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "lab/json_input.h"
#include "lab/store/row.h"
#include "lab/store/schema.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// An object of texts, as JSON.
std::vector<std::pair<std::string, std::string>> parameters_of(const Statement& row, int column) {
  const ordered_json object = parse_json(row.text(column), row.place(column));
  check_shape(object, {{"*", ""}}, row.place(column));
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto& [key, value] : object.items())
    parameters.emplace_back(key, value.get<std::string>());
  return parameters;
}

const std::string& run_columns() {
  static const std::string columns = ColumnNames<StoredRun>().list();
  return columns;
}

}  // namespace

ResultsStore::ResultsStore(const std::string& path)
    : path_(path), database_(path, Database::Access::read) {
  check_schema(database_);
}

std::vector<StoredStatistic> ResultsStore::statistics() const {
  std::vector<StoredStatistic> list;
  // Identifiers depend on which run ends first.
  Statement rows(database_, "SELECT id, name, unit, meaning FROM statistics ORDER BY name");
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
    while (members.step()) study.rows.push_back({members.text(0), texts_from_json(members, 1)});
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
    one.winners = texts_from_json(rows, 6);
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

void ResultsStore::for_each_run(const RunFilter& filter,
                                const std::function<void(const StoredRun&)>& use) const {
  const auto pattern = [](const std::string& text) { return text.empty() ? "*" : text; };
  Statement rows(
      database_,
      fmt::format("SELECT id, {} FROM runs r WHERE r.program GLOB ?1 AND r.gpu GLOB ?2 AND "
                  "r.scheduler GLOB ?3 AND r.cta_scheduler GLOB ?4 AND r.share GLOB ?5 AND "
                  "r.status GLOB ?6 AND r.version GLOB ?7 AND (?8 = '' OR r.key IN "
                  "(SELECT run_key FROM study_runs WHERE study = ?8)) ORDER BY r.program, "
                  "r.arguments, r.gpu, r.overrides, r.scheduler, r.cta_scheduler, r.share, r.id",
                  run_columns()));
  rows.bind(pattern(filter.program), pattern(filter.gpu), pattern(filter.scheduler),
            pattern(filter.cta_scheduler), pattern(filter.share), pattern(filter.status),
            pattern(filter.version), filter.study);
  while (rows.step()) use(RowReader::read<StoredRun>(rows));
}

std::optional<StoredRun> ResultsStore::run(std::int64_t run_id) const {
  Statement rows(database_, fmt::format("SELECT id, {} FROM runs r WHERE r.id = ?", run_columns()));
  if (!rows.bind(run_id).step()) return {};
  return RowReader::read<StoredRun>(rows);
}

std::vector<std::string> ResultsStore::cases_of(const std::string& run_key,
                                                const std::string& study) const {
  std::vector<std::string> names;
  Statement rows(database_,
                 "SELECT DISTINCT c.name FROM case_runs r JOIN cases c ON c.id = r.case_id "
                 "JOIN studies s ON s.id = c.study_id WHERE r.run_key = ?1 AND "
                 "(?2 = '' OR s.name = ?2) ORDER BY s.id, c.ordinal");
  rows.bind(run_key, study);
  while (rows.step()) names.push_back(rows.text(0));
  return names;
}

std::map<std::string, double> ResultsStore::values(std::int64_t run_id) const {
  std::map<std::string, double> values;
  Statement rows(database_, "SELECT statistic, value FROM run_statistics WHERE run_id = ?");
  rows.bind(run_id);
  while (rows.step()) values[rows.text(0)] = rows.real(1);
  return values;
}

std::map<std::string, double> ResultsStore::bars(std::int64_t run_id) const {
  Statement rows(database_,
                 "SELECT s.name, e.bar FROM estimates e JOIN statistics s ON s.id = e.statistic_id "
                 "WHERE e.run_id = ?");
  rows.bind(run_id);
  std::map<std::string, double> bars;
  while (rows.step()) bars[rows.text(0)] = rows.real(1);
  return bars;
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
                 fmt::format("SELECT id, {} FROM kernels WHERE run_id = ? ORDER BY launch",
                             ColumnNames<StoredKernel>().list()));
  rows.bind(run_id);
  while (rows.step()) list.push_back(RowReader::read<StoredKernel>(rows));
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
