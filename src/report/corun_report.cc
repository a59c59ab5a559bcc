#include "report/corun_report.h"

#include <fmt/format.h>

#include <cmath>

#include "report/chart.h"
#include "report/palette.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using lab::Corun;
using lab::CorunProgram;
using lab::CorunUnderPolicy;

constexpr int kProgressBar = 20;

// bar: half the width of the interval of an estimate; 0: the value was measured.
std::string with_bar(double value, double bar) {
  return bar > 0 ? fmt::format("{:.3f} ± {:.3f}", value, bar) : fmt::format("{:.3f}", value);
}

std::string progress_text(const CorunProgram& program) {
  return program.idle() ? "-" : with_bar(program.progress, program.progress_bar);
}

std::string cycles_text(double cycles) {
  return grouped(static_cast<std::uint64_t>(std::llround(cycles)));
}

std::string policies_table(const Corun& corun, int width) {
  using enum Align;
  std::vector<TextTable::Column> columns{
      {"share policy", left}, {"STP", right}, {"ANTT", right}, {"fairness", right}};
  for (const std::string& name : corun.names) columns.push_back({name, right});
  TextTable table(std::move(columns));
  for (const CorunUnderPolicy& run : corun.shared) {
    std::vector<std::string> row{run.share, with_bar(run.metrics.stp, run.bars.stp),
                                 with_bar(run.metrics.antt, run.bars.antt),
                                 with_bar(run.metrics.fairness, run.bars.fairness)};
    for (const CorunProgram& program : run.programs) row.push_back(progress_text(program));
    table.add_row(std::move(row));
  }
  return table.text(" ", width);
}

std::string programs_table(const Corun& corun, const CorunUnderPolicy& run, int width) {
  using enum Align;
  TextTable table({{"program", left},
                   {"launches", right},
                   {"runs", right},
                   {"cycles alone", right},
                   {"together", right},
                   {"IPC alone", right},
                   {"together", right},
                   {"progress", right},
                   {"", left}});
  for (std::size_t i = 0; i < run.programs.size(); ++i) {
    const CorunProgram& alone = corun.alone[i];
    const CorunProgram& together = run.programs[i];
    if (together.idle()) {
      table.add_row({corun.names[i], "0"});
      continue;
    }
    table.add_row({corun.names[i], grouped(alone.figures.total.launches),
                   grouped(together.repetitions), cycles_text(alone.cycles),
                   cycles_text(together.cycles), fmt::format("{:.1f}", alone.ipc),
                   fmt::format("{:.1f}", together.ipc), progress_text(together),
                   bar_text(together.progress, 1.0, kProgressBar)});
  }
  return table.text(" ", width);
}

}  // namespace

std::string corun_report(const Corun& corun, int width) {
  std::string text =
      fmt::format("{} program{} on {}, scheduler {}, CTA scheduler {}\n\n", corun.names.size(),
                  corun.names.size() == 1 ? "" : "s", corun.spec.gpu.name, corun.spec.scheduler,
                  corun.spec.cta_scheduler);
  text += policies_table(corun, width);
  for (const CorunUnderPolicy& run : corun.shared)
    text += fmt::format("\n {}\n", run.share) + programs_table(corun, run, width);
  return text +
         "\n progress: IPC beside the others / IPC alone; STP: their sum (more is better);\n"
         " ANTT: the mean of 1 / progress (less is better); fairness: least / most progress\n" +
         (corun.guesses() ? " ±: estimates of a sampled co-run, with half an interval of 95 %\n"
                          : "");
}

std::string svg_of_corun(const Corun& corun) {
  Panel panel{.values = {"progress: IPC beside the others / IPC alone", "times"}, .baseline = 1};
  for (const std::string& name : corun.names)
    panel.series.push_back(
        {.name = name, .colour = std::string(series_colour(panel.series.size()))});
  for (const CorunUnderPolicy& run : corun.shared) {
    panel.categories.push_back({run.share,
                                {fmt::format("STP {:.2f}", run.metrics.stp),
                                 fmt::format("ANTT {:.2f}", run.metrics.antt)}});
    for (std::size_t i = 0; i < run.programs.size(); ++i)
      panel.series[i].values.emplace_back(run.programs[i].idle() ? 0 : run.programs[i].progress);
  }
  return svg_of({"Programs that share a GPU", {panel}});
}

}  // namespace heddle::report
