#include "paper_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "error_table.h"
#include "reference_figures.h"
#include "runs.h"

namespace heddle::bench {
namespace {

constexpr double kCyclesOfOne = 0.10, kCyclesMean = 0.03;
constexpr double kClearDifference = 0.03;  // between two schedulers
constexpr double kSmallCycles = 20000;

struct Count {
  const char* column;  // of the reference
  const char* total;   // in the totals of run.json
};
constexpr Count kCounts[] = {{"cycles", "cycles"},
                             {"thread_instructions", "thread_instructions"},
                             {"l1d_accesses", "l1d.accesses"},
                             {"l1d_misses", "l1d.misses"},
                             {"l2_accesses", "l2.accesses"},
                             {"l2_misses", "l2.misses"},
                             {"dram_reads", "dram.reads"}};
constexpr std::size_t kCycles = 0, kThreadInstructions = 1, kFirstCount = 2;

// What the measured simulator had and the preset, which follows the paper's table, has not.
std::vector<std::string> settings_of(const std::string& machine) {
  if (machine == "daws")  // the authors' file; table 1 has a queue of 32
    return {"memory.dram.frfcfs_queue=16", "memory.dram.return_queue=16"};
  return {};
}

struct Comparison {
  Row row;
  std::vector<double> reference, ours;
  std::map<std::string, double> known;  // by column: bound of a known difference, in per cent

