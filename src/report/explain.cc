#include "report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab/source_costs.h"
#include "report/slot_words.h"
#include "report/text_table.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using lab::KernelFigures;
using lab::RunFigures;
using lab::SourceCost;
using sm::SlotUse;
using stats::ratio;

constexpr std::size_t kHotLines = 3;
constexpr std::size_t kOtherKernels = 4;   // in the first lines
constexpr double kMinParagraph = 0.1;      // of the program's cycles
constexpr std::size_t kMaxParagraphs = 3;  // all of it fits on one page
constexpr std::size_t kMaxPolicyCounters = 6;
constexpr std::size_t kMaxEnergyParts = 5;
constexpr int kBarWidth = 24;
constexpr double kScattered = 4;  // accesses of one instruction; a coalesced one makes 1 or 2
constexpr double kMinShare = 0.005;

std::string slots_text(const KernelFigures& kernel) {
  std::string text = "Where the issue slots went\n";
  std::vector<SlotUse> uses;
  for (int i = 0; i < sm::kSlotUses; ++i) uses.push_back(static_cast<SlotUse>(i));
  std::stable_sort(uses.begin(), uses.end(),
                   [&](SlotUse a, SlotUse b) { return kernel.slots_of(a) > kernel.slots_of(b); });
  for (const SlotUse use : uses) {
    const double share = kernel.share_of(use);
    if (share < kMinShare) continue;
    const std::string drawn = bar_text(share, 1.0, kBarWidth);
    text +=
        fmt::format("  {:>6}  {}{}  {}: {}\n", percent(share), drawn,
                    std::string(static_cast<std::size_t>(kBarWidth - display_width(drawn)), ' '),
                    sm::info(use).label, sm::info(use).phrase);
  }
  return text;
}

std::string memory_of(const SourceCost& line) {
  if (line.accesses == 0) return {};
  std::string text =
      fmt::format("{:.1f} lanes make {:.1f} accesses", ratio(line.lanes, line.executions),
                  ratio(line.accesses, line.executions));
  if (line.l1d_accesses)
    text +=
        fmt::format("; {} of them hit in L1", percent(ratio(line.l1d_hits, line.l1d_accesses), 0));
  return text;
}

std::string losses_of(const SourceCost& line, std::uint64_t total) {
  std::vector<SlotUse> uses;
  for (int i = 0; i < sm::kSlotUses; ++i)
    if (const auto use = static_cast<SlotUse>(i); use != SlotUse::issued) uses.push_back(use);
  std::stable_sort(uses.begin(), uses.end(),
                   [&](SlotUse a, SlotUse b) { return line.slots_of(a) > line.slots_of(b); });
  std::string text =
      fmt::format("issued {}", percent(ratio(line.slots_of(SlotUse::issued), total)));
  for (const SlotUse use : uses)
    if (const double share = ratio(line.slots_of(use), total); share >= kMinShare)
      text += fmt::format(", {} {}", sm::info(use).label, percent(share));
  return text;
}

// The place of a line and its code, where it is known, shortened to what fits beside the place and
// `other` columns.
std::string place_and_code(const SourceCost& line, int width, int other) {
  if (line.text.empty()) return line.place;
  const auto room =
      static_cast<std::size_t>(std::max(width - other - static_cast<int>(line.place.size()), 20));
  return line.place + "  " +
         (line.text.size() > room ? line.text.substr(0, room - 3) + "..." : line.text);
}

std::string hot_lines_text(const std::vector<SourceCost>& lines, std::uint64_t total, int width) {
  std::string text =
      "Hottest source lines, by slots that they use and lose (scoreboard: other instructions wait "
      "for their results)\n";
  for (std::size_t i = 0; i < std::min(kHotLines, lines.size()); ++i) {
    const SourceCost& line = lines[i];
    text += fmt::format("  {:>6}  {}\n", percent(ratio(line.all_slots(), total)),
                        place_and_code(line, width, 14));
    text += fmt::format("          {}: {}\n", line.instruction, losses_of(line, total));
    if (const std::string memory = memory_of(line); !memory.empty())
      text += fmt::format("          {}\n", memory);
  }
  return text;
}

