#include "report/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

#include "base/diagnostics.h"
#include "base/library_errors.h"
#include "gpu/active_cycles.h"
#include "lab/json_input.h"
#include "lab/scheduler_pair.h"
#include "report/page_details.h"
#include "report/run_page.h"
#include "report/store_report.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* kDocument = "run.json";
// Of explanations, source lines and time series. Later runs have statistics and kernels only, so
// that a page of thousands of runs opens quickly.
constexpr std::size_t kMaxDetailBytes = 5'000'000;
constexpr std::size_t kMaxNamed = 4;  // in a fact of the page

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// "a, b, c and 3 more".
std::string listed(const std::set<std::string>& names) {
  std::vector<std::string> first;
  for (const std::string& name : names)
    if (first.size() < kMaxNamed) first.push_back(name);
  std::string text = joined(first, ", ");
  if (names.size() > first.size()) text += fmt::format(" and {} more", names.size() - first.size());
  return text;
}

lab::RunOutcome outcome_of(const ordered_json& results,
                           const std::shared_ptr<SourceFiles>& sources) {
  lab::RunOutcome outcome;
  outcome.sources = sources;
  outcome.results = lab::included_results(results);
  outcome.figures = lab::read_figures(results, lab::max_warps_per_sm(results));
  return outcome;
}

// Launches of a kernel together; without a document, that is all that is known of them.
ordered_json kernels_of(const std::vector<lab::StoredKernel>& launches) {
  std::vector<std::string> order;
  struct Sum {
    std::uint64_t launches = 0, thread_instructions = 0;
    gpu::ActiveCycles active;
  };
  std::map<std::string, Sum> sums;
  for (const lab::StoredKernel& launch : launches) {
    const auto [sum, added] = sums.try_emplace(launch.name);
    if (added) order.push_back(launch.name);
    ++sum->second.launches;
    sum->second.active.add(Cycle{launch.start_cycle.value_or(0)}, launch.cycles);
    sum->second.thread_instructions += launch.thread_instructions;
  }
  ordered_json rows = ordered_json::array();
  for (const std::string& name : order) {
    const Sum& sum = sums.at(name);
    const std::uint64_t cycles = sum.active.count();
    const double ipc =
        cycles ? static_cast<double>(sum.thread_instructions) / static_cast<double>(cycles) : 0;
    rows.push_back({name, sum.launches, cycles, std::round(ipc * 100) / 100});
  }
  return rows;
}

std::string status_text(const lab::StoredRun& run) {
  const std::string status(to_string(run.record.status));
  return run.record.problem.empty() ? status : status + ": " + run.record.problem;
}

class StudyPage {
 public:
  StudyPage(const lab::ResultsStore& store, const lab::StoredStudy& study,
            std::shared_ptr<SourceFiles> sources)
      : store_(store),
        study_(study),
        sources_(std::move(sources)),
        page_(ReportPage::Kind::study, study.title) {
    for (const lab::StoredStatistic& one : store.statistics())
      page_.declare_statistic(one.name, one.unit, one.meaning);
  }

  std::string html(PageReferences references) {
    add_runs();
    if (page_.runs() == 0)
      throw UserError(
          fmt::format("store {}: no run of the study {} is finished; heddle sweep runs it",
                      store_.path(), study_.name));
    page_.set_baseline(baseline());
    page_.set_missing(missing_);
    page_.set_references(std::move(references));
    page_.add_fact("Study", study_.name);
    page_.add_fact("Swept", study_.swept);
    page_.add_fact("Heddle", listed(versions_));
    page_.add_fact("Hosts", listed(hosts_));
    page_.add_fact("Simulation time", duration_text(seconds_) + " on one core");
    if (without_details_)
      page_.add_fact("Details", fmt::format("{} runs have more in the store than on this page",
                                            without_details_));
    return page_.html();
  }

