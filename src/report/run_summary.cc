#include "report/run_summary.h"

#include <fmt/format.h>

#include "report/kernel_labels.h"
#include "report/slot_words.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

constexpr double kMinSeconds = 1e-3;

std::string rate(const lab::CacheFigures& cache) {
  return cache.accesses ? percent(cache.hit_rate()) : "-";
}

std::vector<std::string> timed_row(const std::string& name, const lab::KernelFigures& figures) {
  const bool dram = figures.dram.reads + figures.dram.writes > 0;
  return {name,
          grouped(figures.launches),
          grouped(figures.cycles),
          fmt::format("{:.1f}", figures.ipc()),
          rate(figures.l1d),
          rate(figures.l2),
          dram ? percent(figures.dram.row_hit_rate()) : "-",
          lost_slots_text(figures, 2)};
}

std::vector<std::string> functional_row(const std::string& name,
                                        const lab::KernelFigures& figures) {
  return {name, grouped(figures.launches), grouped(figures.warp_instructions),
          grouped(figures.thread_instructions)};
}

// "5 of 12 launches timed, the last not to its end: 43 % of the thread instructions"; empty when
// all launches are timed.
std::string part_text(const lab::RunFigures& run) {
  if (run.functional || run.truncated_launches + run.functional_launches == 0) return {};
  const std::uint64_t timed = run.timed_launches + run.truncated_launches;
  std::string text =
      fmt::format(", {} of {} launches timed", timed, timed + run.functional_launches);
  if (run.truncated_launches)
    text += run.timed_launches ? ", the last not to its end" : ", not to its end";
  return text + fmt::format(": {:.1f} % of the thread instructions", 100 * run.timed_share);
}

// "Figures are estimates for the whole program: 1,234,567 cycles, ± 1.3 % with 95 % confidence."
std::string sample_text(const lab::RunFigures& run) {
  if (!run.cycles_bar) return {};
  return fmt::format(
      "  Figures are estimates for the whole program: {} cycles, ± {} with 95 % confidence.\n",
      grouped(run.total.cycles), percent(*run.cycles_bar / static_cast<double>(run.total.cycles)));
}

std::string parts_text(const lab::RunFigures& run) {
  if (run.parts < 2) return {};
  return fmt::format("  Put together from {} parts that ran separately.\n", run.parts);
}

// Cycles are elapsed ones, so the rows of kernels that ran at once add up to more than the total.
std::string overlap_text(const lab::RunFigures& run) {
  if (run.functional || !run.total.overlap()) return {};
  return fmt::format(
      "  Launches overlap: cycles in which several are active count once ({} added up).\n",
      grouped(run.total.launch_cycles));
}

// "720,896 warp instructions simulated in 0.29 s, 2.47 million a second"; empty for a run that is
// too short to measure.
std::string speed_text(const lab::RunFigures& run) {
  if (run.kernel_seconds < kMinSeconds) return {};
  const double millions_per_s =
      static_cast<double>(run.total.warp_instructions) * 1e-6 / run.kernel_seconds;
  return fmt::format(
      "heddle: {} warp instructions simulated in {:.3g} s, {:.3g} million a second\n",
      grouped(run.total.warp_instructions), run.kernel_seconds, millions_per_s);
}

std::string address_check_text(const lab::RunFigures& run) {
  if (!run.compared_addresses) return {};
  return fmt::format("heddle: {} addresses of lanes agree with the address analysis\n",
                     grouped(*run.compared_addresses));
}

}  // namespace

std::string run_summary(const lab::RunFigures& run, int width) {
  const auto row = run.functional ? functional_row : timed_row;
  using enum Align;
  TextTable table = run.functional ? TextTable({{"kernel", left},
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
  const auto labels = kernel_labels(run.kernels, &lab::KernelFigures::name);
  for (std::size_t k = 0; k < labels.size(); ++k) table.add_row(row(labels[k], run.kernels[k]));
  if (run.kernels.size() > 1) table.add_row(row("total", run.total));
  const std::string head =
      run.functional ? "functional run"
                     : fmt::format("{} under {}{}", run.gpu, run.scheduler, part_text(run));
  const std::string note = run.functional && run.elapsed_times > 0
                               ? "  Nothing was timed: elapsed times that the program read count "
                                 "each warp instruction as one core cycle.\n"
                               : "";
  return fmt::format("heddle: {}\n{}{}{}{}{}{}{}", head, table.text("  ", width), overlap_text(run),
                     sample_text(run), parts_text(run), note, address_check_text(run),
                     speed_text(run));
}

}  // namespace heddle::report
