#include "report/run_series.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "report/palette.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

void add_launch(RunSeries& all, const ordered_json& kernel, std::size_t rows_per_point) {
  const ordered_json& series = kernel.at("series");
  const auto names = series.at("columns").get<std::vector<std::string>>();
  std::set<std::string> levels;
  if (series.contains("levels")) levels = series["levels"].get<std::set<std::string>>();
  const auto start = kernel.value("start_cycle", std::uint64_t{0});
  all.launches.push_back({all.points.size(), plain_name(kernel.value("name", ""))});
  const ordered_json& rows = series.at("rows");
  for (std::size_t first = 0; first < rows.size(); first += rows_per_point) {
    const std::size_t end = std::min(first + rows_per_point, rows.size()),
                      point = all.points.size();
    all.points.push_back({start + rows[first][0].get<std::uint64_t>(), 0});
    for (std::size_t r = first; r < end; ++r) {
      all.points.back().cycles += rows[r][1].get<std::uint64_t>();
      for (std::size_t c = 2; c < names.size(); ++c) {
        const double weight = levels.contains(names[c]) ? static_cast<double>(end - first) : 1.0;
        auto& column = all.columns[names[c]];
        column.resize(point + 1);
        column[point] += rows[r][c].get<double>() / weight;
      }
    }
  }
}

std::vector<double> per_cycle(const RunSeries& s, const std::string& column) {
  std::vector<double> values;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    values.push_back(s.points[p].cycles ? s.at(column, p) / static_cast<double>(s.points[p].cycles)
                                        : 0);
  return values;
}

std::vector<double> plain(const RunSeries& s, const std::string& column) {
  std::vector<double> values;
  for (std::size_t p = 0; p < s.points.size(); ++p) values.push_back(s.at(column, p));
  return values;
}

void add_slots(const RunSeries& s, std::vector<Panel>& panels) {
  Panel slots{"issue slots", true, true, {}};
  std::vector<std::string> all;
  for (const Look& look : kSlotLooks) all.push_back("sm.slots." + std::string(look.use));
  for (const Look& look : kSlotLooks)
    slots.curves.push_back(
        {std::string(look.label), s.shares("sm.slots." + std::string(look.use), all)});
  panels.push_back(std::move(slots));
}

void add_rates(const RunSeries& s, std::vector<Panel>& panels) {
  panels.push_back({"warp instructions per cycle, all SMs",
                    false,
                    false,
                    {{"", per_cycle(s, "sm.warp_instructions")}}});
  Panel hits{"hit rates", false, true, {}};
  if (s.has("sm.l1d.accesses")) {
    hits.curves.push_back(
        {"L1, same warp", s.shares("sm.l1d.hits_same_warp", {"sm.l1d.accesses"})});
    hits.curves.push_back(
        {"L1, other warp", s.shares("sm.l1d.hits_other_warp", {"sm.l1d.accesses"})});
  }
  if (s.has("l2.accesses")) hits.curves.push_back({"L2", s.shares("l2.hits", {"l2.accesses"})});
  if (s.has("dram.row_hits"))
    hits.curves.push_back({"DRAM rows", s.shares("dram.row_hits", {"dram.reads", "dram.writes"})});
  if (!hits.curves.empty()) panels.push_back(std::move(hits));
}

// What policies move through mechanisms of the SM.
void add_mechanisms(const RunSeries& s, std::vector<Panel>& panels) {
  if (s.has("sm.shared_issues"))
    panels.push_back({"warp instructions issued through another scheduler",
                      false,
                      false,
                      {{"", plain(s, "sm.shared_issues")}}});
  if (!s.has("sm.reexecution_queued")) return;
  panels.push_back(
      {"re-execution queue: accesses",
       false,
       false,
       {{"in", plain(s, "sm.reexecution_queued")}, {"out", plain(s, "sm.reexecuted")}}});
}

// Columns of one policy: "policy.ccws.score_sum". Warps, and the buckets of one breakdown, share a
// panel.
void add_policies(const RunSeries& s, std::vector<Panel>& panels) {
  std::map<std::string, Panel> by_title;
  for (const auto& [name, values] : s.columns) {
    if (!name.starts_with("policy.")) continue;
    const std::size_t dot = name.find('.', 7), last = name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string policy = name.substr(7, dot - 7), field = name.substr(dot + 1);
    const bool bucket = last != dot,
               phases = bucket && name.find(".phase_cycles.") != std::string::npos;
    const std::string title = policy + ": " +
                              (bucket                      ? name.substr(dot + 1, last - dot - 1)
                               : field.ends_with("_warps") ? "warps, all SMs"
                                                           : field);
    Panel& panel = by_title[title];
    panel.title = title;
    panel.stack = panel.percent = phases;
    panel.curves.push_back({bucket ? name.substr(last + 1) : field, plain(s, name)});
  }
  for (auto& [title, panel] : by_title) {
    for (std::size_t p = 0; panel.stack && p < s.points.size(); ++p) {
      double whole = 0;
      for (const auto& curve : panel.curves) whole += curve.values[p];
      for (auto& curve : panel.curves) curve.values[p] = whole > 0 ? curve.values[p] / whole : 0;
    }
    panels.push_back(std::move(panel));
  }
}

}  // namespace

double RunSeries::at(const std::string& column, std::size_t point) const {
  const auto found = columns.find(column);
  return found == columns.end() || point >= found->second.size() ? 0 : found->second[point];
}

std::vector<double> RunSeries::shares(const std::string& part,
                                      const std::vector<std::string>& whole) const {
  std::vector<double> values;
  for (std::size_t p = 0; p < points.size(); ++p) {
    double sum = 0;
    for (const std::string& column : whole) sum += at(column, p);
    values.push_back(sum > 0 ? at(part, p) / sum : 0);
  }
  return values;
}

RunSeries run_series(const ordered_json& results, std::size_t most_points) {
  RunSeries all;
  std::size_t rows = 0;
  for (const ordered_json& kernel : results.at("kernels"))
    if (kernel.contains("series")) rows += kernel["series"]["rows"].size();
  for (const ordered_json& kernel : results.at("kernels"))
    if (kernel.contains("series")) add_launch(all, kernel, (rows + most_points - 1) / most_points);
  for (auto& [name, column] : all.columns) column.resize(all.points.size());
  return all;
}

std::vector<Panel> panels_of(const RunSeries& series) {
  std::vector<Panel> panels;
  if (series.empty()) return panels;
  add_slots(series, panels);
  add_rates(series, panels);
  add_mechanisms(series, panels);
  add_policies(series, panels);
  return panels;
}

std::vector<PatternPicture> patterns_of(const ordered_json& results, std::size_t most) {
  std::vector<PatternPicture> pictures;
  for (const ordered_json& kernel : results.at("kernels")) {
    const auto decisions =
        kernel.value(ordered_json::json_pointer("/policy/ipaws/decisions"), ordered_json::array());
    for (const ordered_json& d : decisions) {
      if (pictures.size() == most) return pictures;
      if (d.at("decides") == 0) continue;
      pictures.push_back({plain_name(kernel.value("name", "")), d.at("choice"), d.at("sm"),
                          d.at("cycle"), d.at("of_interest"), d.at("threshold"), d.at("convexity"),
                          d.at("sum"), d.at("instructions"), d.at("barrier_time"), d.at("stalls")});
      break;  // with decide=sm each SM has its own
    }
  }
  return pictures;
}

}  // namespace heddle::report
