#include "lab/sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/diagnostics.h"
#include "config/config.h"
#include "config/json_text.h"
#include "cuda/kernels/description.h"
#include "lab/installation.h"
#include "lab/preparation.h"
#include "lab/store/clock.h"
#include "lab/store/schema.h"
#include "lab/study_row.h"
#include "lab/sweep/corun_task.h"
#include "lab/sweep/forecast.h"
#include "lab/sweep/task_queue.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What a run takes in a store that has none to measure: values of a run with one launch.
constexpr std::uint64_t kTypicalBytesPerRun = 7'000;

// A run that need not be repeated: completed, a fault of the program, or beyond limits that are not
// larger now. Other failures may be those of the machine.
class FinishedRuns {
 public:
  explicit FinishedRuns(Database& database)
      : find_(database,
              "SELECT status, time_limit_seconds, memory_limit_bytes FROM runs WHERE key = ?") {}

  bool contains(const SweepTask& task) {
    bool finished = false;
    find_.bind(task.key);
    while (find_.step()) {
      const std::string status = find_.text(0);
      const HostLimits& now = task.limits;
      finished = status == to_string(RunStatus::completed) ||
                 status == to_string(RunStatus::fault) ||
                 (status == to_string(RunStatus::time_limit) && now.seconds > 0 &&
                  now.seconds <= find_.real(1)) ||
                 (status == to_string(RunStatus::memory_limit) && now.memory_bytes > 0 &&
                  now.memory_bytes <= static_cast<std::uint64_t>(find_.integer(2)));
    }
    return finished;
  }

 private:
  Statement find_;
};

// Returns when the study was swept with another content; empty if it was not.
std::string check_known_study(const Study& study, Database& database) {
  Statement known(database, "SELECT file, title, document, swept FROM studies WHERE name = ?");
  if (!known.bind(study.name).step()) return {};
  const std::string file = known.text(0);
  std::error_code gone;
  const bool same_file = file == study.file || fs::equivalent(file, study.file, gone);
  const bool moved = !fs::exists(file, gone) && known.text(1) == study.title;
  if (!same_file && !moved && known.text(2) != study.document)
    throw UserError({study.shown_file, 0, 0},
                    fmt::format("store {} has another study \"{}\", \"{}\" of {}; give this file "
                                "another name, or sweep it into another store with --out",
                                database.path(), study.name, known.text(1), file));
  return known.text(2) == study.document ? std::string() : known.text(3);
}

std::int64_t write_study(const Study& study, const SweepOptions& options, Database& database) {
  Statement insert(database,
                   "INSERT INTO studies(name, title, file, document, options, baseline, margin, "
                   "near, swept) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(name) DO UPDATE SET "
                   "title = excluded.title, file = excluded.file, document = excluded.document, "
                   "options = excluded.options, baseline = excluded.baseline, "
                   "margin = excluded.margin, near = excluded.near, swept = excluded.swept "
                   "RETURNING id");
  insert.bind(study.name, study.title, study.file, study.document,
              config::kept_json_text(ordered_json(options)), study.rows.front(), study.margin,
              study.near, utc_now());
  std::int64_t id = 0;
  while (insert.step()) id = insert.integer(0);
  Statement(database, "DELETE FROM study_rows WHERE study_id = ?").bind(id).run();
  Statement(database, "DELETE FROM cases WHERE study_id = ?").bind(id).run();
  Statement row(database, "INSERT INTO study_rows VALUES(?, ?, ?, ?)");
  for (std::size_t i = 0; i < study.rows.size(); ++i)
    row.bind(id, i, study.rows[i],
             config::json_text(ordered_json(study.schedulers_of(study.rows[i]))))
        .run();
  return id;
}

// Returns the ids of the cases, in the study's order.
std::vector<std::int64_t> write_cases(const Study& study, std::int64_t study_id,
                                      Database& database) {
  std::vector<std::int64_t> ids;
  Statement insert(database,
                   "INSERT INTO cases(study_id, ordinal, name, group_name, workload, gpu, "
                   "parameters, winners) VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  Statement claim(database,
                  "INSERT INTO expectations(case_id, ordinal, text, reason, verdict) "
                  "VALUES(?, ?, ?, ?, 'unknown')");
  const auto or_null = [](const std::string& text) {
    return text.empty() ? std::optional<std::string>() : text;
  };
  for (const StudyCase& one : study.cases) {
    ordered_json parameters = ordered_json::object();
    for (const auto& [name, value] : one.parameters) parameters[name] = value;
    insert.bind(study_id, ids.size(), one.name, or_null(one.group), one.workload, one.run.gpu,
                config::json_text(parameters), config::json_text(ordered_json(one.winners)));
    insert.run();
    ids.push_back(database.last_row_id());
    for (std::size_t i = 0; i < one.expectations.size(); ++i)
      claim.bind(ids.back(), i, one.expectations[i].text, or_null(one.expectations[i].reason))
          .run();
  }
  return ids;
}

