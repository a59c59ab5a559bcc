#include "lab/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/facts.h"
#include "lab/text_table.h"

namespace heddle::lab {
namespace {

std::string rate(const HitCounts& counts) {
  return counts.accesses ? percent(counts.hit_rate()) : "-";
}

std::vector<std::string> timed_row(const std::string& name, const Facts& facts) {
  const bool dram = facts.dram_reads + facts.dram_writes > 0;
  return {name,
          grouped(facts.launches),
          grouped(facts.cycles),
          fmt::format("{:.1f}", facts.ipc()),
          rate(facts.l1d),
          rate(facts.l2),
          dram ? percent(facts.row_hit_rate()) : "-",
          stall_text(facts, 2)};
}

std::vector<std::string> counted_row(const std::string& name, const Facts& facts) {
  return {name, grouped(facts.launches), grouped(facts.warp_instructions),
          grouped(facts.thread_instructions)};
}

// "5 of 12 launches timed, 1 cut, 43 % of the thread instructions"; empty when all was timed.
std::string part_text(const nlohmann::ordered_json& results) {
  const auto found = results.at("totals").find("simulated");
  if (results.value("functional", false) || found == results.at("totals").end()) return {};
  const std::uint64_t timed = found->value("timed", std::uint64_t{0}),
                      cut = found->value("cut", std::uint64_t{0}),
                      rest = found->value("functional", std::uint64_t{0});
  if (cut + rest == 0) return {};
  std::string text = fmt::format(", {} of {} launches timed", timed + cut, timed + cut + rest);
  if (cut) text += timed ? ", the last not to its end" : ", not to its end";
  return text + fmt::format(": {:.1f} % of the thread instructions",
                            100 * found->value("timed_share", 0.0));
}

// "720,896 warp instructions simulated in 0.29 s, 2.47 million a second"; empty when too little to
// tell.
std::string speed_text(const nlohmann::ordered_json& results, std::uint64_t warp_instructions) {
  const double seconds =
      results.value(nlohmann::ordered_json::json_pointer("/host/kernel_seconds"), 0.0);
  if (seconds < 1e-3) return {};
  const double millions_per_s = static_cast<double>(warp_instructions) * 1e-6 / seconds;
  return fmt::format(
      "heddle: {} warp instructions simulated in {:.3g} s, {:.{}f} million a second\n",
      grouped(warp_instructions), seconds, millions_per_s, millions_per_s < 10 ? 2 : 0);
}

}  // namespace

std::string run_summary(const nlohmann::ordered_json& results, int width) {
  const bool functional = results.value("functional", false);
  const Facts total = total_facts(results);
  const auto kernels = kernel_facts(results);
  const auto row = functional ? counted_row : timed_row;
  using enum Align;
  TextTable table = functional ? TextTable({{"kernel", left},
                                            {"launches", right},
                                            {"warp instructions", right},
                                            {"thread instructions", right}})
                               : TextTable({{"kernel", left},
                                            {"launches", right},
                                            {"cycles", right},
                                            {"IPC", right},
                                            {"L1 hits", right},
                                            {"L2 hits", right},
                                            {"row hits", right},
                                            {"issue slots lost to", left}});
  for (const Facts& kernel : kernels) table.add_row(row(kernel.name, kernel));
  if (kernels.size() > 1) table.add_row(row("total", total));
  const std::string head = functional
                               ? "functional run"
                               : fmt::format("{} under {}{}", results.value("gpu", ""),
                                             results.value("scheduler", ""), part_text(results));
  const bool counted = functional && results.value("elapsed_times", std::uint64_t{0}) > 0;
  const std::string note = counted ? "  The times that the program was told count each warp "
                                     "instruction as one core cycle: nothing was timed.\n"
                                   : "";
  return fmt::format("heddle: {}\n{}{}{}", head, table.text("  ", width), note,
                     speed_text(results, total.warp_instructions));
}

}  // namespace heddle::lab
