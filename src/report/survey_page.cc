#include "report/survey_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/palette.h"
#include "report/store_report.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using lab::GpuSurvey;
using lab::PartResult;
using lab::PolicyScore;

constexpr std::size_t kMaxMissing = 40;  // more missing runs are only counted
constexpr std::size_t kMaxNames = 3;     // policies in a cell

std::string factor(double value) { return fmt::format("{:.3f}", value); }

std::string near_text() { return fmt::format("{:.0f} %", 100 * lab::kNearBest); }

std::size_t best_ranked(const GpuSurvey& gpu, const std::vector<PolicyScore>& scores) {
  std::size_t best = scores.size();
  for (std::size_t p = 0; p < scores.size(); ++p)
    if (gpu.ranked[p] && (best == scores.size() || scores[p].mean > scores[best].mean)) best = p;
  return best;
}

std::string names_of(const GpuSurvey& gpu, const std::vector<std::size_t>& policies) {
  std::string text;
  for (const std::size_t p : policies) text += (text.empty() ? "" : ", ") + gpu.matrix.policies[p];
  return text;
}

// The cells of a GPU in the table of the best policies.
std::vector<std::string> best_cells(const GpuSurvey& gpu) {
  const auto scores = lab::policy_scores(gpu.matrix, gpu.ranked);
  const std::size_t single = best_ranked(gpu, scores);
  const double best = lab::best_per_program(gpu.matrix, gpu.ranked);
  const auto pair = lab::best_set(gpu.matrix, gpu.ranked, 2);
  return {gpu.gpu,
          fmt::format("{}", gpu.matrix.programs.size()),
          fmt::format("{}", lab::sensitive_programs(gpu.matrix, gpu.ranked)),
          gpu.matrix.policies[single],
          factor(scores[single].mean),
          factor(best),
          percent(scores[single].loss),
          pair.empty() ? "-" : names_of(gpu, pair),
          pair.empty() ? "-" : percent(1 - lab::best_of_set(gpu.matrix, pair) / best)};
}

std::vector<const GpuSurvey*> measured_gpus(const PartResult& part) {
  std::vector<const GpuSurvey*> gpus;
  for (const GpuSurvey& gpu : part.gpus)
    if (!gpu.matrix.programs.empty()) gpus.push_back(&gpu);
  return gpus;
}

DocumentTable best_table(const PartResult& part) {
  DocumentTable table{"",
                      {{"GPU"},
                       {"programs", true},
                       {"sensitive", true},
                       {"best single policy"},
                       {"mean", true},
                       {"best per program", true},
                       {"loss", true},
                       {"best pair"},
                       {"loss of the pair", true}},
                      {}};
  for (const GpuSurvey* gpu : measured_gpus(part)) table.rows.push_back(best_cells(*gpu));
  return table;
}

// A table with a row per policy and a column per GPU.
template <class Cell>
DocumentTable policies_table(const PartResult& part, Cell cell) {
  DocumentTable table{"", {{"policy"}}, {}};
  for (const GpuSurvey* gpu : measured_gpus(part)) {
    const auto scores = lab::policy_scores(gpu->matrix, gpu->ranked);
    table.columns.push_back({gpu->gpu, true});
    if (table.rows.empty())
      for (const std::string& policy : gpu->matrix.policies) table.rows.push_back({policy});
    for (std::size_t p = 0; p < scores.size(); ++p)
      table.rows[p].push_back(cell(scores[p], gpu->ranked[p]));
  }
  return table;
}

Chart chart_of(const lab::Survey& survey, const PartResult& part) {
  Panel panel{.values = {"mean speed-up over " + survey.baseline, "times"}, .baseline = 1};
  for (const GpuSurvey* gpu : measured_gpus(part)) {
    Panel::Series series{.name = gpu->gpu,
                         .colour = std::string(series_colour(panel.series.size()))};
    for (std::size_t p = 0; p < gpu->matrix.policies.size(); ++p) {
      if (panel.series.empty()) panel.categories.push_back({gpu->matrix.policies[p]});
      series.values.emplace_back(gpu->matrix.mean(p));
    }
    panel.series.push_back(std::move(series));
  }
  return {fmt::format("Speed-up over {}, {} inputs", survey.baseline, part.part.size), {panel}};
}