bool is_wanted(const SweepPlan& plan, const SweepOptions& options, std::size_t which,
               const std::string& row) {
  return !options.wanted || options.wanted(plan.study().cases[which], row);
}

}  // namespace

SweepPlan::SweepPlan(const Study& study, const SweepOptions& options)
    : study_(study), options_(options), simulator_hash_(file_hash(runtime_library())) {
  for (const std::string& plugin : options.plugins) {
    plugins_.push_back(fs::absolute(plugin).lexically_normal().string());
    plugin_hashes_.push_back(hash_of(plugin));
  }
  for_each_task([](std::size_t, const std::string&, const SweepTask&) {});
}

void SweepPlan::for_each_task(const Use& use) {
  for (std::size_t i = 0; i < study_.cases.size(); ++i) {
    const StudyCase& one = study_.cases[i];
    try {
      const bool cta_sharing = differ_in_cta_scheduler(one.schedulers);
      for (const std::string& row : one.schedulers) use(i, row, task_of(one, row, cta_sharing));
    } catch (const UserError& error) {
      throw UserError({study_.shown_file, one.line, 0},
                      fmt::format("case \"{}\": {}", one.name, error.what()));
    }
  }
}

std::string SweepPlan::path_of(const std::string& name) const {
  if (name.starts_with("/")) return name;
  if (name.starts_with("./") || name.starts_with("../"))
    return (fs::path(study_.file).parent_path() / name).lexically_normal().string();
  return fs::absolute(options_.programs + "/" + name).lexically_normal().string();
}

const std::string& SweepPlan::hash_of(const std::string& path) {
  const auto [at, added] = file_hashes_.try_emplace(path);
  if (added) at->second = file_hash(path);
  return at->second;
}

// Of the case's input files, of arguments that are files, and of files that policies read.
std::string SweepPlan::inputs_of(const StudyCase& one, const SweepTask& task) {
  std::string all;
  const auto add_file = [&](const std::string& path) {
    if (fs::is_regular_file(path)) all += hash_of(path);
  };
  for (const std::string& path : one.inputs) {
    if (!fs::is_regular_file(path)) throw UserError("there is no input file " + path);
    add_file(path);
  }
  for (const std::string& argument : task.identity.arguments) add_file(argument);
  if (!task.is_corun() && cuda::is_kernel_description(task.program_path))
    for (const std::string& file : cuda::read_kernel_description(task.program_path).files)
      add_file(file);
  for (const std::string* policy : {&task.identity.run.scheduler, &task.identity.run.cta_scheduler})
    for (std::size_t from = policy->find('='); from != std::string::npos;
         from = policy->find('=', from + 1))
      add_file(policy->substr(from + 1, policy->find_first_of(",+", from) - from - 1));
  return all.empty() ? all : content_hash(all);
}

// The programs of a co-run.
void SweepPlan::add_programs(const StudyCase& one, SweepTask& task) {
  RunIdentity& id = task.identity;
  std::string hashes;
  for (const StudyProgram& program : one.corun) {
    if (!id.corun.empty()) id.arguments.emplace_back(kNextProgram);
    id.program += fmt::format("{}{}", id.corun.empty() ? "" : fmt::format(" {} ", kNextProgram),
                              program.program[0]);
    id.arguments.insert(id.arguments.end(), program.program.begin() + 1, program.program.end());
    id.corun.push_back(program.name);
    TaskProgram& added = task.corun.emplace_back();
    added.command = program.program;
    added.registers = program.registers;
    added.command[0] = path_of(program.program[0]);
    hashes += added.hash = hash_of(added.command[0]);
  }
  id.program_hash = content_hash(hashes);
  id.once = one.once;
  task.program_path = task.corun[0].command[0];
}

