#include "report/run_page.h"

#include <fmt/format.h>

#include <filesystem>

#include "report/comparison_report.h"
#include "report/explain.h"
#include "report/page.h"
#include "report/page_details.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

constexpr int kExplanationWidth = 100;

std::string text_at(const ordered_json& json, const char* pointer) {
  const ordered_json::json_pointer place(pointer);
  if (!json.contains(place)) return {};
  const ordered_json& value = json[place];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string command_line(const std::vector<std::string>& program) {
  return fmt::format("{}", fmt::join(program, " "));
}

// "kmeans 34": without the folder.
std::string workload_name(std::vector<std::string> program) {
  program[0] = std::filesystem::path(program[0]).filename().string();
  return command_line(program);
}

std::vector<std::string> program_of(const ordered_json& results) {
  std::vector<std::string> words{text_at(results, "/program/path")};
  const ordered_json::json_pointer arguments("/program/arguments");
  if (results.contains(arguments))
    for (const ordered_json& word : results[arguments]) words.push_back(word);
  return words;
}

bool has_details(const ordered_json& results) {
  for (const ordered_json& kernel : results.at("kernels"))
    if (kernel.contains("details")) return true;
  return false;
}

}  // namespace

PageRun page_run(const lab::RunOutcome& outcome, const std::string& policy) {
  PageRun run;
  run.policy = policy;
  run.problem = outcome.problem;
  run.facts = {{"Policy", policy}};
  if (!outcome.usable()) return run;
  const ordered_json& results = outcome.results;
  const std::vector<std::string> program = program_of(results);
  run.workload = workload_name(program);
  run.gpu = text_at(results, "/gpu");
  run.values = numbers_of(results.at("totals"));
  for (const ordered_json& one :
       results.value(ordered_json::json_pointer("/sample/estimates"), ordered_json::array()))
    run.bars[one.at("statistic")] = one.at("bar");
  run.details = page_details(results, outcome.figures, *outcome.sources);
  run.configuration = text_at(results, "/configuration/toml");
  if (has_details(results)) run.explanation = explain(outcome, kExplanationWidth);
  const ordered_json registers =
      results.value(ordered_json::json_pointer("/program/registers"), ordered_json::object());
  run.facts.insert(
      run.facts.end(),
      {{"Program", command_line(program)},
       {"GPU", run.gpu},
       {"CTA scheduler", text_at(results, "/cta_scheduler")},
       {"Share policy", text_at(results, "/share")},
       {"Registers per thread", registers.empty() ? "" : registers.dump()},
       {"Timed part", text_at(results, "/timed_part")},
       {"Put together from parts",
        outcome.figures.parts > 1 ? std::to_string(outcome.figures.parts) : ""},
       {"Seed", text_at(results, "/seed")},
       {"Configuration hash", text_at(results, "/configuration/hash")},
       {"Heddle", text_at(results, "/heddle/version")},
       {"Program's exit code", text_at(results, "/program/exit_code")},
       {"Interrupted", outcome.interrupted},
       {"Source files on this page", fmt::format("{}", fmt::join(outcome.sources->shown(), ", "))},
       {"Simulation time", fmt::format("{:.3g} s", outcome.figures.kernel_seconds)}});
  return run;
}

std::string page_of_run(const lab::RunRequest& request, const lab::RunOutcome& outcome) {
  const std::string& policy = outcome.figures.scheduler;
  ReportPage page(ReportPage::Kind::run,
                  fmt::format("{} on {} under {}", workload_name(request.program),
                              outcome.figures.gpu, policy));
  declare_statistics(page, request.plugins);
  page.add_fact("Changed parameters", fmt::format("{}", fmt::join(request.overrides, ", ")));
  page.add_run(page_run(outcome, policy));
  return page.html();
}

std::string page_of_comparison(const lab::Comparison& comparison) {
  const lab::RunRequest& request = comparison.request;
  ReportPage page(ReportPage::Kind::comparison,
                  fmt::format("{} under {} policies", workload_name(request.program),
                              comparison.contestants.size()));
  declare_statistics(page, request.plugins);
  page.set_subtitle(comparison_headline(comparison));
  if (const std::string finding = comparison_finding(comparison); !finding.empty())
    page.add_finding(finding);
  if (!comparison.outputs_agree() && comparison.best())
    page.add_finding("The program's output differs between policies.");
  page.add_fact("Program", command_line(request.program));
  page.add_fact("GPU", request.gpu);
  page.add_fact("Changed parameters", fmt::format("{}", fmt::join(request.overrides, ", ")));
  page.add_fact("Heddle", HEDDLE_VERSION);
  // As in the text: over the first one that did not fail.
  for (const lab::Contestant& contestant : comparison.contestants)
    if (!contestant.failed()) {
      page.set_baseline(contestant.scheduler);
      break;
    }
  for (const lab::Contestant& contestant : comparison.contestants) {
    PageRun run = page_run(contestant.outcome, contestant.scheduler);
    run.workload = workload_name(request.program);
    if (run.gpu.empty()) run.gpu = request.gpu;
    if (contestant.failed()) run.problem = contestant.failure();
    page.add_run(std::move(run));
  }
  return page.html();
}

}  // namespace heddle::report