 private:
  void add_runs() {
    std::map<std::int64_t, lab::StoredCase> cases;
    for (lab::StoredCase& one : store_.cases(study_.id)) cases.emplace(one.id, std::move(one));
    for (const lab::StoredExpectation& one : store_.expectations(study_.id))
      page_.add_expectation(cases.at(one.case_id).name, one.text, one.verdict, one.reason);
    const std::vector<lab::StoredCaseRun> runs = store_.case_runs(study_.id);
    declare_policies(runs);
    for (const lab::StoredCaseRun& one : runs) {
      const auto run = one.run_id ? store_.run(*one.run_id) : std::nullopt;
      if (run)
        add_run(cases.at(one.case_id), one.row, *run);
      else
        ++missing_;
    }
  }

  // Those that run, in the order of the study's table.
  void declare_policies(const std::vector<lab::StoredCaseRun>& runs) {
    std::set<std::string> known;
    for (const lab::StoredCaseRun& one : runs)
      if (one.run_id) known.insert(one.row);
    for (const lab::StoredStudy::Row& row : study_.rows) {
      for (const std::string& policy : row.members)
        if (known.contains(policy)) page_.declare_policy(policy);
      if (row.members.size() > 1) page_.add_best_row(row.name, row.members);
    }
  }

  void add_run(const lab::StoredCase& one, const std::string& policy, const lab::StoredRun& run) {
    PageRun shown;
    if (run.completed()) shown = measured(run, policy);
    shown.workload = one.workload;
    shown.gpu = one.gpu;
    shown.policy = policy;
    shown.parameters = one.parameters;
    if (!run.completed()) shown.problem = status_text(run);
    shown.facts = {
        {"Case", one.name},
        {"Group", one.group},
        {"Program", run.identity.program + (run.identity.arguments.empty() ? "" : " ") +
                        joined(run.identity.arguments, " ")},
        {"Program hash", run.identity.program_hash},
        {"Input hash", run.identity.input_hash},
        {"GPU", run.identity.run.gpu},
        {"Changed parameters", joined(run.changes, ", ")},
        {"Configuration hash", run.identity.configuration_hash},
        {"Warp scheduler", run.identity.run.scheduler},
        {"CTA scheduler", run.identity.run.cta_scheduler},
        {"Share policy", run.identity.run.share},
        {"Seed", std::to_string(run.identity.run.seed)},
        {"Limit", run.identity.run.timed.limit_cycles
                      ? fmt::format("{} cycles", run.identity.run.timed.limit_cycles)
                      : ""},
        {"Heddle", run.identity.version},
        {"Simulator hash", run.identity.simulator_hash},
        {"Exit code", std::to_string(run.record.exit_code)},
        {"Host", run.record.host},
        {"Started", run.record.started},
        {"Time", fmt::format("{:.3g} s", run.record.wall_seconds)},
        {"Peak memory",
         fmt::format("{:.0f} MiB", static_cast<double>(run.record.peak_memory_bytes) / (1 << 20))}};
    shown.configuration = configuration(run.identity.configuration_hash);
    policies_.push_back(policy);
    versions_.insert(run.identity.version);
    hosts_.insert(run.record.host);
    seconds_ += run.record.wall_seconds;
    page_.add_run(std::move(shown));
  }

  // Explanation and details of a run whose run.json the sweep kept. The document of a co-run is
  // that of `heddle corun`, about several programs: such a run has statistics and kernels only.
  PageRun measured(const lab::StoredRun& run, const std::string& policy) {
    PageRun shown;
    if (const auto document = store_.document(run.id, kDocument)) {
      if (detail_bytes_ < kMaxDetailBytes) {
        const std::string name =
            fmt::format("store {}, {} of run {}", store_.path(), kDocument, run.id);
        const InputScope scope(name);
        const ordered_json content = lab::parse_json(*document, name);
        if (!content.contains("shared")) {
          lab::check_run_json(content, name);
          shown = page_run(outcome_of(content, sources_), policy);
          detail_bytes_ += shown.explanation.size() + shown.details.dump().size();
        }
      } else {
        ++without_details_;
      }
    }
    if (shown.details.is_null())
      if (ordered_json kernels = kernels_of(store_.kernels(run.id)); !kernels.empty())
        shown.details = {{"kernels", std::move(kernels)}};
    shown.values = store_.values(run.id);
    shown.bars = store_.bars(run.id);
    return shown;
  }

