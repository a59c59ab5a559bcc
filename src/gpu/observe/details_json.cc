#include "gpu/observe/details_json.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "stats/flatten.h"
#include "stats/json.h"
#include "stats/ratio.h"

namespace heddle::gpu {
namespace {

using Json = nlohmann::ordered_json;

Json slots_json(const KernelDetails::Slots& slots) {
  Json json = Json::object();
  for (std::size_t i = 0; i < slots.size(); ++i) json[std::string(sm::kSlotUseNames[i])] = slots[i];
  return json;
}

Json schedulers_json(const KernelDetails& details) {
  Json list = Json::array();
  for (std::size_t sm = 0; sm < details.slots.size(); ++sm)
    for (std::size_t s = 0; s < details.slots[sm].size(); ++s) {
      Json one{{"sm", sm}, {"scheduler", s}};
      one["slots"] = slots_json(details.slots[sm][s]);
      list.push_back(std::move(one));
    }
  return list;
}

Json place_json(const KernelDetails& details, Pc pc) {
  const KernelDetails::Place& place = details.places[pc];
  return {{"pc", pc}, {"ptx_line", place.ptx_line}, {"source", place.source}, {"what", place.what}};
}

double per_thousand(std::uint64_t events, std::uint64_t instructions) {
  return 1000 * stats::ratio(events, instructions);
}

Json instructions_json(const KernelDetails& details, std::uint64_t thread_instructions) {
  Json list = Json::array();
  for (Pc pc = 0; pc < details.instructions.size(); ++pc) {
    const InstructionDetail& i = details.instructions[pc];
    if (i.executions == 0 && stats::total(i.slots) == 0) continue;
    Json one = place_json(details, pc);
    const Json figures = stats::to_json(i);
    for (const auto& [key, value] : figures.items())
      if (i.accesses > 0 ||
          (key != "accesses" && key != "scattered" && key != "l1d" && key != "l2"))
        one[key] = value;
    for (const auto& [shape, executions] : details.load_shapes[pc])
      one["lanes_and_accesses"].push_back({shape.lanes, shape.accesses, executions});
    if (const KernelDetails::Place& place = details.places[pc]; place.loop != kNoPc) {
      one["loop"] = place.loop;
      if (place.repeats != kNoPc) one["repeats"] = place.repeats;
    }
    if (i.accesses > 0) {
      one["l1d_hpki"] = per_thousand(stats::total(i.l1d) - misses(i.l1d), thread_instructions);
      one["l1d_mpki"] = per_thousand(misses(i.l1d), thread_instructions);
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json loops_json(const KernelDetails& details) {
  Json list = Json::array();
  for (std::size_t i = 0; i < details.loops.size(); ++i) {
    Json one = place_json(details, details.loop_headers[i]);
    one.erase("what");
    const Json figures = stats::to_json(details.loops[i]);
    for (const auto& [key, value] : figures.items()) one[key] = value;
    list.push_back(std::move(one));
  }
  return list;
}

Json l1d_json(const KernelDetails& details) {
  CacheDetail sum;
  for (const CacheDetail& one : details.l1d) stats::add(sum, one);
  return stats::to_json(sum);
}

// Columns are warp slots, up to the last that was used.
Json pattern_json(const IssueIntervals& pattern) {
  std::size_t width = 0;
  for (const auto& row : pattern.rows)
    for (std::size_t w = 0; w < row.size(); ++w)
      if (row[w]) width = std::max(width, w + 1);
  Json rows = Json::array();
  for (const auto& row : pattern.rows)
    rows.push_back(
        std::vector<std::uint32_t>(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(width)));
  return {{"sm", pattern.sm}, {"interval", pattern.interval}, {"rows", std::move(rows)}};
}

LoadDivergence divergence_of(const std::map<std::pair<std::string, Pc>, LoadShapes>& loads) {
  constexpr std::uint32_t kConverged = 2, kNarrow = 8;
  LoadDivergence counts;
  for (const auto& [place, shapes] : loads) {
    std::uint64_t wide = 0, scattered = 0, complete = 0;
    std::uint32_t most_lanes = 0;
    for (const auto& [shape, executions] : shapes) {
      most_lanes = std::max(most_lanes, shape.lanes);
      scattered += shape.accesses > kConverged ? executions : 0;
      if (shape.lanes <= kConverged) continue;  // both kinds are the same
      wide += executions;
      complete += shape.accesses == shape.lanes ? executions : 0;
    }
    ++counts.loads;
    if (scattered == 0)
      ++counts.converged;
    else if (10 * complete >= 9 * wide)
      ++counts.diverged;
    else
      ++counts.between;
    counts.narrow += most_lanes <= kNarrow;
  }
  return counts;
}

}  // namespace

void DetailsTotals::add(const KernelResult& launch) {
  if (!launch.details) return;
  any_ = true;
  const KernelDetails& details = *launch.details;
  for (const LoopDetail& loop : details.loops) stats::add(loops_, loop);
  for (Pc pc = 0; pc < details.load_shapes.size(); ++pc) {
    if (details.load_shapes[pc].empty() || details.places[pc].loop == kNoPc) continue;
    LoadShapes& all = loads_[{launch.module + '\n' + launch.name, pc}];
    for (const auto& [shape, executions] : details.load_shapes[pc]) all[shape] += executions;
  }
}

Json DetailsTotals::json() const {
  if (!any_) return Json::object();
  return {{"loops", stats::to_json(loops_)},
          {"load_divergence", stats::to_json(divergence_of(loads_))}};
}

Json details_json(const KernelResult& result) {
  const KernelDetails& details = *result.details;
  Json json;
  json["instructions_in_code"] = details.places.size();
  json["schedulers"] = schedulers_json(details);
  json["unattributed_slots"] = slots_json(details.unattributed);
  json["l1d"] = l1d_json(details);
  json["l2"] = stats::to_json(details.l2);
  json["instructions"] = instructions_json(details, result.thread_instructions);
  json["loops"] = loops_json(details);
  json["ctas"] = {{"columns", {"cta", "sm", "start", "cycles"}}, {"rows", Json::array()}};
  for (const CtaDetail& c : details.ctas)
    json["ctas"]["rows"].push_back({c.cta, c.sm, c.start - result.start, c.end - c.start});
  json["warp_instructions_by_sm_and_slot"] = details.issued;
  json["issue_pattern"] = pattern_json(details.pattern);
  return json;
}

Json series_json(const KernelResult& result) {
  std::vector<std::string> names{"from", "cycles"};
  std::vector<std::vector<std::uint64_t>> rows;
  std::set<std::string> levels;
  for (const SeriesRow& row : result.series) {
    std::vector<std::uint64_t> values{row.from - result.start, row.to - row.from};
    const bool first = rows.empty();
    const auto add = [&](const std::string& name, std::uint64_t value) {
      if (first) names.push_back(name);
      values.push_back(value);
    };
    stats::flatten(row.sm,
                   [&](const std::string& name, std::uint64_t value) { add("sm." + name, value); });
    stats::flatten(row.memory, add);
    for (const auto& [name, value] : row.policy.counters()) add("policy." + name, value);
    for (const auto& [name, value] : row.policy.levels()) {
      add("policy." + name, value);
      levels.insert("policy." + name);
    }
    stats::flatten(row.watched, [&](const std::string& name, std::uint64_t value) {
      add("details." + name, value);
    });
    rows.push_back(std::move(values));
  }
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < names.size(); ++c)
    for (const auto& row : rows)
      if (c < 2 || row[c]) {
        used.push_back(c);
        break;
      }
  Json columns = Json::array(), table = Json::array();
  for (const std::size_t c : used) columns.push_back(names[c]);
  for (const auto& row : rows) {
    Json& line = table.emplace_back(Json::array());
    for (const std::size_t c : used) line.push_back(row[c]);
  }
  Json json{{"columns", std::move(columns)}, {"rows", std::move(table)}};
  if (!levels.empty())
    json["levels"] = levels;  // columns that hold a value at the end of the row, not a difference
  return json;
}

}  // namespace heddle::gpu
