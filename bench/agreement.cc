// Compares Heddle with GPGPU-Sim: runs the reference programs with the same PTX and registers, and
// prints every count next to the reference's (bench/reference/gpgpusim.csv).
//   agreement --help
// `agreement lfws` and `agreement daws` compare these machines of papers with the simulators that
// the papers used (paper_agreement.h). Otherwise the exit code is 1 when
// - a run executes other instructions;
// - the cycles of a run are more than 20 % off, or the mean of all runs more than 10 %;
// - a cache count is beyond its limit and bench/reference/known_differences.csv does not list it
//   with a bound of its own;
// - another scheduler wins where the reference's two differ clearly.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "error_table.h"
#include "paper_agreement.h"
#include "reference_figures.h"
#include "runs.h"

namespace heddle::bench {
namespace {

constexpr double kCyclesOfOne = 0.20, kCyclesMean = 0.10;
constexpr double kAccesses = 0.02, kHitsAndMisses = 0.05;
// The same scheduler must win where the reference's two differ by more than this.
constexpr double kClearDifference = 0.03;
constexpr double kSmallRun = 100'000;  // warp instructions: at most a second

struct Count {
  const char* column;  // in gpgpusim.csv
  const char* total;   // in the totals of run.json
  double limit;        // of the relative error; 0: not judged
};
constexpr Count kCounts[] = {{"thread_instructions", "thread_instructions", 0},
                             {"warp_instructions", "warp_instructions", 0},
                             {"cycles", "cycles", kCyclesOfOne},
                             {"l1d_accesses", "l1d.accesses", kAccesses},
                             {"l1d_hits", "l1d.hits", kHitsAndMisses},
                             {"l1d_pending_hits", "l1d.pending_hits", 0},
                             {"l1d_misses", "l1d.misses", kHitsAndMisses},
                             {"l2_accesses", "l2.accesses", kAccesses},
                             {"l2_hits", "l2.hits", kHitsAndMisses},
                             {"l2_pending_hits", "l2.pending_hits", 0},
                             {"l2_misses", "l2.misses", kHitsAndMisses},
                             {"dram_reads", "dram.reads", 0}};
constexpr std::size_t kThreadInstructions = 0, kWarpInstructions = 1, kCycles = 2;

double error_of(double ours, double reference) {
  return reference != 0 ? (ours - reference) / reference
         : ours == 0    ? 0.0
                        : ours;  // the reference counts none: each event is an error of 100 %
}

struct Choice {
  bool small = false, markdown = false;
  std::vector<std::string> settings;        // KEY=VALUE
  std::vector<std::string> programs, gpus;  // names; empty: all of the reference
  bool includes(const Row& row) const {
    const auto among = [](const std::vector<std::string>& names, const std::string& name) {
      return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    };
    return among(gpus, row.at("gpu")) && among(programs, row.at("program")) &&
           !(small && std::stod(row.at("warp_instructions")) > kSmallRun);
  }
};

struct Comparison {
  Row row;
  std::vector<double> reference, ours;
  std::map<std::string, double> known;  // by column: bound of a known difference, in per cent