  const std::string& configuration(const std::string& hash) {
    const auto [place, added] = configurations_.try_emplace(hash);
    if (added)
      if (const auto known = store_.configuration(hash)) place->second = known->toml;
    return place->second;
  }

  // A row with the best of several policies is no policy of a run.
  std::string baseline() const {
    const bool known =
        std::find(policies_.begin(), policies_.end(), study_.baseline) != policies_.end();
    return known ? study_.baseline : policies_.front();
  }

  const lab::ResultsStore& store_;
  const lab::StoredStudy& study_;
  std::shared_ptr<SourceFiles> sources_;
  ReportPage page_;
  std::vector<std::string> policies_;
  std::set<std::string> versions_, hosts_;
  std::map<std::string, std::string> configurations_;
  std::size_t missing_ = 0, without_details_ = 0, detail_bytes_ = 0;
  double seconds_ = 0;
};

lab::StoredStudy chosen_study(const lab::ResultsStore& store, const std::string& name) {
  if (!name.empty()) return store.study(name);
  std::vector<lab::StoredStudy> studies = store.studies();
  if (studies.empty()) throw UserError(fmt::format("store {}: there is no study", store.path()));
  if (studies.size() == 1) return std::move(studies.front());
  std::vector<std::string> names;
  for (const lab::StoredStudy& study : studies) names.push_back(study.name);
  throw UserError(fmt::format("store {}: there are {} studies; choose one with --study: {}",
                              store.path(), studies.size(), joined(names, ", ")));
}

// The pieces of a line of CSV. A piece in quotes may contain commas; "" in it is a quote.
std::vector<std::string> csv_pieces(const std::string& line) {
  std::vector<std::string> pieces{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      pieces.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      pieces.emplace_back();
    else if (line[i] != '\r')
      pieces.back() += line[i];
  }
  return pieces;
}

}  // namespace

std::string page_of_study(const lab::ResultsStore& store, const std::string& study,
                          PageReferences references, std::shared_ptr<SourceFiles> sources) {
  const lab::StoredStudy chosen = chosen_study(store, study);
  return StudyPage(store, chosen, std::move(sources)).html(std::move(references));
}

std::string page_of_results(const std::string& title,
                            const std::vector<std::pair<std::string, ordered_json>>& results,
                            PageReferences references, const std::shared_ptr<SourceFiles>& sources,
                            const std::vector<std::string>& plugins) {
  ReportPage page(ReportPage::Kind::study, title);
  declare_statistics(page, plugins);
  std::set<std::string> versions;
  for (const auto& [name, content] : results) {
    const InputScope scope(name);
    const lab::RunOutcome outcome = outcome_of(content, sources);
    PageRun run = page_run(outcome, outcome.figures.scheduler);
    run.facts.emplace_back("File", name);
    versions.insert(content.value(ordered_json::json_pointer("/heddle/version"), ""));
    page.add_run(std::move(run));
  }
  page.add_fact("Heddle", listed(versions));
  page.set_references(std::move(references));
  return page.html();
}

PageReferences read_references(const std::string& text, const std::string& name) {
  PageReferences references;
  std::istringstream lines(text);
  std::string line;
  int number = 0;
  const auto reject = [&](const std::string& what) {
    throw UserError(fmt::format("{}, line {}: {}", name, number, what));
  };
  while (std::getline(lines, line)) {
    ++number;
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    std::vector<std::string> pieces = csv_pieces(line);
    const std::string last = pieces.back();
    pieces.pop_back();
    if (references.statistic.empty()) {
      if (pieces.empty())
        reject("must name dimensions and a statistic, such as workload,policy,speed_up");
      references.statistic = last;
      references.columns = std::move(pieces);
      references.name = name;
      continue;
    }
    if (pieces.size() != references.columns.size())
      reject(fmt::format("has {} values; the header has {}", pieces.size() + 1,
                         references.columns.size() + 1));
    char* end = nullptr;
    const double value = std::strtod(last.c_str(), &end);
    if (last.empty() || end != last.c_str() + last.size() || !std::isfinite(value))
      reject("'" + last + "' is not a number");
    references.rows.emplace_back(std::move(pieces), value);
  }
  if (references.rows.empty()) throw UserError(name + ": there is no published value");
  return references;
}

}  // namespace heddle::report
