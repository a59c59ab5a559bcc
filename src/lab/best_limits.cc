#include "lab/best_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "config/config.h"
#include "gpu/active_cycles.h"
#include "lab/compare.h"
#include "lab/figures.h"
#include "lab/scheduler_pair.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;
using sched::KernelLimit;

// The limit with the fewest cycles; the largest of equal ones.
std::uint32_t best_of(const sched::LimitCycles& cycles) {
  return std::min_element(cycles.rbegin(), cycles.rend(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// Adds the cycles of a run under `limit`: of the program, and of each kernel with its grid.
void add_run(sched::StaticLimits& limits, const RunOutcome& run, std::uint32_t limit, bool first) {
  std::vector<KernelLimit>& kernels = limits.kernels;
  std::vector<gpu::ActiveCycles> active(kernels.size());
  for (const ordered_json& launch : run.results["kernels"]) {
    if (!is_included(run.results, launch)) continue;
    const std::string name = launch["name"];
    const Dim3 grid{launch["grid"][0], launch["grid"][1], launch["grid"][2]};
    auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelLimit& k) {
      return k.name == name && k.grid == grid;
    });
    if (found == kernels.end()) {
      if (!first)
        throw UserError(
            "kernel " + plain_name(name) +
            " is launched under one limit and not under another: the program's launches "
            "depend on time");
      kernels.push_back({name, grid, 0, 0, {}});
      found = kernels.end() - 1;
      active.emplace_back();
    }
    if (first) ++found->launches;
    active[static_cast<std::size_t>(found - kernels.begin())].add(
        Cycle{launch["start_cycle"].get<std::uint64_t>()}, launch["cycles"].get<std::uint64_t>());
  }
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (active[i].count() > 0) kernels[i].cycles.emplace_back(limit, active[i].count());
  limits.cycles.emplace_back(limit, run.figures.total.cycles);
}

}  // namespace

std::vector<std::uint32_t> all_limits(const RunRequest& request) {
  std::vector<std::uint32_t> limits(
      config::load_gpu(request.gpu, request.overrides).sm.max_warps());
  for (std::uint32_t i = 0; i < limits.size(); ++i) limits[i] = i + 1;
  return limits;
}

std::vector<std::uint32_t> parse_limits(const std::string& text, const RunRequest& request) {
  const auto max_limit = static_cast<std::uint32_t>(all_limits(request).size());
  std::set<std::uint32_t> limits;
  const auto fail = [&] {
    throw UserError(fmt::format("--limits {}: must read like 1-8,16,32, with limits from 1 to {}",
                                text, max_limit));
  };
  const auto number = [&](std::string_view part) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || value < 1 || value > max_limit)
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
                          const ReportProgress& report_progress) {
  if (request.functional) throw UserError("best-swl needs timing");
  if (request.timed.limit_cycles)
    throw UserError(
        "best-swl cannot compare runs with --limit-cycles: each executes a different part of the "
        "program; use --kernels or --limit-instructions");
  std::vector<std::string> policies;
  for (const std::uint32_t limit : limits)
    policies.push_back(
        SchedulerPair{with_limit(policy, "warps", fmt::format("{}", limit)), request.cta_scheduler}
            .name());
  RunRequest kept = request;
  kept.keep_launches = true;
  const Comparison runs = compare(kept, policies, jobs, report_progress);
  LimitSearch search;
  if ((search.interrupted = runs.interrupted)) return search;
  auto& found = search.limits;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const Contestant& run = runs.contestants[i];
    if (run.failed())
      throw ProgramFailure(
          fmt::format("the program fails under {}: {}", run.scheduler, run.failure()), run.errors);
    add_run(found, run.outcome, limits[i], i == 0);
  }
  found.program = request.program.front();
  for (std::size_t i = 1; i < request.program.size(); ++i)
    found.arguments += (i > 1 ? " " : "") + request.program[i];
  found.gpu = request.gpu;
  choose_limits(found);
  return search;
}

void choose_limits(sched::StaticLimits& limits) {
  if (limits.kernels.empty()) throw UserError("the program launches no kernel that is timed");
  for (KernelLimit& kernel : limits.kernels) kernel.warps = best_of(kernel.cycles);
  limits.warps = best_of(limits.cycles);
}

}  // namespace heddle::lab
