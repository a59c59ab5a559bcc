#include "report/comparison_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "config/config.h"
#include "report/comparison_sentence.h"
#include "report/kernel_labels.h"
#include "report/slot_words.h"
#include "report/text_table.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using lab::Comparison;
using lab::Contestant;
using lab::KernelFigures;
using stats::ratio;

constexpr int kMaxBar = 24, kMinBar = 6, kMaxSentenceWidth = 120;
constexpr std::size_t kMaxSlotUses = 2;  // in a row of the table

std::string failure_text(const Contestant& contestant) {
  return contestant.outcome.usable() ? "FAILED, " + contestant.failure()
                                     : "FAILED: " + contestant.failure();
}

std::vector<std::string> table_row(const KernelFigures& figures, const std::string& scheduler,
                                   bool winner, double speed_up, const std::string& drawn,
                                   std::size_t slot_uses, std::optional<double> bar) {
  return {winner ? "*" : "",
          scheduler,
          grouped(figures.cycles) +
              (bar ? " ± " + percent(*bar / static_cast<double>(figures.cycles)) : ""),
          fmt::format("{:.1f}", figures.ipc()),
          fmt::format("{:.3f}", speed_up),
          drawn,
          figures.l1d.accesses ? percent(figures.l1d.hit_rate()) : "-",
          figures.dram.reads + figures.dram.writes ? percent(figures.dram.row_hit_rate()) : "-",
          slot_uses ? lost_slots_text(figures, slot_uses) : ""};
}

std::string main_table(const std::vector<Contestant>& contestants, std::uint64_t base,
                       std::uint64_t fewest, std::uint64_t most, int bar_width,
                       std::size_t slot_uses) {
  using enum Align;
  TextTable table({{"", left},
                   {"scheduler", left},
                   {"cycles", right},
                   {"IPC", right},
                   {"speed-up", right},
                   {"", left},
                   {"L1 hits", right},
                   {"row hits", right},
                   {slot_uses ? "issue slots lost to" : "", left}});
  for (const Contestant& contestant : contestants) {
    if (contestant.failed()) {
      table.add_row({"", contestant.scheduler, "failed"});
      continue;
    }
    const KernelFigures& figures = contestant.figures().total;
    table.add_row(table_row(figures, contestant.scheduler,
                            figures.cycles == fewest && fewest != most, ratio(base, figures.cycles),
                            bar_text(ratio(base, figures.cycles), ratio(base, fewest), bar_width),
                            slot_uses, contestant.figures().cycles_bar));
  }
  return table.text(" ");
}

int widest_line(const std::string& text) {
  int widest = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    widest = std::max(widest, display_width(text.substr(start, end - start)));
    start = end + 1;
  }
  return widest;
}

// The lost issue slots below the table, for a terminal without room for them in its rows.
std::string lost_slots_list(const std::vector<Contestant>& contestants, int width) {
  TextTable table({{"", Align::left}, {"issue slots lost to", Align::left}});
  for (const Contestant& contestant : contestants)
    if (!contestant.failed())
      table.add_row(
          {contestant.scheduler, lost_slots_text(contestant.figures().total, kMaxSlotUses)});
  return table.text("    ", width);
}

// A row is one line. In a narrow terminal the bars get shorter first; then rows name fewer slot
// uses; then a second table has them.
std::string fitting_table(const Comparison& comparison, int width) {
  const auto& contestants = comparison.contestants;
  const auto first = std::find_if(contestants.begin(), contestants.end(),
                                  [](const Contestant& c) { return !c.failed(); });
  if (first == contestants.end()) return {};
  const auto cycles = [](const Contestant& c) { return c.figures().total.cycles; };
  const std::uint64_t base = cycles(*first), fewest = cycles(*comparison.best()),
                      most = cycles(*comparison.worst());
  std::string text;
  const auto fits = [&] { return widest_line(text) <= width; };
  std::size_t slot_uses = kMaxSlotUses;
  for (;; --slot_uses) {
    for (int bar_width = kMaxBar; bar_width >= kMinBar; --bar_width) {
      text = main_table(contestants, base, fewest, most, bar_width, slot_uses);
      if (fits()) break;
    }
    if (fits() || slot_uses == 0) break;
  }
  if (slot_uses == 0) text += lost_slots_list(contestants, width);
  if (contestants.size() == 1) return text;
  return text + " " +
         folded(
             fmt::format("{}speed-up is over {}; IPC counts thread instructions of the whole GPU",
                         fewest != most ? "* fewest cycles; " : "", first->scheduler),
             width, " ");
}

// The winner of each kernel, for a terminal without room for a column per scheduler.
std::string winner_table(const std::vector<const Contestant*>& finished,
                         const std::vector<std::vector<KernelFigures>>& kernels) {
  using enum Align;
  TextTable table({{"kernel", left},
                   {"fewest cycles", right},
                   {"under", left},
                   {"under " + finished[0]->scheduler, right},
                   {"most", right},
                   {"under", left}});
  for (std::size_t k = 0; k < kernels[0].size(); ++k) {
    std::size_t fewest = 0, most = 0;
    for (std::size_t s = 1; s < finished.size(); ++s) {
      if (kernels[s][k].cycles < kernels[fewest][k].cycles) fewest = s;
      if (kernels[s][k].cycles > kernels[most][k].cycles) most = s;
    }
    table.add_row({kernels[0][k].name, grouped(kernels[fewest][k].cycles),
                   finished[fewest]->scheduler, grouped(kernels[0][k].cycles),
                   grouped(kernels[most][k].cycles), finished[most]->scheduler});
  }
  return table.text("   ");
}

