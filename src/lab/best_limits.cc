#include "lab/best_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <set>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "config/config.h"
#include "lab/column_chart.h"
#include "lab/compare.h"
#include "lab/facts.h"
#include "lab/progress.h"
#include "lab/text_table.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;
using sched::KernelLimit;

constexpr std::size_t kMostCharts = 4;
constexpr int kChartRows = 8;

// Adds what one run measured under `limit`.
void add_run(std::vector<KernelLimit>& kernels, const ordered_json& results, std::uint32_t limit,
             bool first) {
  for (const ordered_json& launch : results["kernels"]) {
    if (!counts(results, launch)) continue;
    const std::string name = launch["name"];
    const Dim3 grid{launch["grid"][0], launch["grid"][1], launch["grid"][2]};
    auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelLimit& k) {
      return k.name == name && k.grid == grid;
    });
    if (found == kernels.end()) {
      if (!first)
        throw UserError("kernel " + plain_name(name) +
                        " was launched under one limit and not under another: the program's course "
                        "depends on time");
      kernels.push_back({name, grid, 0, 0, {}});
      found = kernels.end() - 1;
    }
    if (first) ++found->launches;
    if (found->cycles.empty() || found->cycles.back().first != limit)
      found->cycles.emplace_back(limit, 0);
    found->cycles.back().second += launch["cycles"].get<std::uint64_t>();
  }
}

std::uint64_t cycles_at(const KernelLimit& kernel, std::uint32_t limit) {
  const auto found = std::find_if(kernel.cycles.begin(), kernel.cycles.end(),
                                  [limit](const auto& c) { return c.first == limit; });
  return found == kernel.cycles.end() ? 0 : found->second;
}

// Those that together hold most of the time, longest first.
std::vector<const KernelLimit*> longest(const std::vector<KernelLimit>& kernels) {
  std::vector<const KernelLimit*> list;
  for (const KernelLimit& k : kernels) list.push_back(&k);
  std::stable_sort(list.begin(), list.end(), [](auto* a, auto* b) {
    return cycles_at(*a, a->warps) > cycles_at(*b, b->warps);
  });
  if (list.size() > kMostCharts) list.resize(kMostCharts);
  return list;
}

std::string grid_text(const Dim3& g) { return fmt::format("{} x {} x {}", g.x, g.y, g.z); }

}  // namespace

std::vector<std::uint32_t> all_limits(const RunRequest& request) {
  std::vector<std::uint32_t> limits(
      config::load_gpu(request.gpu, request.overrides).sm.max_warps());
  for (std::uint32_t i = 0; i < limits.size(); ++i) limits[i] = i + 1;
  return limits;
}

std::vector<std::uint32_t> parse_limits(const std::string& text, const RunRequest& request) {
  const auto most = static_cast<std::uint32_t>(all_limits(request).size());
  std::set<std::uint32_t> limits;
  const auto fail = [&] {
    throw UserError(
        fmt::format("--limits {}: must read like 1-8,16,32, with limits from 1 to {}", text, most));
  };
  const auto number = [&](std::string_view part) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || value < 1 || value > most)
      fail();
    return value;
  };
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string_view piece = std::string_view(text).substr(start, comma - start);
    const std::size_t dash = piece.find('-');
    const std::uint32_t first = number(piece.substr(0, dash)),
                        last =
                            dash == std::string_view::npos ? first : number(piece.substr(dash + 1));
    if (first > last) fail();
    for (std::uint32_t i = first; i <= last; ++i) limits.insert(i);
    start = comma + 1;
  }
  return {limits.begin(), limits.end()};
}

LimitSearch search_limits(const RunRequest& request, const std::string& policy,
                          const std::vector<std::uint32_t>& limits, int jobs,
                          const std::function<void(const std::string&)>& say) {
  std::vector<std::string> policies;
  for (const std::uint32_t limit : limits)
    policies.push_back(with_limit(policy, "warps", fmt::format("{}", limit)));
  const Comparison runs = compare(request, policies, jobs, say);
  LimitSearch search;
  if ((search.interrupted = runs.interrupted)) return search;
  auto& found = search.limits;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const Contestant& run = runs.contestants[i];
    if (run.failed()) {
      std::cerr << run.errors;
      throw UserError(
          fmt::format("the program fails under {}: {}", run.scheduler,
                      run.outcome.usable() ? describe(run.outcome.ending) : run.outcome.problem));
    }
    add_run(found.kernels, run.outcome.results, limits[i], i == 0);
  }
  found.program = request.program.front();
  for (std::size_t i = 1; i < request.program.size(); ++i)
    found.arguments += (i > 1 ? " " : "") + request.program[i];
  found.gpu = request.gpu;
  for (KernelLimit& kernel : found.kernels)
    kernel.warps =
        std::min_element(kernel.cycles.rbegin(), kernel.cycles.rend(),
                         [](const auto& a, const auto& b) { return a.second < b.second; })
            ->first;
  return search;
}

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
  for (const KernelLimit* k : longest(limits.kernels)) {
    std::vector<Column> columns;
    for (const auto& [limit, cycles] : k->cycles)
      columns.push_back({fmt::format("{}", limit), static_cast<double>(cycles), limit == k->warps});
    text += fmt::format("\n {}, grid {}: cycles by limit, * the best\n", plain_name(k->name),
                        grid_text(k->grid)) +
            column_chart(columns, kChartRows, " ");
  }
  return text;
}

int find_best_limits(const RunRequest& request, const std::string& policy,
                     const std::vector<std::uint32_t>& limits, int jobs, const std::string& file,
                     bool quiet) {
  if (request.functional) throw UserError("best-swl needs timing");
  if (request.timed.limit_cycles)
    throw UserError(
        "best-swl cannot go by --limit-cycles, which every limit reaches with other work done; use "
        "--kernels or --limit-instructions");
  const LimitSearch search = [&] {
    const ProgressText progress(!quiet);
    return search_limits(request, policy, limits, jobs,
                         [&](const std::string& text) { progress.say("heddle: " + text); });
  }();
  if (search.interrupted) {
    std::cerr << "heddle: error: interrupted; no results\n";
    return 128 + search.interrupted;
  }
  std::cout << limits_report(search.limits, terminal_width(1, 110)) << std::flush;
  if (!file.empty()) {
    write_file_atomically(file, search.limits.to_toml());
    if (!quiet)
      std::cerr << "heddle: limits in " << file << "; --scheduler swl:best=" << file
                << " goes by them\n";
  }
  return static_cast<int>(ExitCode::success);
}

}  // namespace heddle::lab