std::string cache_text(const char* name, const lab::CacheFigures& cache) {
  return fmt::format("  {} {} of {} accesses hit, {} are pending hits\n", name,
                     percent(cache.hit_rate()), grouped(cache.accesses),
                     percent(ratio(cache.pending_hits, cache.accesses)));
}

// Which CTAs share lines, and how far apart they are.
std::string cta_sharing_text(const sm::CtaSharingStats& sharing, std::uint64_t accesses) {
  if (sharing.other_cta() + sharing.pending_hits == 0) return {};
  std::string text = fmt::format(
      "       {} hit on a line that another CTA brought in: {} of a resident CTA, {} of an earlier "
      "one\n",
      percent(ratio(sharing.other_cta(), accesses)), percent(ratio(sharing.resident_cta, accesses)),
      percent(ratio(sharing.earlier_cta, accesses)));
  if (sharing.pending_hits)
    text += fmt::format("       {} are pending hits on a line that another CTA fetches\n",
                        percent(ratio(sharing.pending_hits, accesses)));
  std::vector<std::string> ways;
  if (sharing.same_row)
    ways.push_back(fmt::format("CTAs of a row up to {} apart ({} of these hits)",
                               sharing.distance_x,
                               percent(ratio(sharing.same_row, sharing.other_cta()), 0)));
  if (sharing.same_column)
    ways.push_back(fmt::format("CTAs of a column up to {} apart ({})", sharing.distance_y,
                               percent(ratio(sharing.same_column, sharing.other_cta()), 0)));
  if (ways.empty()) return text;
  return text + fmt::format("       Lines are shared by {}\n", fmt::join(ways, " and by "));
}

std::string memory_text(const KernelFigures& kernel) {
  std::string text = "Memory\n";
  if (kernel.l1d.accesses) text += cache_text("L1  ", kernel.l1d);
  if (kernel.ctas.sharing) text += cta_sharing_text(*kernel.ctas.sharing, kernel.l1d.accesses);
  if (kernel.l2.accesses) text += cache_text("L2  ", kernel.l2);
  if (kernel.dram.reads + kernel.dram.writes)
    text += fmt::format(
        "  DRAM {} reads, {} writes; {} are row hits; {:.1f} banks of a channel work at once\n",
        grouped(kernel.dram.reads), grouped(kernel.dram.writes),
        percent(kernel.dram.row_hit_rate()), kernel.dram.bank_parallelism.value());
  const lab::ReadTimeFigures& time = kernel.read_time;
  if (time.all.value() > 0)
    text += fmt::format(
        "  A read beyond L1 takes {:.0f} cycles: {:.0f} to the L2, {:.0f} in it, {:.0f} in the "
        "DRAM queue, {:.0f} in DRAM, {:.0f} back\n",
        time.all.value(), time.network_down.value(), time.l2.value(), time.dram_queue.value(),
        time.dram.value(), time.network_up.value());
  return text;
}

std::string ctas(std::uint64_t count) {
  return fmt::format("{} CTA{}", grouped(count), count == 1 ? "" : "s");
}

std::string occupancy_text(const KernelFigures& kernel, std::uint64_t max_warps_per_sm) {
  const lab::OccupancyFigures& occupancy = kernel.occupancy;
  std::string text = "Occupancy\n";
  text += fmt::format("  {} = {} of {} warps per SM, limited by {}", ctas(occupancy.ctas_per_sm),
                      occupancy.warps_per_sm, max_warps_per_sm, occupancy.limiter);
  text += fmt::format(" ({} registers per thread, {} bytes of shared memory per CTA)\n",
                      occupancy.registers_per_thread, occupancy.shared_bytes);
  text += fmt::format(
      "  {:.1f} warps {}are resident on average; {:.1f} of 32 lanes execute per instruction\n",
      kernel.resident.warps.value(), kernel.overlap() ? "of a launch " : "",
      kernel.lanes_per_instruction.value());
  return text + fmt::format(
                    "  {}: {} cycles each on average; {} of the time passes after the last CTA "
                    "starts\n",
                    ctas(kernel.ctas.count),
                    grouped(static_cast<std::uint64_t>(
                        std::llround(ratio(kernel.ctas.cycles, kernel.ctas.count)))),
                    percent(ratio(kernel.ctas.tail_cycles, kernel.cycles), 0));
}