  double error(std::size_t i) const {
    if (reference[i] == 0) return ours[i] == 0 ? 0 : 1;
    return (ours[i] - reference[i]) / reference[i];
  }
  bool within(std::size_t i, double limit) const {
    const auto found = known.find(kCounts[i].column);
    const double bound = found == known.end() ? limit : std::max(limit, found->second / 100);
    return std::abs(error(i)) <= bound;
  }
  bool is_known() const { return known.count("cycles") != 0; }
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::map<std::string, double> bounds_of(const std::string& machine, const Row& row) {
  std::map<std::string, double> bounds;
  for (const Row& known : known_paper_differences()) {
    const bool every_scheduler = known.at("scheduler") == "*";
    if (known.at("machine") == machine && known.at("name") == row.at("name") &&
        (every_scheduler || known.at("scheduler") == row.at("scheduler")))
      bounds[known.at("count")] = std::stod(known.at("bound_percent"));
  }
  return bounds;
}

Comparison compare(const PaperChoice& choice, const Row& row) {
  std::vector<std::string> command = words_of(row.at("command"));
  std::vector<std::string> arguments{"--gpu", choice.machine, "--scheduler", row.at("scheduler")};
  for (const std::string& option : register_options("sm20", command.front()))
    arguments.push_back(option);
  for (const std::string& setting : settings_of(choice.machine))
    arguments.insert(arguments.end(), {"--set", setting});
  for (const std::string& setting : choice.settings)
    arguments.insert(arguments.end(), {"--set", setting});
  arguments.push_back(built("bench/sm20/" + command.front()));
  arguments.insert(arguments.end(), command.begin() + 1, command.end());
  const Run run = run_heddle(arguments);
  Comparison c{row, {}, {}, bounds_of(choice.machine, row)};
  for (const Count& count : kCounts) {
    c.reference.push_back(std::stod(row.at(count.column)));
    c.ours.push_back(static_cast<double>(run.total(count.total)));
  }
  return c;
}

std::string mark_of(const Comparison& c) {
  return !c.within(kCycles, kCyclesOfOne) ? " **!**" : c.is_known() ? " *" : "";
}

void print(const Comparison& c) {
  fmt::print("{} under {}: {:.0f} cycles there, {:.0f} in Heddle, {:+.1f} %{}\n",
             c.row.at("command"), c.row.at("scheduler"), c.reference[kCycles], c.ours[kCycles],
             100 * c.error(kCycles), mark_of(c));
  for (std::size_t i = kFirstCount; i < std::size(kCounts); ++i)
    fmt::print("  {:20} {:10.0f} {:10.0f}\n", kCounts[i].column, c.reference[i], c.ours[i]);
  if (!c.within(kThreadInstructions, 0)) fmt::print("  the instructions differ\n");
  std::fflush(stdout);
}

bool known_order(const Comparison& c) { return c.known.count("order") != 0; }

// Returns how many pairs of schedulers are in the other order than in the reference.
int compare_orders(const std::vector<Comparison>& all) {
  int clear = 0, wrong = 0, known = 0;
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = all.begin(); b != a; ++b) {
      if (a->row.at("name") != b->row.at("name")) continue;
      const double there = a->reference[kCycles] / b->reference[kCycles],
                   here = a->ours[kCycles] / b->ours[kCycles];
      if (std::max(there, 1 / there) <= 1 + kClearDifference) continue;
      ++clear;
      if (there > 1 ? here > 1 : here < 1) continue;
      const bool expected = known_order(*a) || known_order(*b);
      ++(expected ? known : wrong);
      fmt::print("{}: {} takes {:.3f} times the cycles of {} there, {:.3f} times in Heddle{}\n",
                 a->row.at("name"), a->row.at("scheduler"), there, b->row.at("scheduler"), here,
                 expected ? " *" : " !");
    }
  fmt::print("the order of two schedulers is right in {} of {} pairs more than {:.0f} % apart{}\n",
             clear - wrong - known, clear, 100 * kClearDifference,
             known ? fmt::format("; {} known", known) : "");
  return wrong;
}

int conclude(const std::vector<Comparison>& all) {
  double sum = 0, worst = 0;
  int other_work = 0, beyond = 0;
  for (const Comparison& c : all) {
    const double error = std::abs(c.error(kCycles));
    sum += error;
    if (!c.is_known()) worst = std::max(worst, error);
    other_work += !c.within(kThreadInstructions, 0);
    beyond += !c.within(kCycles, kCyclesOfOne);
  }
  const double mean = all.empty() ? 0 : sum / static_cast<double>(all.size());
  fmt::print("\n");
  const int wrong = compare_orders(all);
  fmt::print(
      "{} runs, {} with other instructions\n"
      "cycles: {:.1f} % off in the mean (limit {:.0f}), {:.1f} % at most without known differences "
      "(limit {:.0f})\n",
      all.size(), other_work, 100 * mean, 100 * kCyclesMean, 100 * worst, 100 * kCyclesOfOne);
  return !all.empty() && other_work == 0 && beyond == 0 && wrong == 0 && mean <= kCyclesMean ? 0
                                                                                             : 1;
}

bool includes(const PaperChoice& choice, const Row& row) {
  if (choice.small && std::stod(row.at("cycles")) > kSmallCycles) return false;
  return choice.names.empty() ||
         std::find(choice.names.begin(), choice.names.end(), row.at("name")) != choice.names.end();
}

}  // namespace

const std::vector<std::string>& paper_machines() {
  static const std::vector<std::string> machines{"lfws", "daws"};
  return machines;
}

std::vector<std::string> names_of_rows(const std::string& machine) {
  std::vector<std::string> names;
  for (const Row& row : paper_figures(machine))
    if (names.empty() || names.back() != row.at("name")) names.push_back(row.at("name"));
  return names;
}

int report_paper_machine(const PaperChoice& choice) {
  std::vector<Comparison> all;
  ErrorTable table("program");
  for (const Row& row : paper_figures(choice.machine)) {
    if (!includes(choice, row)) continue;
    const Comparison& c = all.emplace_back(compare(choice, row));
    if (!choice.markdown) print(c);
    table.add("`" + row.at("command") + "`", "`" + row.at("scheduler") + "`", c.error(kCycles),
              mark_of(c));
  }
  if (choice.markdown) table.print();
  return conclude(all);
}

}  // namespace heddle::bench
