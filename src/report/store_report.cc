#include "report/store_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/diagnostics.h"
#include "lab/scheduler_pair.h"
#include "lab/study_row.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using lab::StoredRun;

std::string policies_of(const std::string& scheduler, const std::string& cta_scheduler,
                        const std::string& share) {
  return lab::StudyRow{{scheduler, cta_scheduler}, share}.name();
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, " "));
}

// Of a statistic: whole numbers in groups of three digits, others with four significant digits.
std::string value_text(double value) {
  constexpr double kLargestWhole = 9e15;
  if (value == std::floor(value) && std::abs(value) < kLargestWhole && value >= 0)
    return grouped(static_cast<std::uint64_t>(value));
  return fmt::format("{:.4g}", value);
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> known_statistics(const lab::ResultsStore& store,
                                          const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const lab::StoredStatistic& one : store.statistics()) names.push_back(one.name);
  if (wanted.empty()) return names;
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw UserError(fmt::format("store {}: no run has the statistic {}{}", store.path(), name,
                                  did_you_mean(name, names)));
    }
  return wanted;
}

std::string change_text(double before, double after) {
  if (before == 0) return after == 0 ? "0 %" : "new";
  return fmt::format("{:+.2f} %", 100 * (after - before) / before);
}

// The columns of a CSV file that are no statistics, except for `launches`, which is both.
constexpr std::string_view kRunColumns =
    "key,cases,program,arguments,gpu,overrides,configuration_hash,scheduler,cta_scheduler,share,"
    "seed,limit_cycles,version,simulator_hash,status,problem,host,started,wall_seconds,"
    "user_seconds,peak_memory_bytes,launches";

// The names in their order, each once, without those of kRunColumns.
std::vector<std::string> further_columns(const std::vector<std::string>& names) {
  std::string taken = fmt::format(",{},", kRunColumns);
  std::vector<std::string> columns;
  for (const std::string& name : names) {
    if (taken.find("," + name + ",") != std::string::npos) continue;
    columns.push_back(name);
    taken += name + ",";
  }
  return columns;
}

// JSON array of texts as words: ["a","b"] -> a b.
std::string words_of(std::string json) {
  std::erase_if(json, [](char c) { return c == '[' || c == ']' || c == '"'; });
  std::replace(json.begin(), json.end(), ',', ' ');
  return json;
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kMostSeconds = 1e12;  // of what a store says
  if (!(seconds < kMostSeconds)) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(0.0, seconds)));
  constexpr std::uint64_t kMinute = 60, kHour = 3600, kDay = 86400;
  if (whole < 2 * kMinute) return fmt::format("{} s", whole);
  if (whole < 2 * kHour) return fmt::format("{} min", (whole + kMinute / 2) / kMinute);
  if (whole < 2 * kDay) return fmt::format("{} h {} min", whole / kHour, whole % kHour / kMinute);
  return fmt::format("{} d {} h", whole / kDay, whole % kDay / kHour);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr double kKibi = 1024;
  const auto value = static_cast<double>(bytes);
  if (value < kKibi * kKibi) return fmt::format("{:.0f} KiB", value / kKibi);
  if (value < kKibi * kKibi * kKibi) return fmt::format("{:.1f} MiB", value / kKibi / kKibi);
  return fmt::format("{:.1f} GiB", value / kKibi / kKibi / kKibi);
}

std::string store_summary(const lab::ResultsStore& store) {
  std::string text;
  for (const lab::StoredStudy& study : store.studies()) {
    std::size_t measured = 0, all = 0;
    for (const lab::StoredCaseRun& run : store.case_runs(study.id)) {
      ++all;
      measured += run.run_id.has_value();
    }
    text += fmt::format("study {}: {}; {} of {} runs, swept {}\n", study.name, study.title,
                        measured, all, study.swept);
  }
  std::map<std::pair<std::string, std::string>, std::size_t> versions;
  store.for_each_run({}, [&](const StoredRun& run) {
    ++versions[{run.identity.version, run.identity.simulator_hash}];
  });
  for (const auto& [version, runs] : versions)
    text += fmt::format("Heddle {}, simulator {}: {} runs\n", version.first,
                        version.second.substr(0, 12), grouped(runs));
  return text;
}

// Of cycles that are estimates.
std::string bar_text(const lab::ResultsStore& store, const StoredRun& run) {
  const auto bars = store.bars(run.id);
  const auto bar = bars.find("cycles");
  if (bar == bars.end() || run.cycles.value_or(0) == 0) return {};
  return " ± " + percent(bar->second / static_cast<double>(*run.cycles));
}

std::string run_table(const lab::ResultsStore& store, const lab::RunFilter& filter,
                      std::vector<std::string> statistics, std::size_t max_rows) {
  if (!statistics.empty()) known_statistics(store, statistics);
  std::erase(statistics, "cycles");  // a column of every table
  std::vector<TextTable::Column> columns{
      {"program"}, {"GPU"}, {"policies"}, {"cycles", Align::right}};
  for (const std::string& name : statistics) columns.push_back({name, Align::right});
  TextTable table(columns);
  std::size_t rows = 0;
  store.for_each_run(filter, [&](const StoredRun& run) {
    if (++rows > max_rows) return;
    std::vector<std::string> cells{
        run.identity.program +
            (run.identity.arguments.empty() ? "" : " " + joined(run.identity.arguments)),
        run.identity.run.gpu + (run.changes.empty() ? "" : " " + joined(run.changes)),
        policies_of(run.identity.run.scheduler, run.identity.run.cta_scheduler,
                    run.identity.run.share),
        run.completed() ? grouped(run.cycles.value_or(0)) + bar_text(store, run)
                        : std::string(to_string(run.record.status))};
    if (!statistics.empty()) {
      const auto values = store.values(run.id);
      for (const std::string& name : statistics) {
        const auto found = values.find(name);
        cells.push_back(found == values.end() ? "" : value_text(found->second));
      }
    }
    table.add_row(std::move(cells));
  });
  if (rows == 0) throw UserError("store " + store.path() + ": no run matches");
  std::string text = table.text();
  if (rows > max_rows)
    text += fmt::format("{} more runs; --all lists them, --csv FILE exports them\n",
                        grouped(rows - max_rows));
  return text;
}