SweepTask SweepPlan::task_of(const StudyCase& one, const std::string& row, bool cta_sharing) {
  const StudyRow policies = StudyRow::of(row);
  SweepTask task;
  RunIdentity& id = task.identity;
  id.run = one.run;
  id.run.program.clear();
  if (one.corun.empty()) {
    id.program = one.run.program[0];
    id.arguments.assign(one.run.program.begin() + 1, one.run.program.end());
    task.program_path = path_of(id.program);
  } else {
    add_programs(one, task);
  }
  id.run.scheduler = policies.pair.scheduler;
  task.plugins = plugins_;
  if (task.is_corun() || !needs_earlier_run(task.request())) id.run.profile_arguments.clear();
  id.sample = one.sample;
  id.run.cta_scheduler = policies.pair.cta_scheduler;
  id.run.share = policies.share;
  id.run.watch.cta_sharing = cta_sharing;
  id.run.watch.details |= options_.details;
  id.plugin_hashes = plugin_hashes_;
  id.version = HEDDLE_VERSION;
  id.simulator_hash = simulator_hash_;
  task.limits = one.limits;
  std::string& configuration =
      configuration_hashes_[fmt::format("{}\n{}", one.run.gpu, fmt::join(one.run.overrides, "\n"))];
  if (configuration.empty())
    configuration = config::hash(config::load_gpu(one.run.gpu, one.run.overrides));
  id.configuration_hash = configuration;
  check(task);
  if (!task.is_corun()) id.program_hash = hash_of(task.program_path);
  id.input_hash = inputs_of(one, task);
  task.key = id.key();
  return task;
}

// Loading a GPU takes most of the time, so a run is checked whole only when one of its other parts
// was not checked before.
void SweepPlan::check(const SweepTask& task) {
  const RunIdentity& id = task.identity;
  std::vector<std::string> parts{"scheduler " + id.run.scheduler, "cta " + id.run.cta_scheduler,
                                 "share " + id.run.share, "gpu " + id.run.gpu};
  if (task.is_corun()) parts.push_back(fmt::format("{} programs", task.corun.size()));
  for (const TaskProgram& one : task.corun) parts.push_back("program " + one.command[0]);
  if (!task.is_corun()) parts.push_back("program " + task.program_path);
  if (std::all_of(parts.begin(), parts.end(),
                  [&](const std::string& part) { return checked_.contains(part); }))
    return;
  // UserError for what cannot run
  if (task.is_corun()) {
    check_corun(corun_request(task));
  } else {
    RunRequest request = task.request();
    if (needs_earlier_run(request)) request.scheduler.clear();
    static_cast<void>(PreparedRun{request});
  }
  checked_.insert(parts.begin(), parts.end());
}

PlanCounts write_plan(SweepPlan& plan, const SweepOptions& options, StoreWriter& store) {
  PlanCounts counts;
  Database& database = store.database();
  StoreTransaction transaction(database);
  counts.replaced = check_known_study(plan.study(), database);
  const std::int64_t study_id = write_study(plan.study(), options, database);
  const std::vector<std::int64_t> cases = write_cases(plan.study(), study_id, database);
  TaskQueue queue(database);
  queue.clear_waiting();
  Forecast forecast(database);
  FinishedRuns finished(database);
  Statement link(database, "INSERT INTO case_runs VALUES(?, ?, ?)");
  Statement others(database, "SELECT COUNT(*) FROM case_runs WHERE run_key = ? AND case_id >= ?");
  std::set<std::string> wanted;  // keys that were counted; unused when all runs are wanted
  plan.for_each_task([&](std::size_t which, const std::string& row, const SweepTask& task) {
    others.bind(task.key, cases.front()).step();
    const bool first = others.integer(0) == 0;
    others.bind();
    link.bind(cases[which], row, task.key).run();
    if (options.wanted ? !is_wanted(plan, options, which, row) || !wanted.insert(task.key).second
                       : !first)
      return;
    ++counts.runs;
    if (finished.contains(task))
      ++counts.kept;
    else
      queue.add(task, forecast.expected_seconds(task.identity));
  });
  transaction.commit();
  return counts;
}