// The fastest policies of a program and their speed-up; a dash where all policies are near.
std::string winners_text(const GpuSurvey& gpu, std::size_t program) {
  const std::vector<double>& values = gpu.matrix.values[program];
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < values.size(); ++p)
    if (gpu.ranked[p]) order.push_back(p);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  if (order.empty()) return "";
  const double most = values[order.front()];
  if (values[order.back()] >= most * (1 - lab::kNearBest)) return "-";
  order.erase(std::find_if(order.begin(), order.end(),
                           [&](std::size_t p) { return values[p] < most * (1 - lab::kNearBest); }),
              order.end());
  const std::size_t shown = std::min(order.size(), kMaxNames);
  std::string text =
      names_of(gpu, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown)});
  if (order.size() > shown) text += fmt::format(" +{}", order.size() - shown);
  return text + " " + fmt::format("{:.2f}", most);
}

DocumentTable programs_table(const PartResult& part) {
  DocumentTable table{"", {{"program"}}, {}};
  std::map<std::string, std::size_t> places;
  for (const GpuSurvey* gpu : measured_gpus(part))
    for (const std::string& program : gpu->matrix.programs)
      if (places.emplace(program, table.rows.size()).second) table.rows.push_back({program});
  for (const GpuSurvey* gpu : measured_gpus(part)) {
    table.columns.push_back({gpu->gpu});
    for (std::vector<std::string>& row : table.rows) row.resize(table.columns.size());
    for (std::size_t i = 0; i < gpu->matrix.programs.size(); ++i)
      table.rows[places.at(gpu->matrix.programs[i])].back() = winners_text(*gpu, i);
  }
  return table;
}

std::string what_ran(const PartResult& part) {
  std::size_t programs = 0;
  std::string none;
  for (const GpuSurvey& gpu : part.gpus) {
    programs = std::max(programs, gpu.matrix.programs.size() + gpu.incomplete.size());
    if (gpu.matrix.programs.empty()) none += (none.empty() ? "" : ", ") + gpu.gpu;
  }
  if (!none.empty()) none = " No program is complete on " + none + ".";
  return fmt::format("{} runs completed: up to {} programs on {} GPUs; {} of processor time.{}",
                     grouped(part.runs), programs, part.gpus.size(),
                     duration_text(part.user_seconds),
                     part.missing.empty() ? ""
                                          : fmt::format(" {} runs have no result, and their "
                                                        "programs are left out on that GPU.",
                                                        grouped(part.missing.size()))) +
         none;
}

