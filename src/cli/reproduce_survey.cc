#include "cli/reproduce_survey.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "base/diagnostics.h"
#include "cli/run_once.h"
#include "cli/sweep_progress.h"
#include "lab/process.h"
#include "lab/reproduction/survey.h"
#include "lab/store/clock.h"
#include "report/survey_page.h"
#include "report/text_table.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

std::vector<lab::SurveyPart> chosen_parts(const lab::Survey& survey, const std::string& size) {
  if (size.empty()) return survey.parts;
  std::string sizes;
  for (const lab::SurveyPart& part : survey.parts) {
    if (part.size == size) return {part};
    sizes += (sizes.empty() ? "" : ", ") + part.size;
  }
  throw UserError(fmt::format("{} has no part of size {}; sizes: {}", survey.name, size, sizes));
}

}  // namespace

int reproduce_survey(SurveyRequest request) {
  const lab::Survey survey = lab::read_survey(request.folder);
  const std::vector<lab::SurveyPart> parts = chosen_parts(survey, request.size);
  std::error_code failed;
  fs::create_directories(request.out, failed);
  if (failed) throw UserError("cannot create the folder " + request.out + ": " + failed.message());
  if (request.sweep.store.empty())
    request.sweep.store = (fs::path(request.out) / (survey.name + ".sqlite")).string();

  for (const lab::SurveyPart& part : parts) {
    if (request.from_store) break;
    const lab::Study study = lab::part_study(survey, part);
    SweepProgressOutput output(request.quiet);
    const lab::SweepResult result = lab::run_sweep(study, request.sweep, output.listener());
    output.clear();
    if (result.interrupted) {
      std::cerr << "heddle: error: interrupted; the same command resumes\n";
      return kKilledBySignal + result.interrupted;
    }
    if (!request.quiet)
      std::cerr << fmt::format("heddle: {}: {} runs, {} were in {}\n", study.name, result.runs,
                               result.kept, request.sweep.store);
  }

  const lab::ResultsStore store(request.sweep.store);
  std::vector<lab::PartResult> results;
  for (const lab::SurveyPart& part : parts)
    results.push_back(lab::measure_part(survey, part, store));
  const std::string provenance =
      fmt::format("Made by `heddle reproduce {}{}` with Heddle {} on {}.", survey.name,
                  request.size.empty() ? "" : " --size " + request.size, HEDDLE_VERSION,
                  lab::utc_now().substr(0, 10));
  const report::Document document = report::survey_document(survey, results, provenance);
  const report::MarkdownPage page = report::markdown_of(document);
  const fs::path out = request.out;
  for (const auto& [name, svg] : page.pictures)
    lab::write_file_atomically((out / name).string(), svg);
  const std::string markdown = (out / (survey.name + ".md")).string(),
                    html = (out / (survey.name + ".html")).string();
  lab::write_file_atomically(markdown, page.markdown);
  lab::write_file_atomically(html, report::html_of(document));
  std::cout << survey.title << "\n";
  for (const lab::PartResult& one : results)
    std::cout << "\n"
              << one.part.size << " inputs:\n"
              << report::survey_text(one,
                                     report::terminal_width(STDOUT_FILENO, report::kPlainWidth));
  std::cout << "\npages: " << markdown << ", " << html << "\n";
  return 0;
}

}  // namespace heddle::cli