DryRun dry_run(SweepPlan& plan, const SweepOptions& options) {
  DryRun result;
  std::optional<Database> database;
  std::optional<Forecast> forecast;
  std::optional<FinishedRuns> finished;
  std::uint64_t bytes_per_run = kTypicalBytesPerRun;
  if (fs::exists(options.store)) {
    database.emplace(options.store, Database::Access::read);
    check_schema(*database);
    forecast.emplace(*database);
    finished.emplace(*database);
    Statement runs(*database, "SELECT COUNT(*) FROM runs");
    runs.step();
    if (runs.integer(0) >= 10)
      bytes_per_run = fs::file_size(options.store) / static_cast<std::uint64_t>(runs.integer(0));
  }
  std::set<std::string> keys;
  plan.for_each_task([&](std::size_t which, const std::string& row, const SweepTask& task) {
    if (!is_wanted(plan, options, which, row)) return;
    if (!keys.insert(task.key).second) return;
    ++result.counts.runs;
    if (finished && finished->contains(task)) {
      ++result.counts.kept;
      return;
    }
    result.bytes += bytes_per_run;
    const auto expected =
        forecast ? forecast->expected_seconds(task.identity) : std::optional<double>();
    if (!expected) {
      ++result.unknown;
      return;
    }
    result.expected_seconds += *expected;
    result.longest_seconds = std::max(result.longest_seconds, *expected);
  });
  return result;
}

namespace {

void read_corun_scores(const Study& study, Database& database, SweepResult& result) {
  Statement values(database,
                   "SELECT x.case_ordinal, x.row, s.name, v.value, ifnull(e.bar, 0) "
                   "FROM study_runs x JOIN run_values v ON v.run_id = x.run_id "
                   "JOIN statistics s ON s.id = v.statistic_id "
                   "LEFT JOIN estimates e ON e.run_id = x.run_id AND e.statistic_id = s.id "
                   "WHERE x.study = ? AND (s.name = 'stp' OR s.name GLOB 'programs.*.progress')");
  values.bind(study.name);
  while (values.step()) {
    const auto which = static_cast<std::size_t>(values.integer(0));
    const std::vector<StudyProgram>& programs = study.cases.at(which).corun;
    CorunScore& score = result.cases[which].coruns[values.text(1)];
    score.progress.resize(programs.size());
    if (values.text(2) == "stp") {
      score.stp = values.real(3);
      score.stp_bar = values.real(4);
    }
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (values.text(2) == program_prefix(programs[i].name) + "progress")
        score.progress[i] = values.real(3);
  }
}

}  // namespace

SweepResult read_sweep_result(const Study& study, Database& database) {
  SweepResult result;
  result.cases.resize(study.cases.size());
  Statement rows(database,
                 "SELECT x.case_ordinal, x.row, x.status, x.cycles, x.problem, e.bar "
                 "FROM study_runs x LEFT JOIN (estimates e JOIN statistics s "
                 "ON s.id = e.statistic_id AND s.name = 'cycles') ON e.run_id = x.run_id "
                 "WHERE x.study = ? AND x.run_id IS NOT NULL");
  rows.bind(study.name);
  while (rows.step()) {
    CaseResult& into = result.cases.at(static_cast<std::size_t>(rows.integer(0)));
    if (rows.text(2) == to_string(RunStatus::completed))
      into.cycles[rows.text(1)] = static_cast<std::uint64_t>(rows.integer(3));
    else
      into.problems[rows.text(1)] = rows.text(4);
    if (!rows.is_null(5)) into.bars[rows.text(1)] = rows.real(5);
  }
  if (std::any_of(study.cases.begin(), study.cases.end(),
                  [](const StudyCase& one) { return !one.corun.empty(); }))
    read_corun_scores(study, database, result);
  return result;
}

void write_verdicts(const Study& study, const SweepResult& result, Database& database) {
  StoreTransaction transaction(database);
  Statement update(database,
                   "UPDATE expectations SET verdict = ? WHERE ordinal = ? AND case_id = "
                   "(SELECT c.id FROM cases c JOIN studies s ON s.id = c.study_id "
                   "WHERE s.name = ? AND c.ordinal = ?)");
  for (std::size_t i = 0; i < study.cases.size(); ++i)
    for (std::size_t k = 0; k < study.cases[i].expectations.size(); ++k) {
      const ExpectationVerdict verdict = judge(study, result, i, study.cases[i].expectations[k]);
      update
          .bind(verdict == ExpectationVerdict::holds   ? "holds"
                : verdict == ExpectationVerdict::fails ? "fails"
                                                       : "unknown",
                k, study.name, i)
          .run();
    }
  transaction.commit();
}

}  // namespace heddle::lab