std::string energy_text(const KernelFigures& kernel) {
  if (kernel.energy.parts_nj.empty()) return {};
  auto parts = kernel.energy.parts_nj;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = fmt::format("Energy (estimate)\n  {:.3g} mJ:", kernel.energy.total_nj / 1e6);
  for (std::size_t i = 0; i < std::min(kMaxEnergyParts, parts.size()); ++i) {
    const double share = ratio(parts[i].second, kernel.energy.total_nj);
    if (share < kMinShare) break;
    std::ranges::replace(parts[i].first, '_', ' ');
    text += fmt::format("{} {} {}", i ? "," : "", parts[i].first, percent(share, 0));
  }
  return text + "\n";
}

// Most accesses miss in L1. What helps depends on whether the lines had been there.
std::string miss_advice(const KernelFigures& kernel, const std::vector<SourceCost>& lines) {
  std::uint64_t misses = 0, cold = 0;
  for (const SourceCost& line : lines) {
    misses += line.l1d_misses;
    cold += line.l1d_cold_misses;
  }
  if (kernel.coalescing.accesses_per_instruction() > kScattered)
    return "Most accesses miss in L1, and an instruction makes many: neighbouring lanes on "
           "neighbouring data make fewer.";
  if (ratio(cold, misses) >= 0.5)
    return "Most accesses miss in L1, on lines that were never there: more warps, loads issued "
           "earlier, or fewer bytes help.";
  return "Most accesses miss in L1, on lines that were evicted: fewer warps at once (a limiting "
         "scheduler) or tiling helps.";
}

std::string scoreboard_advice(const KernelFigures& kernel, const std::vector<SourceCost>& lines) {
  std::uint64_t memory = 0, all = 0;
  for (const SourceCost& line : lines) {
    all += line.slots_of(SlotUse::scoreboard);
    if (line.accesses) memory += line.slots_of(SlotUse::scoreboard);
  }
  if (ratio(memory, all) < 0.5)
    return "Warps wait for results of arithmetic. More warps or more independent instructions "
           "per thread fill the gaps.";
  return fmt::format(
      "Warps wait for memory: {} of the scoreboard stalls are on lines that access it. {}",
      percent(ratio(memory, all), 0),
      kernel.l1d.accesses == 0
          ? "Loads bypass the L1: put data that threads share into shared memory."
      : kernel.l1d.hit_rate() < 0.5
          ? miss_advice(kernel, lines)
          : "Hits are frequent, so latency counts: more warps, or loads issued earlier, help.");
}

// What the largest loss usually means, with this run's figures.
std::string advice(const KernelFigures& kernel, const std::vector<SourceCost>& lines) {
  const auto lost = lab::lost_slots(kernel);
  if (lost.empty() || lost[0].second < kernel.slots_of(SlotUse::issued))
    return "Most slots issue an instruction. Fewer instructions, or more SMs and schedulers, make "
           "it faster.";
  switch (lost[0].first) {
    case SlotUse::scoreboard: return scoreboard_advice(kernel, lines);
    case SlotUse::pipeline:
      return fmt::format(
          "Instructions are ready and their unit is busy; a memory instruction makes {:.1f} "
          "accesses on average{}.",
          kernel.coalescing.accesses_per_instruction(),
          kernel.coalescing.accesses_per_instruction() > kScattered
              ? ": neighbouring lanes on neighbouring data make fewer"
              : "");
    case SlotUse::barrier:
      return "Warps wait at barriers: smaller CTAs or evener work between barriers help.";
    case SlotUse::outstanding:
      return "Warps wait until their own fences, atomics, asynchronous copies or launches are "
             "done: "
             "fewer of them, or more warps, help.";
    case SlotUse::idle:
      return "Schedulers have no warp: more or smaller CTAs, or evener work between CTAs, help.";
    case SlotUse::throttled:
      return "The policy throttles issuable warps: compare it with gto to see whether that pays.";
    default:
      return "Warps wait for instruction fetch: the loops are larger than the instruction cache "
             "serves well.";
  }
}

// The first counters of policies that are not 0.
std::string policy_text(const KernelFigures& kernel) {
  std::string text;
  std::size_t count = 0;
  for (const auto& [name, value] : kernel.policy) {
    if (value == 0 || count == kMaxPolicyCounters) continue;
    text += fmt::format("{}{} {}", count++ ? ", " : "  ", name, grouped(value));
  }
  return text.empty() ? text : "\nPolicy\n" + text + "\n";
}

