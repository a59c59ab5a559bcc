#include "report/page_details.h"

#include <algorithm>
#include <cmath>

#include "lab/source_costs.h"
#include "lab/statistics_list.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/slot_words.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using lab::KernelFigures;
using nlohmann::ordered_json;
using stats::ratio;

constexpr std::size_t kMaxLines = 12, kMaxKernelsWithLines = 4;
constexpr double kMinLineShare = 0.005;              // of the kernel's issue slots
constexpr std::size_t kPoints = 400, kPictures = 6;  // of a chart over time, of other panels
constexpr std::size_t kSlotUsesInRow = 2;            // in a row of kernels

double rounded(double value) { return std::round(value * 1e5) / 1e5; }

ordered_json kernels_of(const lab::RunFigures& figures) {
  ordered_json columns = ordered_json::array(), rows = ordered_json::array();
  const auto add = [&](const char* key, const char* unit, const char* meaning) {
    columns.push_back({{"key", key}, {"unit", unit}, {"meaning", meaning}});
  };
  add("name", "text", "");
  add("launches", "", "times that the program launched it");
  add("cycles", "cycles", "core cycles of all its launches");
  add("ipc", "", "thread instructions per core cycle of the whole GPU");
  add("l1d_hits", "ratio", "L1 data cache: hits over accesses");
  add("l2_hits", "ratio", "L2: hits over accesses");
  add("row_hits", "ratio", "DRAM: row hits over reads and writes");
  add("issued", "ratio", "issue slots that issue an instruction");
  add("lost", "text", "the most frequent causes of lost issue slots");
  const auto rate = [](double value, std::uint64_t accesses) {
    return accesses ? ordered_json(rounded(value)) : ordered_json(nullptr);
  };
  for (const KernelFigures& kernel : figures.kernels)
    rows.push_back({kernel.name, kernel.launches, kernel.cycles, rounded(kernel.ipc()),
                    rate(kernel.l1d.hit_rate(), kernel.l1d.accesses),
                    rate(kernel.l2.hit_rate(), kernel.l2.accesses),
                    rate(kernel.dram.row_hit_rate(), kernel.dram.reads + kernel.dram.writes),
                    rounded(kernel.share_of(sm::SlotUse::issued)),
                    lost_slots_text(kernel, kSlotUsesInRow)});
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

void add_lines(ordered_json& lines, const ordered_json& results, const KernelFigures& kernel,
               SourceFiles& files) {
  std::size_t left = kMaxLines;
  const std::uint64_t all = kernel.all_slots();
  for (const lab::SourceCost& cost : lab::source_costs(results, kernel.name, files)) {
    const double share = ratio(cost.all_slots(), all);
    if (left-- == 0 || share < kMinLineShare) break;
    ordered_json line = {{"kernel", kernel.name},
                         {"place", cost.place},
                         {"text", cost.text},
                         {"share", rounded(share)}};
    ordered_json slots = ordered_json::array();
    for (const sm::SlotUse use : kStackOrder)
      slots.push_back(rounded(ratio(cost.slots_of(use), all)));
    line["slots"] = std::move(slots);
    if (cost.accesses) {
      line["lanes"] = rounded(ratio(cost.lanes, cost.executions));
      line["accesses"] = rounded(ratio(cost.accesses, cost.executions));
    }
    if (cost.l1d_accesses) line["l1d_hits"] = rounded(ratio(cost.l1d_hits, cost.l1d_accesses));
    lines.push_back(std::move(line));
  }
}

ordered_json lines_of(const ordered_json& results, const lab::RunFigures& figures,
                      SourceFiles& files) {
  std::vector<const KernelFigures*> longest;
  for (const KernelFigures& kernel : figures.kernels) longest.push_back(&kernel);
  std::stable_sort(longest.begin(), longest.end(),
                   [](auto* a, auto* b) { return a->cycles > b->cycles; });
  longest.resize(std::min(longest.size(), kMaxKernelsWithLines));
  ordered_json lines = ordered_json::array();
  for (const KernelFigures* kernel : longest) add_lines(lines, results, *kernel, files);
  return lines;
}

void add_numbers(const ordered_json& json, const std::string& path,
                 std::map<std::string, double>& numbers) {
  for (const auto& [name, value] : json.items()) {
    const std::string key = path.empty() ? name : path + "." + name;
    if (value.is_object())
      add_numbers(value, key, numbers);
    else if (value.is_number())
      numbers[key] = value.get<double>();
  }
}

}  // namespace

ordered_json page_details(const ordered_json& results, const lab::RunFigures& figures,
                          SourceFiles& files) {
  ordered_json details = {{"kernels", kernels_of(figures)}};
  if (ordered_json lines = lines_of(results, figures, files); !lines.empty())
    details["lines"] = std::move(lines);
  if (const Chart chart = chart_of_run(results, kPoints, kPictures); !chart.panels.empty())
    details["chart"] = json_of(chart);
  return details;
}

std::map<std::string, double> numbers_of(const ordered_json& totals) {
  std::map<std::string, double> numbers;
  add_numbers(totals, "", numbers);
  return numbers;
}

void declare_statistics(ReportPage& page, const std::vector<std::string>& plugins) {
  for (const stats::FieldInfo& field : lab::list_statistics(plugins)) {
    if (field.buckets.empty()) page.declare_statistic(field.key, field.unit, field.meaning);
    for (const std::string& bucket : field.buckets)
      page.declare_statistic(field.key + "." + bucket, field.unit, field.meaning + ": " + bucket);
  }
}

}  // namespace heddle::report
