#include "report/limits_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "report/column_chart.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using sched::KernelLimit;
using sched::LimitCycles;

constexpr std::size_t kMaxCharts = 3;
constexpr int kChartRows = 8;

std::uint64_t cycles_at(const LimitCycles& cycles, std::uint32_t limit) {
  const auto found = std::find_if(cycles.begin(), cycles.end(),
                                  [limit](const auto& c) { return c.first == limit; });
  return found == cycles.end() ? 0 : found->second;
}

// The kernels with the most cycles, in that order.
std::vector<const KernelLimit*> charted(const std::vector<KernelLimit>& kernels) {
  std::vector<const KernelLimit*> list;
  for (const KernelLimit& k : kernels) list.push_back(&k);
  std::stable_sort(list.begin(), list.end(), [](auto* a, auto* b) {
    return cycles_at(a->cycles, a->warps) > cycles_at(b->cycles, b->warps);
  });
  if (list.size() > kMaxCharts) list.resize(kMaxCharts);
  return list;
}

std::string grid_text(const Dim3& g) { return fmt::format("{} x {} x {}", g.x, g.y, g.z); }

std::string chart(const std::string& title, const LimitCycles& cycles, std::uint32_t best) {
  std::vector<Column> columns;
  for (const auto& [limit, count] : cycles)
    columns.push_back({fmt::format("{}", limit), static_cast<double>(count), limit == best});
  return fmt::format("\n {}: cycles by limit, * the best\n", title) +
         column_chart(columns, kChartRows, " ");
}

}  // namespace

std::string limits_report(const sched::StaticLimits& limits, int width) {
  using enum Align;
  TextTable table({{"kernel", left},
                   {"grid", right},
                   {"launches", right},
                   {"best limit", right},
                   {"cycles", right},
                   {"at the largest", right},
                   {"speed-up", right}});
  const auto add_row = [&](const std::string& name, const std::string& grid, std::uint64_t launches,
                           std::uint32_t warps, const LimitCycles& cycles) {
    const std::uint64_t best = cycles_at(cycles, warps), most = cycles.back().second;
    table.add_row(
        {name, grid, grouped(launches), fmt::format("{}", warps), grouped(best), grouped(most),
         fmt::format("{:.3f}",
                     best ? static_cast<double>(most) / static_cast<double>(best) : 0.0)});
  };
  std::uint64_t launches = 0;
  for (const KernelLimit& k : limits.kernels) launches += k.launches;
  add_row("the program", "", launches, limits.warps, limits.cycles);
  for (const KernelLimit& k : limits.kernels)
    add_row(plain_name(k.name), grid_text(k.grid), k.launches, k.warps, k.cycles);
  std::string text = table.text(" ", width) + chart("the program", limits.cycles, limits.warps);
  if (limits.kernels.size() < 2) return text;
  for (const KernelLimit* k : charted(limits.kernels))
    text += chart(fmt::format("{}, grid {}", plain_name(k->name), grid_text(k->grid)), k->cycles,
                  k->warps);
  return text;
}

}  // namespace heddle::report
