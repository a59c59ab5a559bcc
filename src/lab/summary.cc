#include "lab/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/facts.h"
#include "lab/text_table.h"

namespace heddle::lab {
namespace {

std::string rate(const HitCounts& counts) { return counts.accesses ? percent(counts.hit_rate()) : "-"; }

std::vector<std::string> timed_row(const std::string& name, const Facts& facts) {
  const bool dram = facts.dram_reads + facts.dram_writes > 0;
  return {name, grouped(facts.launches), grouped(facts.cycles), fmt::format("{:.1f}", facts.ipc()), rate(facts.l1d), rate(facts.l2),
          dram ? percent(facts.row_hit_rate()) : "-", stall_text(facts, 2)};
}

std::vector<std::string> counted_row(const std::string& name, const Facts& facts) {
  return {name, grouped(facts.launches), grouped(facts.warp_instructions), grouped(facts.thread_instructions)};
}

}  // namespace

std::string run_summary(const nlohmann::ordered_json& results, int width) {
  const bool functional = results.value("functional", false);
  const Facts total = total_facts(results);
  const auto kernels = kernel_facts(results);
  const auto row = functional ? counted_row : timed_row;
  using enum Align;
  TextTable table = functional ? TextTable({{"kernel", left}, {"launches", right}, {"warp instructions", right}, {"thread instructions", right}})
                               : TextTable({{"kernel", left}, {"launches", right}, {"cycles", right}, {"IPC", right}, {"L1 hits", right}, {"L2 hits", right},
                                            {"row hits", right}, {"issue slots lost to", left}});
  for (const Facts& kernel : kernels) table.add_row(row(kernel.name, kernel));
  if (kernels.size() > 1) table.add_row(row("total", total));
  const std::string head = functional ? "functional run" : fmt::format("{} under {}", results.value("gpu", ""), results.value("scheduler", ""));
  return fmt::format("heddle: {}\n{}", head, table.text("  ", width));
}

}  // namespace heddle::lab
