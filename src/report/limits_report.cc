#include "report/limits_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "report/column_chart.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using sched::KernelLimit;

constexpr std::size_t kMaxCharts = 4;
constexpr int kChartRows = 8;

std::uint64_t cycles_at(const KernelLimit& kernel, std::uint32_t limit) {
  const auto found = std::find_if(kernel.cycles.begin(), kernel.cycles.end(),
                                  [limit](const auto& c) { return c.first == limit; });
  return found == kernel.cycles.end() ? 0 : found->second;
}

// The kernels with the most cycles, in that order.
std::vector<const KernelLimit*> charted(const std::vector<KernelLimit>& kernels) {
  std::vector<const KernelLimit*> list;
  for (const KernelLimit& k : kernels) list.push_back(&k);
  std::stable_sort(list.begin(), list.end(), [](auto* a, auto* b) {
    return cycles_at(*a, a->warps) > cycles_at(*b, b->warps);
  });
  if (list.size() > kMaxCharts) list.resize(kMaxCharts);
  return list;
}

std::string grid_text(const Dim3& g) { return fmt::format("{} x {} x {}", g.x, g.y, g.z); }

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
  for (const KernelLimit& k : limits.kernels) {
    const std::uint64_t best = cycles_at(k, k.warps), most = k.cycles.back().second;
    table.add_row(
        {plain_name(k.name), grid_text(k.grid), grouped(k.launches), fmt::format("{}", k.warps),
         grouped(best), grouped(most),
         fmt::format("{:.3f}",
                     best ? static_cast<double>(most) / static_cast<double>(best) : 0.0)});
  }
  std::string text = table.text(" ", width);
  for (const KernelLimit* k : charted(limits.kernels)) {
    std::vector<Column> columns;
    for (const auto& [limit, cycles] : k->cycles)
      columns.push_back({fmt::format("{}", limit), static_cast<double>(cycles), limit == k->warps});
    text += fmt::format("\n {}, grid {}: cycles by limit, * the best\n", plain_name(k->name),
                        grid_text(k->grid)) +
            column_chart(columns, kChartRows, " ");
  }
  return text;
}

}  // namespace heddle::report