// Cycles of each kernel under each scheduler; empty unless different schedulers win different
// kernels.
std::string kernel_table(const Comparison& comparison, int width) {
  std::vector<const Contestant*> finished;
  std::vector<std::vector<KernelFigures>> kernels;
  for (const Contestant& contestant : comparison.contestants) {
    if (contestant.failed()) continue;
    finished.push_back(&contestant);
    kernels.push_back(contestant.figures().kernels);
  }
  if (finished.size() < 2 || kernels[0].size() < 2) return {};
  if (std::any_of(kernels.begin(), kernels.end(),
                  [&](const auto& list) { return list.size() != kernels[0].size(); }))
    return {};
  std::vector<TextTable::Column> columns{{"cycles by kernel", Align::left}};
  for (const Contestant* contestant : finished)
    columns.push_back({contestant->scheduler, Align::right});
  TextTable table(std::move(columns));
  std::set<std::size_t> winners;
  const auto labels = kernel_labels(kernels[0], &KernelFigures::name);
  for (std::size_t k = 0; k < kernels[0].size(); ++k) {
    std::uint64_t fewest = ~std::uint64_t{0}, most = 0;
    std::size_t winner = 0;
    for (std::size_t s = 0; s < finished.size(); ++s) {
      if (kernels[s][k].cycles < fewest) winner = s;
      fewest = std::min(fewest, kernels[s][k].cycles);
      most = std::max(most, kernels[s][k].cycles);
    }
    if (fewest != most) winners.insert(winner);
    std::vector<std::string> row{labels[k]};
    for (std::size_t s = 0; s < finished.size(); ++s)
      row.push_back((fewest != most && kernels[s][k].cycles == fewest ? "* " : "") +
                    grouped(kernels[s][k].cycles));
    table.add_row(std::move(row));
  }
  if (winners.size() < 2) return {};
  const std::string text = table.text("   ");
  return "\n" + (widest_line(text) <= width ? text : winner_table(finished, kernels));
}

// Of a sampled comparison: which schedulers may be as fast as the best.
std::string overlap_sentence(const Comparison& comparison) {
  const Contestant* const best = comparison.best();
  if (!best || !best->figures().cycles_bar) return {};
  const auto edge = [](const Contestant& c, double bars) {
    return static_cast<double>(c.figures().total.cycles) +
           bars * c.figures().cycles_bar.value_or(0);
  };
  std::vector<std::string> level;
  for (const Contestant& contestant : comparison.contestants)
    if (!contestant.failed() && &contestant != best && edge(contestant, -1) <= edge(*best, 1))
      level.push_back(contestant.scheduler);
  if (level.empty()) return "The cycles are estimates; no error bar reaches that of the best.";
  return fmt::format(
      "The cycles are estimates; the error bar{} of {} reach{} that of {}: the sample does not "
      "decide which is faster.",
      level.size() == 1 ? "" : "s", fmt::join(level, ", "), level.size() == 1 ? "es" : "",
      best->scheduler);
}

}  // namespace

std::string comparison_headline(const Comparison& comparison) {
  const lab::RunRequest& request = comparison.request;
  const config::GpuSpec gpu = config::load_gpu(request.gpu, request.overrides);
  return fmt::format(
      "{} on {}{}: {} SMs, each with {} warp scheduler{} and {} KiB of L1",
      fmt::join(request.program, " "), gpu.name,
      request.overrides.empty() ? "" : fmt::format(" with {}", fmt::join(request.overrides, ", ")),
      gpu.sms(), gpu.sm.schedulers, gpu.sm.schedulers == 1 ? "" : "s",
      gpu.sm.l1d.size_bytes / 1024);
}

std::string comparison_finding(const Comparison& comparison) {
  const Contestant *best = comparison.best(), *worst = comparison.worst();
  if (!best || comparison.contestants.size() < 2) return {};
  const KernelFigures& fastest = best->figures().total;
  std::vector<std::string> level;
  for (const Contestant& contestant : comparison.contestants)
    if (!contestant.failed() && &contestant != best &&
        is_level(fastest, contestant.figures().total))
      level.push_back(contestant.scheduler);
  return comparison_sentence({best->scheduler, fastest}, {worst->scheduler, worst->figures().total},
                             level);
}

std::string comparison_report(const Comparison& comparison, int width) {
  std::string text = fitting_table(comparison, width) + kernel_table(comparison, width);
  if (const std::string sentence = comparison_finding(comparison); !sentence.empty())
    text += "\n" + folded(sentence, std::min(width, kMaxSentenceWidth));
  if (const std::string sentence = overlap_sentence(comparison); !sentence.empty())
    text += folded(sentence, std::min(width, kMaxSentenceWidth));
  for (const Contestant& contestant : comparison.contestants)
    if (contestant.failed())
      text += fmt::format("{}: {}\n", contestant.scheduler, failure_text(contestant));
  return text;
}

}  // namespace heddle::report
