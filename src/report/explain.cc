#include "report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "lab/facts.h"
#include "lab/text_table.h"
#include "report/hot_lines.h"
#include "stats/ratio.h"

namespace heddle::report {
namespace {

using stats::ratio;

using lab::bar;
using lab::Facts;
using lab::grouped;
using lab::percent;
using nlohmann::ordered_json;

constexpr std::size_t kHotLines = 3;
constexpr std::size_t kOtherKernels = 4;
constexpr double kWorthAParagraph = 0.1;    // of the program's cycles
constexpr std::size_t kMostParagraphs = 3;  // one page in all
constexpr int kBarWidth = 24;
constexpr double kScattered = 4;  // accesses of one instruction; coalesced ones make one or two
constexpr double kWorthNaming = 0.005;

struct UseWords {
  const char *use, *label, *phrase;
};
constexpr std::array<UseWords, 7> kUseWords{{
    {"issued", "issued", "issued: an instruction left"},
    {"idle", "idle", "idle: no warp was left to run"},
    {"instruction_buffer_empty", "buffer empty",
     "instruction_buffer_empty: warps waited for fetch"},
    {"barrier", "barrier",
     "barrier: warps waited for others of their CTA, a memory barrier or an atomic"},
    {"scoreboard", "scoreboard", "scoreboard: warps waited for operands still in flight"},
    {"pipeline", "pipeline", "pipeline: a warp was ready, its unit or the memory pipeline busy"},
    {"throttled", "throttled", "throttled: the policy held ready warps back"},
}};

const UseWords& words_of(const std::string& use) {
  const auto found = std::find_if(kUseWords.begin(), kUseWords.end(),
                                  [&](const UseWords& words) { return use == words.use; });
  return found != kUseWords.end() ? *found : kUseWords.front();
}

// The launches of one kernel.
std::vector<const ordered_json*> launches_of(const ordered_json& results,
                                             const std::string& kernel) {
  std::vector<const ordered_json*> list;
  for (const ordered_json& launch : results.at("kernels"))
    if (plain_name(launch.value("name", "")) == kernel) list.push_back(&launch);
  return list;
}

// A figure of all launches, weighted by their cycles.
double mean(const std::vector<const ordered_json*>& launches, const char* group, const char* name) {
  double sum = 0, weight = 0;
  for (const ordered_json* launch : launches) {
    const double cycles = launch->value("cycles", 0.0);
    sum += cycles * launch->at(group).value(name, 0.0);
    weight += cycles;
  }
  return ratio(sum, weight);
}

double sum(const std::vector<const ordered_json*>& launches, const char* group, const char* name) {
  double total = 0;
  for (const ordered_json* launch : launches) total += launch->at(group).value(name, 0.0);
  return total;
}

std::string slots_text(const Facts& facts) {
  std::string text = "Where the issue slots went\n";
  const auto total = static_cast<double>(facts.slot_total());
  auto uses = facts.slots;
  std::stable_sort(uses.begin(), uses.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [use, count] : uses) {
    const double share = ratio(static_cast<double>(count), total);
    if (share < kWorthNaming) continue;
    const std::string picture = bar(share, 1.0, kBarWidth);
    text += fmt::format(
        "  {:>6}  {}{}  {}\n", percent(share), picture,
        std::string(static_cast<std::size_t>(kBarWidth - lab::display_width(picture)), ' '),
        words_of(use).phrase);
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

std::string losses_of(const SourceCost& line, double total) {
  auto lost =
      std::vector<std::pair<std::string, std::uint64_t>>(line.lost.begin(), line.lost.end());
  std::stable_sort(lost.begin(), lost.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text =
      fmt::format("issued {}", percent(ratio(static_cast<double>(line.issued), total)));
  for (const auto& [use, count] : lost) {
    const double share = ratio(static_cast<double>(count), total);
    if (share >= kWorthNaming) text += fmt::format(", {} {}", words_of(use).label, percent(share));
  }
  return text;
}

std::string hot_lines_text(const std::vector<SourceCost>& lines, double total, int width) {
  std::string text =
      "Hottest source lines, by slots used and lost there (scoreboard: others wait for what it "
      "computes or loads)\n";
  for (std::size_t i = 0; i < std::min(kHotLines, lines.size()); ++i) {
    const SourceCost& line = lines[i];
    std::string code = line.text;
    const auto room =
        static_cast<std::size_t>(std::max(width - 14 - static_cast<int>(line.place.size()), 20));
    if (code.size() > room) code = code.substr(0, room - 3) + "...";
    text += fmt::format("  {:>6}  {}  {}\n", percent(ratio(static_cast<double>(line.slots), total)),
                        line.place, code);
    text += fmt::format("          {}: {}\n", line.what, losses_of(line, total));
    if (const std::string memory = memory_of(line); !memory.empty())
      text += fmt::format("          {}\n", memory);
  }
  return text;
}

std::string cache_text(const char* name, const lab::HitCounts& counts) {
  return fmt::format("  {} {} of {} accesses hit, {} found their line on its way\n", name,
                     percent(counts.hit_rate()), grouped(counts.accesses),
                     percent(ratio(counts.pending_hits, counts.accesses)));
}

std::string memory_text(const Facts& facts, const std::vector<const ordered_json*>& launches) {
  std::string text = "Memory\n";
  if (facts.l1d.accesses) text += cache_text("L1  ", facts.l1d);
  if (facts.l2.accesses) text += cache_text("L2  ", facts.l2);
  if (facts.dram_reads + facts.dram_writes)
    text += fmt::format(
        "  DRAM {} reads, {} writes; {} found their row open; {:.1f} banks of a channel at work at "
        "once\n",
        grouped(facts.dram_reads), grouped(facts.dram_writes), percent(facts.row_hit_rate()),
        mean(launches, "rates", "dram_bank_parallelism"));
  if (const double time = mean(launches, "read_time", "mean"); time > 0)
    text += fmt::format(
        "  A read beyond L1 takes {:.0f} cycles: {:.0f} to the L2, {:.0f} in it, {:.0f} in the "
        "DRAM queue, {:.0f} in DRAM, {:.0f} back\n",
        time, mean(launches, "read_time", "network_down"), mean(launches, "read_time", "l2"),
        mean(launches, "read_time", "dram_queue"), mean(launches, "read_time", "dram"),
        mean(launches, "read_time", "network_up"));
  return text;
}

std::string occupancy_text(const std::vector<const ordered_json*>& launches,
                           std::uint64_t most_warps) {
  const ordered_json& first = *launches.front();
  const ordered_json& occupancy = first.at("occupancy");
  std::string text = "Occupancy\n";
  text += fmt::format("  {} CTAs = {} of {} warps per SM, limited by {}",
                      occupancy.value("ctas_per_sm", 0), occupancy.value("warps_per_sm", 0),
                      most_warps, occupancy.value("limiter", ""));
  text += fmt::format(" ({} registers per thread, {} bytes of shared memory per CTA)\n",
                      first.value("registers_per_thread", 0), first.value("shared_bytes", 0));
  text += fmt::format(
      "  {:.1f} warps were resident on average; {:.1f} of 32 lanes executed per instruction\n",
      mean(launches, "rates", "resident_warps"), mean(launches, "rates", "lanes_per_instruction"));
  const double count = sum(launches, "ctas", "count");
  double cycles = 0, tail = 0, all = 0;
  for (const ordered_json* launch : launches) {
    all += launch->value("cycles", 0.0);
    cycles += launch->at("ctas").value("mean_cycles", 0.0) * launch->at("ctas").value("count", 0.0);
    tail += launch->value("cycles", 0.0) - launch->value("last_cta_dispatched_at", 0.0);
  }
  text += fmt::format(
      "  {:.0f} CTAs took {:.0f} cycles each on average; {} of the time passed after the last had "
      "started\n",
      count, ratio(cycles, count), percent(ratio(tail, all), 0));
  return text;
}

std::string energy_text(const std::vector<const ordered_json*>& launches) {
  std::vector<std::pair<std::string, double>> shares;
  double total = 0;
  for (const ordered_json* launch : launches) {
    if (!launch->contains("energy")) return {};
    std::size_t i = 0;
    for (const auto& [name, value] : launch->at("energy").items()) {
      if (name == "total_nj")
        total += value.get<double>();
      else if (i < shares.size())
        shares[i++].second += value.get<double>();
      else
        shares.emplace_back(name.substr(0, name.size() - 3), value.get<double>()), ++i;
    }
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = fmt::format("Energy (estimate)\n  {:.3g} mJ:", total / 1e6);
  for (std::size_t i = 0; i < std::min<std::size_t>(5, shares.size()); ++i)
    text += fmt::format("{} {} {}", i ? "," : "", shares[i].first,
                        percent(ratio(shares[i].second, total), 0));
  return text + "\n";
}

double accesses_per_instruction(const std::vector<const ordered_json*>& launches) {
  double instructions = 0;
  for (const ordered_json* launch : launches)
    for (const auto& count : launch->at("sm").at("accesses_per_instruction"))
      instructions += count.get<double>();
  return ratio(sum(launches, "sm", "coalesced_accesses"), instructions);
}

// What the largest loss usually means, said with this run's figures.
std::string verdict(const Facts& facts, const std::vector<SourceCost>& lines,
                    const std::vector<const ordered_json*>& launches) {
  const auto lost = lab::stalls(facts);
  if (lost.empty() || ratio(lost[0].second, facts.slot_total()) <
                          ratio(facts.slots_of("issued"), facts.slot_total()))
    return "Most slots issue an instruction: fewer instructions, or more SMs and schedulers, make "
           "it faster.\n";
  const std::string& use = lost[0].first;
  if (use == "scoreboard") {
    std::uint64_t memory = 0, all = 0;
    for (const SourceCost& line : lines) {
      const auto found = line.lost.find(use);
      if (found == line.lost.end()) continue;
      all += found->second;
      if (line.accesses) memory += found->second;
    }
    if (ratio(memory, all) < 0.5)
      return "Warps wait for results of arithmetic: more warps or more independent instructions "
             "per thread would fill the gaps.\n";
    const double l1 = facts.l1d.hit_rate();
    return fmt::format(
        "Warps wait for memory: {} of the scoreboard stalls are on lines that access it. {}\n",
        percent(ratio(memory, all), 0),
        facts.l1d.accesses == 0
            ? "Loads go past the L1; what threads share belongs into shared memory."
        : l1 < 0.5
            ? "Most accesses miss in L1: fewer warps at once (a limiting scheduler), tiling, or "
              "neighbouring lanes on neighbouring data help."
            : "Hits are frequent, so latency counts: more warps, or loads issued earlier, help.");
  }
  if (use == "pipeline")
    return fmt::format(
        "Instructions are ready and their unit is busy; a memory instruction makes {:.1f} accesses "
        "on average{}.\n",
        accesses_per_instruction(launches),
        accesses_per_instruction(launches) > kScattered
            ? ": neighbouring lanes on neighbouring data would make fewer"
            : "");
  if (use == "barrier")
    return "Warps wait for the others of their CTA: smaller CTAs, or evener work between "
           "barriers.\n";
  if (use == "idle")
    return "Schedulers had no warp: more or smaller CTAs, or evener work between CTAs.\n";
  if (use == "throttled")
    return "The scheduler held ready warps back: compare it with gto to see whether that pays.\n";
  return "Warps wait for instructions: the code is larger than the instruction cache serves "
         "well.\n";
}

std::uint64_t warps_per_sm(const ordered_json& results) {
  const std::string toml = results.value("/configuration/toml"_json_pointer, "");
  const auto at = toml.find("max_threads = ");
  return at == std::string::npos ? 0 : std::stoull(toml.substr(at + 14)) / 32;
}

// What the policies counted, the first few.
std::string policy_text(const Facts& facts) {
  constexpr std::size_t kMost = 6;
  std::string text;
  std::size_t told = 0;
  for (const auto& [name, value] : facts.policy) {
    if (value == 0 || told == kMost) continue;
    text += fmt::format("{}{} {}", told++ ? ", " : "  ", name, grouped(value));
  }
  return text.empty() ? text : "Policy\n" + text + "\n";
}

// A kernel that is not the longest, in five lines.
std::string paragraph(const ordered_json& results, const Facts& kernel, const Facts& all,
                      int width) {
  const auto launches = launches_of(results, kernel.name);
  const auto lines = source_costs(results, kernel.name);
  std::string text = fmt::format(
      "\n{}: {} of the cycles ({}, {} launch{})\n  {}", kernel.name,
      percent(ratio(kernel.cycles, all.cycles), 0), grouped(kernel.cycles),
      grouped(kernel.launches), kernel.launches == 1 ? "" : "es", verdict(kernel, lines, launches));
  text += fmt::format("  issued {} of the slots; lost: {}\n", percent(kernel.share_of("issued")),
                      lab::stall_text(kernel, 4));
  if (!lines.empty()) {
    std::string code = lines[0].text;
    const auto room = static_cast<std::size_t>(
        std::max(width - 20 - static_cast<int>(lines[0].place.size()), 20));
    if (code.size() > room) code = code.substr(0, room - 3) + "...";
    text += fmt::format("  {:>6}  {}  {}\n",
                        percent(ratio(static_cast<double>(lines[0].slots),
                                      static_cast<double>(kernel.slot_total()))),
                        lines[0].place, code);
  }
  const ordered_json& occupancy = launches.front()->at("occupancy");
  return text + fmt::format("  L1 hits {}, L2 {}, DRAM rows {}; {} warps per SM, limited by {}\n",
                            percent(kernel.l1d.hit_rate()), percent(kernel.l2.hit_rate()),
                            percent(kernel.row_hit_rate()), occupancy.value("warps_per_sm", 0),
                            occupancy.value("limiter", ""));
}

}  // namespace

std::string explain(const ordered_json& results, int width) {
  if (results.value("functional", false))
    return "heddle: a functional run has no timing to explain\n";
  auto kernels = lab::kernel_facts(results);
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Facts& a, const Facts& b) { return a.cycles > b.cycles; });
  const Facts& top = kernels.front();
  const Facts all = lab::total_facts(results);
  const auto launches = launches_of(results, top.name);
  const auto lines = source_costs(results, top.name);
  std::string text =
      fmt::format("\n{} on {} under {}: {} cycles, {} launch{}\n", top.name,
                  results.value("gpu", ""), results.value("scheduler", ""), grouped(top.cycles),
                  grouped(top.launches), top.launches == 1 ? "" : "es");
  if (kernels.size() > 1) {
    text += fmt::format("  {} of the program's {} cycles; the others:",
                        percent(ratio(top.cycles, all.cycles), 0), grouped(all.cycles));
    for (std::size_t i = 1; i < std::min(kernels.size(), kOtherKernels + 1); ++i)
      text += fmt::format("{} {} {}", i > 1 ? "," : "", kernels[i].name,
                          percent(ratio(kernels[i].cycles, all.cycles), 0));
    text += "\n";
  }
  text += "\n" + verdict(top, lines, launches) + "\n" + slots_text(top) + "\n";
  text += hot_lines_text(lines, static_cast<double>(top.slot_total()), width) + "\n" +
          memory_text(top, launches) + "\n";
  text += occupancy_text(launches, warps_per_sm(results));
  if (const std::string policy = policy_text(top); !policy.empty()) text += "\n" + policy;
  if (const std::string energy = energy_text(launches); !energy.empty()) text += "\n" + energy;
  for (std::size_t i = 1; i < std::min(kernels.size(), kMostParagraphs + 1); ++i)
    if (ratio(kernels[i].cycles, all.cycles) > kWorthAParagraph)
      text += paragraph(results, kernels[i], all, width);
  return text;
}

}  // namespace heddle::report
