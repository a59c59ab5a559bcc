#include "report/panels.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/diagnostics.h"
#include "report/palette.h"

namespace heddle::report {
namespace {

using lab::RunSeries;

Panel panel_over_time(const std::string& title, const std::string& unit) {
  Panel panel;
  panel.kind = Panel::Kind::lines;
  panel.title = title;
  panel.values.unit = unit;
  panel.along = {"core cycles", "cycles"};
  if (unit == "ratio") panel.values.most = 1;
  return panel;
}

void add_curve(Panel& panel, const std::string& name, ChartValues values) {
  panel.series.push_back({.name = name,
                          .colour = std::string(series_colour(panel.series.size())),
                          .values = std::move(values)});
}

ChartValues measured(const std::vector<double>& values) { return {values.begin(), values.end()}; }

// `part` over `whole`; nothing where the whole is 0.
ChartValues rate(const RunSeries& s, const std::string& part,
                 const std::vector<std::string>& whole) {
  ChartValues values = measured(s.shares(part, whole));
  for (std::size_t p = 0; p < values.size(); ++p)
    if (std::ranges::all_of(whole, [&](const std::string& column) { return s.at(column, p) == 0; }))
      values[p].reset();
  return values;
}

ChartValues per_cycle(const RunSeries& s, const std::string& column) {
  ChartValues values;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    values.push_back(s.points[p].cycles ? s.at(column, p) / static_cast<double>(s.points[p].cycles)
                                        : 0);
  return values;
}

ChartValues plain(const RunSeries& s, const std::string& column) {
  ChartValues values;
  for (std::size_t p = 0; p < s.points.size(); ++p) values.push_back(s.at(column, p));
  return values;
}

constexpr std::string_view kIpc = "ipc", kInstructions = "sm.thread_instructions";

// The columns of a name: one, or two of a quotient.
std::vector<std::string> columns_of(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (name == kIpc) return {std::string(kInstructions)};
  if (slash == std::string::npos) return {name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

void add_chosen(const RunSeries& s, const SeriesNames& names, std::vector<Panel>& panels) {
  for (const std::string& name : names) {
    const std::vector<std::string> columns = columns_of(name);
    const bool level = columns.size() == 2 || s.levels.contains(columns[0]);
    panels.push_back(panel_over_time(name == kIpc ? "instructions per cycle (ipc)"
                                     : level      ? name
                                                  : name + " per core cycle",
                                     ""));
    add_curve(panels.back(), "",
              columns.size() == 2 ? rate(s, columns[0], {columns[1]})
              : level             ? plain(s, columns[0])
                                  : per_cycle(s, columns[0]));
  }
}

// Columns are those that a launch has counted, so that only the runs know them.
void require_series(const SeriesNames& names, const std::vector<const RunSeries*>& runs) {
  std::set<std::string> known;
  for (const RunSeries* run : runs)
    for (const auto& [column, values] : run->columns) known.insert(column);
  if (known.empty()) return;
  std::vector<std::string> candidates(known.begin(), known.end());
  candidates.emplace_back(kIpc);
  for (const std::string& name : names)
    for (const std::string& column : columns_of(name))
      if (!known.contains(column))
        throw UserError("--series " + name + ": no launch has counted " + column +
                        did_you_mean(column, candidates) +
                        "; heddle run --interval N --out DIR lists the series in DIR/series.csv");
}

void add_slots(const RunSeries& s, std::vector<Panel>& panels) {
  Panel slots = panel_over_time("issue slots", "ratio");
  slots.stacked = true;
  std::vector<std::string> all;
  for (const std::string_view name : sm::kSlotUseNames)
    all.push_back("sm.slots." + std::string(name));
  for (const sm::SlotUse use : kStackOrder) {
    add_curve(slots, std::string(sm::info(use).label),
              measured(s.shares("sm.slots." + std::string(sm::info(use).name), all)));
    slots.series.back().colour = look_of(use).colour;
  }
  panels.push_back(std::move(slots));
}

void add_rates(const RunSeries& s, std::vector<Panel>& panels) {
  panels.push_back(panel_over_time("warp instructions per cycle, all SMs", ""));
  add_curve(panels.back(), "", per_cycle(s, "sm.warp_instructions"));
  Panel hits = panel_over_time("hit rates", "ratio");
  if (s.has("sm.l1d.accesses")) {
    add_curve(hits, "L1, same warp", rate(s, "sm.l1d.hits_same_warp", {"sm.l1d.accesses"}));
    add_curve(hits, "L1, other warp", rate(s, "sm.l1d.hits_other_warp", {"sm.l1d.accesses"}));
  }
  if (s.has("l2.accesses")) add_curve(hits, "L2", rate(s, "l2.hits", {"l2.accesses"}));
  if (s.has("dram.row_hits"))
    add_curve(hits, "DRAM rows", rate(s, "dram.row_hits", {"dram.reads", "dram.writes"}));
  if (!hits.series.empty()) panels.push_back(std::move(hits));
}

// Mechanisms of the SM that policies use.
void add_mechanisms(const RunSeries& s, std::vector<Panel>& panels) {
  if (s.has("sm.shared_issues")) {
    panels.push_back(panel_over_time("warp instructions issued through another scheduler", ""));
    add_curve(panels.back(), "", plain(s, "sm.shared_issues"));
  }
  if (!s.has("sm.reexecution_queued")) return;
  panels.push_back(panel_over_time("re-execution queue: accesses", ""));
  add_curve(panels.back(), "in", plain(s, "sm.reexecution_queued"));
  add_curve(panels.back(), "out", plain(s, "sm.reexecuted"));
}

void share_out(Panel& panel) {
  for (std::size_t i = 0; i < panel.series.front().values.size(); ++i) {
    double whole = 0;
    for (const auto& series : panel.series) whole += series.values[i].value_or(0);
    for (auto& series : panel.series)
      series.values[i] = whole > 0 ? series.values[i].value_or(0) / whole : 0;
  }
}

// Columns of policies: "policy.ccws.score_sum". Numbers of warps share a panel, and so do the
// buckets of one breakdown.
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
    Panel& panel =
        by_title.try_emplace(title, panel_over_time(title, phases ? "ratio" : "")).first->second;
    panel.stacked = phases;
    add_curve(panel,
              bucket                   ? name.substr(last + 1)
              : title.ends_with(field) ? ""
                                       : field,
              plain(s, name));
  }
  for (auto& [title, panel] : by_title) {
    if (panel.stacked) share_out(panel);
    panels.push_back(std::move(panel));
  }
}

std::vector<double> ends_of(const RunSeries& series) {
  std::vector<double> x;
  for (const auto& point : series.points) x.push_back(static_cast<double>(point.from));
  const auto& last = series.points.back();
  x.push_back(static_cast<double>(last.from + last.cycles));
  return x;
}

std::vector<Panel> panels_of_run(const RunSeries& series, const SeriesNames& names) {
  std::vector<Panel> panels;
  if (series.empty()) return panels;
  if (names.empty()) {
    add_rates(series, panels);
    add_slots(series, panels);
    add_mechanisms(series, panels);
    add_policies(series, panels);
  } else {
    add_chosen(series, names, panels);
  }
  for (Panel& panel : panels) {
    panel.x = ends_of(series);
    for (const auto& launch : series.launches)
      if (launch.point < series.points.size())
        panel.marks.push_back({panel.x[launch.point], launch.kernel});
    if (!panel.stacked) part_equal_lines(panel);
  }
  return panels;
}

}  // namespace

std::vector<Panel> panels_of(const RunSeries& series, const SeriesNames& names) {
  require_series(names, {&series});
  return panels_of_run(series, names);
}

std::vector<Panel> panels_of(const std::vector<NamedSeries>& runs, const SeriesNames& names) {
  std::vector<const RunSeries*> all;
  for (const NamedSeries& run : runs) all.push_back(&run.series);
  require_series(names, all);
  std::vector<Panel> panels;
  for (const NamedSeries& run : runs)
    for (const Panel& own : panels_of_run(run.series, names))
      for (const Panel::Series& curve : own.series) {
        const std::string title = own.title + (curve.name.empty() ? "" : ": " + curve.name);
        auto panel =
            std::ranges::find_if(panels, [&](const Panel& one) { return one.title == title; });
        if (panel == panels.end()) {
          panels.push_back(panel_over_time(title, own.values.unit));
          panel = panels.end() - 1;
          panel->values.most.reset();
        }
        const PolicyLook look = look_of_policy(run.name);
        panel->series.push_back({.name = run.name,
                                 .colour = std::string(look.colour),
                                 .variant = look.variant,
                                 .values = curve.values,
                                 .x = own.x});
      }
  // A series that one run alone has compares nothing.
  if (names.empty())
    std::erase_if(panels, [&](const Panel& panel) {
      return panel.series.size() < std::min<std::size_t>(2, runs.size()) ||
             std::ranges::all_of(
                 panel.series,
                 [](const Panel::Series& series) {
                   return std::ranges::all_of(
                       series.values, [](const auto& value) { return !value || *value == 0; });
                 });
    });
  for (Panel& panel : panels) part_equal_lines(panel);
  return panels;
}

}  // namespace heddle::report