DocumentSection missing_section(const PartResult& part) {
  DocumentSection section{
      "Runs without a result, " + part.part.size + " inputs", 3, {}, {}, {}, {}, {}};
  DocumentTable table{"", {{"program"}, {"GPU"}, {"policy"}, {"reason"}}, {}};
  for (const lab::MissingRun& one : part.missing)
    table.rows.push_back({one.program, one.gpu, one.policy, one.reason});
  if (part.missing.size() > kMaxMissing) {
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const lab::MissingRun& one : part.missing) ++counts[{one.gpu, one.reason}];
    table = {"", {{"GPU"}, {"reason"}, {"runs", true}}, {}};
    for (const auto& [what, count] : counts)
      table.rows.push_back({what.first, what.second, grouped(count)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

void add_part(Document& document, const lab::Survey& survey, const PartResult& part) {
  const std::string size = part.part.size + " inputs";
  DocumentSection head{"Results with " + size, 2, {}, {}, {}, {}, {}};
  if (!part.part.note.empty()) head.paragraphs.push_back(part.part.note);
  head.paragraphs.push_back(what_ran(part));
  head.tables.push_back(best_table(part));
  head.notes = {
      fmt::format("sensitive: programs on which the fastest and the slowest policy differ by more "
                  "than {}",
                  near_text()),
      fmt::format("mean: geometric mean of the speed-ups over {}; best per program: the same when "
                  "the fastest policy is chosen for each program",
                  survey.baseline),
      "loss: how much slower the single policy, or the better of the pair per program, is than "
      "the best per program"};
  document.sections.push_back(std::move(head));
  if (measured_gpus(part).empty()) return;

  DocumentSection means{"Geometric means, " + size, 3, {}, {}, {}, {}, {}};
  means.paragraphs.push_back(fmt::format("Speed-up over {}.", survey.baseline));
  means.chart = chart_of(survey, part);
  means.picture = survey.name + "-" + part.part.size + ".svg";
  means.tables.push_back(
      policies_table(part, [](const PolicyScore& score, bool) { return factor(score.mean); }));
  document.sections.push_back(std::move(means));

  DocumentSection wins{"Winners, " + size, 3, {}, {}, {}, {}, {}};
  wins.paragraphs.push_back(fmt::format(
      "Programs on which a policy is fastest (equal cycles count for each), within {} of the "
      "fastest, and alone: ahead of every other policy by more than {}.",
      near_text(), near_text()));
  wins.tables.push_back(policies_table(part, [](const PolicyScore& score, bool ranked) {
    return ranked ? fmt::format("{} / {} / {}", score.fastest, score.near_best, score.alone) : "";
  }));
  document.sections.push_back(std::move(wins));

  DocumentSection risk{"Least speed-ups, " + size, 3, {}, {}, {}, {}, {}};
  risk.paragraphs.push_back(fmt::format(
      "The program on which a policy does worst: its speed-up over {}.", survey.baseline));
  risk.tables.push_back(
      policies_table(part, [](const PolicyScore& score, bool) { return factor(score.least); }));
  document.sections.push_back(std::move(risk));

  DocumentSection programs{"Programs, " + size, 3, {}, {}, {}, {}, {}};
  programs.paragraphs.push_back(
      fmt::format("The fastest policies, the fastest first, and their speed-up over {}: up to {} "
                  "names of those within {}, and how many more there are. A dash: all policies "
                  "are within {}. Empty: not measured.",
                  survey.baseline, kMaxNames, near_text(), near_text()));
  programs.tables.push_back(programs_table(part));
  document.sections.push_back(std::move(programs));
  if (!part.missing.empty()) document.sections.push_back(missing_section(part));
}

}  // namespace

Document survey_document(const lab::Survey& survey, const std::vector<PartResult>& parts,
                         const std::string& provenance) {
  Document document{survey.title, "", {provenance}, {}};
  if (!survey.oracles.empty())
    document.paragraphs.push_back(fmt::format(
        "{} {} earlier runs of the program. Tables show {}, but the rankings and the "
        "best per program exclude {}.",
        fmt::join(survey.oracles, " and "), survey.oracles.size() > 1 ? "use" : "uses",
        survey.oracles.size() > 1 ? "them" : "it", survey.oracles.size() > 1 ? "them" : "it"));
  for (const PartResult& part : parts) add_part(document, survey, part);
  if (!survey.left_out.empty()) {
    DocumentSection left_out{"What is left out", 2, {}, {}, {}, {}, {}};
    for (const lab::LeftOut& one : survey.left_out)
      left_out.notes.push_back(one.what + ": " + one.reason);
    document.sections.push_back(std::move(left_out));
  }
  return document;
}

std::string survey_text(const PartResult& part, int width) {
  TextTable table({{"GPU"},
                   {"programs", Align::right},
                   {"sensitive", Align::right},
                   {"best single policy"},
                   {"mean", Align::right},
                   {"best per program", Align::right},
                   {"loss", Align::right},
                   {"best pair"},
                   {"loss of the pair", Align::right}});
  for (const GpuSurvey* gpu : measured_gpus(part)) table.add_row(best_cells(*gpu));
  return table.text("  ", width);
}

}  // namespace heddle::report