std::string launches_text(const KernelFigures& kernel) {
  return fmt::format("{} launch{}", grouped(kernel.launches), kernel.launches == 1 ? "" : "es");
}

// A kernel that is not the longest, in five lines.
std::string paragraph(const KernelFigures& kernel, const std::vector<SourceCost>& lines,
                      std::uint64_t all_cycles, int width) {
  std::string text =
      fmt::format("\n{}: {} of the cycles ({}, {})\n  {}", kernel.name,
                  percent(ratio(kernel.cycles, all_cycles), 0), grouped(kernel.cycles),
                  launches_text(kernel), folded(advice(kernel, lines), width, "  "));
  text += fmt::format("  issued {} of the slots; lost: {}\n",
                      percent(kernel.share_of(SlotUse::issued)), lost_slots_text(kernel, 4));
  if (!lines.empty())
    text += fmt::format("  {:>6}  {}\n", percent(ratio(lines[0].all_slots(), kernel.all_slots())),
                        place_and_code(lines[0], width, 20));
  return text + fmt::format("  L1 hits {}, L2 {}, DRAM rows {}; {} warps per SM, limited by {}\n",
                            percent(kernel.l1d.hit_rate()), percent(kernel.l2.hit_rate()),
                            percent(kernel.dram.row_hit_rate()), kernel.occupancy.warps_per_sm,
                            kernel.occupancy.limiter);
}

// Cycles in which several kernels are active count for each of them.
bool kernels_overlap(const std::vector<KernelFigures>& kernels, const KernelFigures& total) {
  return std::accumulate(kernels.begin(), kernels.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const KernelFigures& kernel) {
                           return sum + kernel.cycles;
                         }) > total.cycles;
}

std::string heading(const RunFigures& run, const std::vector<KernelFigures>& kernels) {
  const KernelFigures& top = kernels.front();
  std::string text = fmt::format("\n{} on {} under {}: {} cycles, {}\n", top.name, run.gpu,
                                 run.scheduler, grouped(top.cycles), launches_text(top));
  if (kernels.size() == 1) return text;
  text += fmt::format("  {} of the program's {} cycles; the others:",
                      percent(ratio(top.cycles, run.total.cycles), 0), grouped(run.total.cycles));
  for (std::size_t i = 1; i < std::min(kernels.size(), kOtherKernels + 1); ++i)
    text += fmt::format("{} {} {}", i > 1 ? "," : "", kernels[i].name,
                        percent(ratio(kernels[i].cycles, run.total.cycles), 0));
  return text + (kernels_overlap(kernels, run.total)
                     ? "; kernels overlap, so the shares add up to more than 100 %\n"
                     : "\n");
}

}  // namespace

std::string explain(const lab::RunOutcome& outcome, int width) {
  const RunFigures& run = outcome.figures;
  if (run.functional) return "heddle: a functional run has no timing to explain\n";
  auto kernels = run.kernels;
  std::stable_sort(
      kernels.begin(), kernels.end(),
      [](const KernelFigures& a, const KernelFigures& b) { return a.cycles > b.cycles; });
  const KernelFigures& top = kernels.front();
  const auto lines = lab::source_costs(outcome.results, top.name, *outcome.sources);
  std::string text = heading(run, kernels) + "\n" + folded(advice(top, lines), width) + "\n" +
                     slots_text(top) + "\n" + hot_lines_text(lines, top.all_slots(), width) + "\n" +
                     memory_text(top) + "\n" + occupancy_text(top, run.max_warps_per_sm) +
                     policy_text(top);
  if (const std::string energy = energy_text(top); !energy.empty()) text += "\n" + energy;
  for (std::size_t i = 1; i < std::min(kernels.size(), kMaxParagraphs + 1); ++i)
    if (ratio(kernels[i].cycles, run.total.cycles) > kMinParagraph)
      text += paragraph(kernels[i],
                        lab::source_costs(outcome.results, kernels[i].name, *outcome.sources),
                        run.total.cycles, width);
  return text;
}

}  // namespace heddle::report