  std::string title() const {
    return fmt::format("{} {} on {} under {}, {} L2", row.at("program"), row.at("size"),
                       row.at("gpu"), row.at("scheduler"), warm() ? "filled" : "cold");
  }
  bool warm() const { return row.at("l2_filled_by_memcpy") == "yes"; }
  double error(std::size_t i) const { return error_of(ours[i], reference[i]); }
  bool same_work() const {
    return error(kThreadInstructions) == 0 && error(kWarpInstructions) == 0;
  }
  bool within(std::size_t i) const {
    return kCounts[i].limit == 0 || std::abs(error(i)) <= kCounts[i].limit;
  }
  bool is_known(std::size_t i) const {
    const auto found = known.find(kCounts[i].column);
    return found != known.end() && std::abs(error(i)) * 100 <= found->second;
  }
  std::string mark(std::size_t i) const { return within(i) ? "" : is_known(i) ? " *" : " **!**"; }
};

std::map<std::string, double> bounds_of(const Row& row) {
  std::map<std::string, double> bounds;
  for (const Row& known : known_differences()) {
    const auto same = [&](const char* column) { return known.at(column) == row.at(column); };
    if (same("l2_filled_by_memcpy") && same("program") && same("size") && same("gpu") &&
        same("scheduler"))
      bounds[known.at("count")] = std::stod(known.at("bound_percent"));
  }
  return bounds;
}

Comparison compare(const Row& row, const std::vector<std::string>& settings) {
  const std::string &name = row.at("program"), &size = row.at("size");
  Comparison c{row, {}, {}, bounds_of(row)};
  std::vector<std::string> arguments = register_options("sm75", name);
  arguments.insert(arguments.end(), {"--gpu", row.at("gpu"), "--scheduler", row.at("scheduler")});
  // What the reference does and no preset (decision 075).
  arguments.insert(arguments.end(), {"--set", "sm.code_placement=packed"});
  if (c.warm()) arguments.insert(arguments.end(), {"--set", "memory.memcpy_fills_l2=true"});
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  arguments.insert(arguments.end(), {built("bench/" + name), size});
  const Run run = run_heddle(arguments);
  for (const Count& count : kCounts) {
    c.reference.push_back(std::stod(row.at(count.column)));
    c.ours.push_back(static_cast<double>(run.total(count.total)));
  }
  return c;
}

void print_text(const Comparison& c) {
  fmt::print("\n{}\n  {:20} {:>12} {:>12} {:>9}\n", c.title(), "", "reference", "heddle", "error");
  for (std::size_t i = 0; i < std::size(kCounts); ++i)
    fmt::print("  {:20} {:12.0f} {:12.0f} {:+8.1f}%{}\n", kCounts[i].column, c.reference[i],
               c.ours[i], 100 * c.error(i), c.mark(i));
  if (!c.same_work()) fmt::print("  the instructions differ\n");
  std::fflush(stdout);
}

// "*": a cache count differs that is listed as known.
std::string mark_of(const Comparison& c) {
  std::string mark;
  for (std::size_t i = kCycles; i < std::size(kCounts); ++i)
    if (const std::string own = c.mark(i); own.size() > mark.size()) mark = own;
  return mark;
}

// Compares gto with lrr, program by program. Returns in how many cases another one wins than in the
// reference.
int compare_winners(const std::vector<Comparison>& all) {
  int wrong = 0, clear = 0;
  for (const Comparison& gto : all) {
    if (gto.row.at("scheduler") != "gto") continue;
    const auto lrr = std::find_if(all.begin(), all.end(), [&](const Comparison& c) {
      return c.row.at("scheduler") == "lrr" && c.row.at("program") == gto.row.at("program") &&
             c.row.at("size") == gto.row.at("size") && c.row.at("gpu") == gto.row.at("gpu") &&
             c.warm() == gto.warm();
    });
    if (lrr == all.end()) continue;
    const double reference = error_of(lrr->reference[kCycles], gto.reference[kCycles]),
                 ours = error_of(lrr->ours[kCycles], gto.ours[kCycles]);
    if (std::abs(reference) <= kClearDifference) continue;
    ++clear;
    const bool same = (reference > 0) == (ours > 0);
    wrong += !same;
    fmt::print(
        "{} {} on {}: lrr against gto {:+.1f} % cycles in GPGPU-Sim, {:+.1f} % in Heddle{}\n",
        gto.row.at("program"), gto.row.at("size"), gto.row.at("gpu"), 100 * reference, 100 * ours,
        same ? "" : "  !");
  }
  fmt::print(
      "the same scheduler wins in {} of {} cases in which GPGPU-Sim's differ by more than "
      "{:.0f} %\n",
      clear - wrong, clear, 100 * kClearDifference);
  return wrong;
}

int conclude(const std::vector<Comparison>& all) {
  double sum = 0, worst = 0;
  int other_work = 0, beyond = 0, unknown = 0;
  for (const Comparison& c : all) {
    const double error = std::abs(c.error(kCycles));
    sum += error;
    worst = std::max(worst, error);
    other_work += !c.same_work();
    for (std::size_t i = kCycles + 1; i < std::size(kCounts); ++i) {
      beyond += !c.within(i);
      unknown += !c.within(i) && !c.is_known(i);
    }
  }
  const double mean = all.empty() ? 0 : sum / static_cast<double>(all.size());
  fmt::print("\n");
  const int lost = compare_winners(all);
  fmt::print(
      "{} runs, {} with other instructions\n"
      "cycles: {:.1f} % off in the mean (limit {:.0f}), {:.1f} % at most (limit {:.0f})\n"
      "cache counts: {} beyond {:.0f} % (accesses) or {:.0f} % (hits, misses), {} of them not "
      "listed as known\n",
      all.size(), other_work, 100 * mean, 100 * kCyclesMean, 100 * worst, 100 * kCyclesOfOne,
      beyond, 100 * kAccesses, 100 * kHitsAndMisses, unknown);
  return !all.empty() && other_work == 0 && unknown == 0 && lost == 0 && mean <= kCyclesMean &&
                 worst <= kCyclesOfOne
             ? 0
             : 1;
}

int report(const Choice& choice) {
  std::vector<Comparison> all;
  ErrorTable table("program, L2");
  for (const Row& row : reference_figures()) {
    if (!choice.includes(row)) continue;
    const Comparison& c = all.emplace_back(compare(row, choice.settings));
    if (!choice.markdown) print_text(c);
    table.add(
        fmt::format("{} {}, {}", row.at("program"), row.at("size"), c.warm() ? "filled" : "cold"),
        fmt::format("`{}` `{}`", row.at("gpu"), row.at("scheduler")), c.error(kCycles), mark_of(c));
  }
  if (choice.markdown) table.print();
  return conclude(all);
}

std::vector<std::string> names_in(const char* column) {
  std::vector<std::string> names;
  for (const Row& row : reference_figures())
    if (std::find(names.begin(), names.end(), row.at(column)) == names.end())
      names.push_back(row.at(column));
  return names;
}

// The choices of both comparisons: those with GPGPU-Sim 4.2, then those of the papers' machines.
std::vector<std::string> all_names(std::vector<std::string> names, bool machines) {
  for (const std::string& machine : paper_machines()) {
    const auto more = machines ? std::vector<std::string>{machine} : names_of_rows(machine);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

int run(int argc, char** argv) {
  Choice choice;
  CLI::App app{"Compares Heddle with GPGPU-Sim, count by count", "agreement"};
  app.add_flag("--small", choice.small,
               "only rows of at most 100000 warp instructions; of lfws and daws: only rows of at "
               "most 20000 cycles");
  app.add_flag("--markdown", choice.markdown,
               "print a table of the cycles' errors in %, for docs/agreement.md");
  app.add_option("--set", choice.settings,
                 "change a parameter in every run: network.reply_latency=6")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--programs", choice.programs, "only these reference programs")
      ->delimiter(',')
      ->check(CLI::IsMember(all_names(names_in("program"), false)));
  app.add_option(
         "gpu", choice.gpus,
         "only these GPUs; lfws or daws: this machine beside the simulator that its paper used")
      ->check(CLI::IsMember(all_names(names_in("gpu"), true)));
  CLI11_PARSE(app, argc, argv);
  for (const std::string& machine : paper_machines())
    if (choice.gpus == std::vector<std::string>{machine})
      return report_paper_machine(
          {machine, choice.small, choice.markdown, choice.settings, choice.programs});
  return report(choice);
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  try {
    return heddle::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "agreement: {}\n", error.what());
    return 2;
  }
}
