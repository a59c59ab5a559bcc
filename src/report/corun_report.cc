#include "report/corun_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/palette.h"
#include "report/svg.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using lab::Corun;
using lab::CorunProgram;
using lab::CorunUnderPolicy;

constexpr int kProgressBar = 20;

std::string progress_text(const CorunProgram& program) {
  return program.idle() ? "-" : fmt::format("{:.3f}", program.progress);
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
    std::vector<std::string> row{run.share, fmt::format("{:.3f}", run.metrics.stp),
                                 fmt::format("{:.3f}", run.metrics.antt),
                                 fmt::format("{:.3f}", run.metrics.fairness)};
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
         " ANTT: the mean of 1 / progress (less is better); fairness: least / most progress\n";
}

std::string svg_of_corun(const Corun& corun) {
  constexpr double kLeft = 60, kTop = 60, kHeight = 220, kBar = 26, kGap = 34;
  const double group = kBar * static_cast<double>(corun.names.size());
  const double width =
      std::max(480.0, kLeft + static_cast<double>(corun.shared.size()) * (group + kGap) + kGap);
  double highest = 1;
  for (const CorunUnderPolicy& run : corun.shared)
    for (const CorunProgram& program : run.programs) highest = std::max(highest, program.progress);
  const double bottom = kTop + kHeight;
  const auto y_of = [&](double progress) { return bottom - progress / highest * kHeight; };
  Svg svg;
  double x = kLeft;
  for (std::size_t i = 0; i < corun.names.size(); ++i)
    x += svg.legend(x, 28, kLineColours[i % kLineColours.size()], corun.names[i]);
  for (double tick = 0; tick <= highest + 1e-9; tick += 0.25) {
    svg.line(kLeft, y_of(tick), width - 10, y_of(tick), "#dddddd");
    svg.text(kLeft - 6, y_of(tick) + 4, fmt::format("{:.2f}", tick), Svg::Anchor::end);
  }
  svg.text(kLeft, kTop - 12, "progress: IPC beside the others / IPC alone");
  x = kLeft + kGap / 2;
  for (const CorunUnderPolicy& run : corun.shared) {
    for (std::size_t i = 0; i < run.programs.size(); ++i) {
      const CorunProgram& program = run.programs[i];
      if (program.idle()) continue;
      svg.rectangle(x + kBar * static_cast<double>(i), y_of(program.progress), kBar - 3,
                    bottom - y_of(program.progress), kLineColours[i % kLineColours.size()],
                    fmt::format("{}, {}: {:.3f}", corun.names[i], run.share, program.progress));
    }
    const double middle = x + group / 2;
    svg.text(middle, bottom + 18, run.share, Svg::Anchor::middle);
    svg.text(middle, bottom + 36, fmt::format("STP {:.2f}", run.metrics.stp), Svg::Anchor::middle);
    svg.text(middle, bottom + 52, fmt::format("ANTT {:.2f}", run.metrics.antt),
             Svg::Anchor::middle);
    x += group + kGap;
  }
  svg.line(kLeft, bottom, width - 10, bottom, "#222222");
  return svg.document(width, bottom + 70, "Programs that share a GPU");
}

}  // namespace heddle::report
