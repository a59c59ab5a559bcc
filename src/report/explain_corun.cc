// Which resource limits which program of a co-run.
#include <fmt/format.h>

#include <algorithm>

#include "report/corun_report.h"
#include "report/slot_words.h"
#include "report/text_table.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using lab::CorunProgram;
using lab::KernelFigures;
using stats::ratio;

// What a program gets of a shared resource, or pays for it, alone and beside the others.
struct Effect {
  std::string resource, figure;
  double alone = 0, together = 0;
  double loss = 1;  // the factor by which it got worse; 1: not at all
};

double per_kilo_instruction(std::uint64_t events, const KernelFigures& figures) {
  return 1000 * ratio(events, figures.warp_instructions);
}

double mean_resident_warps(const CorunProgram& program) {
  const double repetitions = static_cast<double>(std::max<std::uint64_t>(1, program.repetitions));
  return program.cycles > 0 ? static_cast<double>(program.figures.total.resident.warp_cycles) /
                                  (program.cycles * repetitions)
                            : 0;
}

// More is better: warps. Less is better: misses and time.
std::vector<Effect> effects_of(const CorunProgram& alone, const CorunProgram& together) {
  const KernelFigures &a = alone.figures.total, &t = together.figures.total;
  const auto worse_if_less = [](double before, double now) {
    return now > 0 && before > 0 ? std::max(1.0, before / now) : 1.0;
  };
  std::vector<Effect> effects{
      {"warp slots", "resident warps of the GPU", mean_resident_warps(alone),
       mean_resident_warps(together), 1},
      {"L1 cache", "L1 misses per 1000 warp instructions", per_kilo_instruction(a.l1d.misses, a),
       per_kilo_instruction(t.l1d.misses, t), 1},
      {"L2 cache", "DRAM reads per 1000 warp instructions", per_kilo_instruction(a.dram.reads, a),
       per_kilo_instruction(t.dram.reads, t), 1},
      {"DRAM", "core cycles of a read in DRAM and its queue",
       a.read_time.dram.value() + a.read_time.dram_queue.value(),
       t.read_time.dram.value() + t.read_time.dram_queue.value(), 1}};
  effects[0].loss = worse_if_less(effects[0].alone, effects[0].together);
  for (std::size_t i = 1; i < effects.size(); ++i)
    effects[i].loss = worse_if_less(effects[i].together, effects[i].alone);
  return effects;
}

std::string effects_table(const std::vector<Effect>& effects, int width) {
  using enum Align;
  TextTable table(
      {{"resource", left}, {"figure", left}, {"alone", right}, {"together", right}, {"", right}});
  for (const Effect& e : effects)
    table.add_row({e.resource, e.figure, fmt::format("{:.1f}", e.alone),
                   fmt::format("{:.1f}", e.together),
                   e.loss > 1.005 ? fmt::format("{:.2f} times worse", e.loss) : ""});
  return table.text("   ", width);
}

std::string sentence(const std::string& name, const CorunProgram& together,
                     const std::vector<Effect>& effects) {
  constexpr double kSmallLoss = 1.1;
  const Effect& worst = *std::max_element(
      effects.begin(), effects.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
  const double progress = together.progress;
  if (progress > 0.97) return fmt::format("{} runs as fast as alone.", name);
  if (worst.loss < kSmallLoss)
    return fmt::format("{} keeps {} of its speed; it shares issue slots and network ports.", name,
                       percent(progress, 0));
  return fmt::format("{} keeps {} of its speed; its {} suffers most: {:.1f} {}, {:.1f} alone.",
                     name, percent(progress, 0), worst.resource, worst.together, worst.figure,
                     worst.alone);
}

// Who uses DRAM and the issue slots while the programs run together.
std::string shares_table(const lab::Corun& corun, const lab::CorunUnderPolicy& run, int width) {
  using enum Align;
  const auto per_cycle = [](std::uint64_t events, const CorunProgram& p) {
    const double cycles = p.cycles * static_cast<double>(p.repetitions);
    return cycles > 0 ? static_cast<double>(events) / cycles : 0;
  };
  double issued = 0, l2 = 0, dram = 0;
  for (const CorunProgram& p : run.programs) {
    issued += per_cycle(p.figures.total.warp_instructions, p);
    l2 += per_cycle(p.figures.total.l2.accesses, p);
    dram += per_cycle(p.figures.total.dram.reads + p.figures.total.dram.writes, p);
  }
  TextTable table({{"program", left},
                   {"issued instructions", right},
                   {"L2 accesses", right},
                   {"DRAM requests", right},
                   {"issue slots lost to", left}});
  const auto share = [](double part, double whole) {
    return whole > 0 ? percent(part / whole, 0) : std::string("-");
  };
  for (std::size_t i = 0; i < run.programs.size(); ++i) {
    const CorunProgram& p = run.programs[i];
    const KernelFigures& f = p.figures.total;
    table.add_row({corun.names[i], share(per_cycle(f.warp_instructions, p), issued),
                   share(per_cycle(f.l2.accesses, p), l2),
                   share(per_cycle(f.dram.reads + f.dram.writes, p), dram), lost_slots_text(f, 2)});
  }
  return table.text("   ", width);
}

}  // namespace

std::string explain_corun(const lab::Corun& corun, int width) {
  std::string text;
  for (const lab::CorunUnderPolicy& run : corun.shared) {
    text += fmt::format("Under {}\n", run.share) + shares_table(corun, run, width);
    for (std::size_t i = 0; i < run.programs.size(); ++i) {
      if (run.programs[i].idle()) continue;
      const auto effects = effects_of(corun.alone[i], run.programs[i]);
      text += "\n  " + folded(sentence(corun.names[i], run.programs[i], effects), width - 2, "  ") +
              effects_table(effects, width);
    }
    text += "\n";
  }
  return text;
}

}  // namespace heddle::report
