#include "report/panels.h"

#include <map>

#include "report/palette.h"

namespace heddle::report {
namespace {

using lab::RunSeries;

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
  for (const std::string_view name : sm::kSlotUseNames)
    all.push_back("sm.slots." + std::string(name));
  for (const sm::SlotUse use : kStackOrder)
    slots.curves.push_back({std::string(sm::info(use).label),
                            s.shares("sm.slots." + std::string(sm::info(use).name), all)});
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

// Mechanisms of the SM that policies use.
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

std::vector<Panel> panels_of(const RunSeries& series) {
  std::vector<Panel> panels;
  if (series.empty()) return panels;
  add_slots(series, panels);
  add_rates(series, panels);
  add_mechanisms(series, panels);
  add_policies(series, panels);
  return panels;
}

}  // namespace heddle::report