void write_run_csv(const lab::ResultsStore& store, const lab::RunFilter& filter,
                   const std::vector<std::string>& statistics,
                   const std::function<void(const std::string&)>& write) {
  const std::vector<std::string> names = further_columns(known_statistics(store, statistics));
  std::string head(kRunColumns);
  for (const std::string& name : names) head += "," + csv_text(name);
  write(head + "\n");
  store.for_each_run(filter, [&](const StoredRun& run) {
    std::string line;
    for (const std::string& text :
         {run.key, fmt::format("{}", fmt::join(store.cases_of(run.key, filter.study), "; ")),
          run.identity.program, joined(run.identity.arguments), run.identity.run.gpu,
          joined(run.changes), run.identity.configuration_hash, run.identity.run.scheduler,
          run.identity.run.cta_scheduler, run.identity.run.share})
      line += csv_text(text) + ",";
    line +=
        fmt::format("{},{},{},{},{},{},{},{},{:.3f},{:.3f},{},{}", run.identity.run.seed,
                    run.identity.run.timed.limit_cycles, run.identity.version,
                    run.identity.simulator_hash, to_string(run.record.status),
                    csv_text(run.record.problem), csv_text(run.record.host), run.record.started,
                    run.record.wall_seconds, run.record.user_seconds, run.record.peak_memory_bytes,
                    run.completed() ? fmt::format("{}", run.launches.value_or(0)) : "");
    const auto values = store.values(run.id);
    for (const std::string& name : names) {
      const auto found = values.find(name);
      line += found == values.end() ? "," : fmt::format(",{}", found->second);
    }
    write(line + "\n");
  });
}

std::string store_comparison_text(const lab::StoreComparison& comparison, std::size_t max_rows) {
  std::string text = fmt::format("{} pairs of runs: {} equal in all statistics, {} different\n",
                                 grouped(comparison.pairs), grouped(comparison.equal),
                                 grouped(comparison.differences.size()));
  if (comparison.only_before > 0)
    text += fmt::format("{} runs only in the first\n", grouped(comparison.only_before));
  if (comparison.only_after > 0)
    text += fmt::format("{} runs only in the second\n", grouped(comparison.only_after));
  if (comparison.differences.empty()) return text;
  TextTable table({{"program"},
                   {"GPU"},
                   {"policies"},
                   {"cycles", Align::right},
                   {"now", Align::right},
                   {"change", Align::right},
                   {"statistics", Align::right},
                   {"most changed"}});
  std::size_t rows = 0;
  for (const lab::RunDifference& one : comparison.differences) {
    if (++rows > max_rows) break;
    const bool both = one.before_cycles > 0 && one.after_cycles > 0;
    const auto cycles = [](std::int64_t value, const std::string& status) {
      return value > 0 ? grouped(static_cast<std::uint64_t>(value)) : status;
    };
    table.add_row(
        {one.program + " " + words_of(one.arguments), one.gpu + " " + words_of(one.overrides),
         policies_of(one.scheduler, one.cta_scheduler, one.share),
         cycles(one.before_cycles, one.before_status), cycles(one.after_cycles, one.after_status),
         both ? change_text(static_cast<double>(one.before_cycles),
                            static_cast<double>(one.after_cycles))
              : "",
         grouped(one.statistics),
         one.statistic.empty() ? ""
                               : fmt::format("{} {} -> {}", one.statistic, value_text(one.before),
                                             value_text(one.after))});
  }
  text += table.text();
  if (comparison.differences.size() > max_rows)
    text += fmt::format("{} more; --all lists them\n",
                        grouped(comparison.differences.size() - max_rows));
  return text;
}

std::string sweep_status_text(const lab::SweepStatus& status) {
  std::string text;
  for (const auto& study : status.studies)
    text += fmt::format("study {}: {} of {} runs done{}, {} cases, swept {}\n", study.name,
                        grouped(study.completed + study.failed), grouped(study.runs),
                        study.failed > 0 ? fmt::format(", {} failed", grouped(study.failed)) : "",
                        grouped(study.cases), study.swept);
  for (const auto& one : status.submissions) {
    std::string states;
    if (!one.states) {
      states = "Slurm does not answer";
    } else {
      for (const auto& [state, tasks] : *one.states)
        states += fmt::format("{}{} {}", states.empty() ? "" : ", ", tasks, state);
      if (states.empty()) states = "ended; `heddle sweep resume` gathers its results";
    }
    text += fmt::format("{}: submitted {}, {} tasks: {}; {} runs without a result in the store\n",
                        one.name, one.submitted, grouped(one.tasks), states, grouped(one.runs));
  }
  return text.empty() ? "no study\n" : text;
}

}  // namespace heddle::report
