// Heddle beside the established simulator: the reference programs with their given PTX and registers, every count next to the
// measured one (bench/reference/gpgpusim.csv, rows with a cold L2). Ends with 1 when the thread instructions of a run differ
// or its cycles are more than 20 % off.
//   agreement [GPU]...        default: gtx480
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "runs.h"

namespace heddle::bench {
namespace {

constexpr double kAllowedError = 0.20;  // of the cycles

using Row = std::map<std::string, std::string>;  // by column name

std::vector<Row> read_csv(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::stringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    Row row;
    for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) row[names[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

struct Count { const char* column; const char* total; };  // of the CSV, of run.json
constexpr Count kCounts[] = {
    {"cycles", "cycles"}, {"thread_instructions", "thread_instructions"}, {"warp_instructions", "warp_instructions"},
    {"l1d_accesses", "l1d.accesses"}, {"l1d_hits", "l1d.hits"}, {"l1d_pending_hits", "l1d.pending_hits"},
    {"l1d_misses", "l1d.misses"},
    {"l2_accesses", "l2.accesses"}, {"l2_hits", "l2.hits"}, {"l2_pending_hits", "l2.pending_hits"}, {"l2_misses", "l2.misses"},
    {"dram_reads", "dram.reads"}};

double error_of(double ours, double reference) {
  return reference != 0 ? (ours - reference) / reference : ours == 0 ? 0.0 : std::numeric_limits<double>::infinity();
}

// True when the run agrees.
bool compare(const Row& row) {
  const std::string &name = row.at("program"), &size = row.at("size"), &gpu = row.at("gpu"), &scheduler = row.at("scheduler");
  const std::string registers = name + "=" + std::to_string(reference_program(name).registers);
  const Run run = run_heddle({"--gpu", gpu, "--scheduler", scheduler, "--registers", registers, built("bench/" + name), size});
  fmt::print("\n{} {} on {} under {}\n", name, size, gpu, scheduler);
  fmt::print("  {:20} {:>12} {:>12} {:>9}\n", "", "reference", "heddle", "error");
  for (const Count& count : kCounts) {
    const double reference = std::stod(row.at(count.column)), ours = static_cast<double>(run.total(count.total));
    fmt::print("  {:20} {:12.0f} {:12.0f} {:+8.1f}%\n", count.column, reference, ours, 100 * error_of(ours, reference));
  }
  std::fflush(stdout);
  const bool same_work = std::to_string(run.total("thread_instructions")) == row.at("thread_instructions");
  const bool near = std::abs(error_of(static_cast<double>(run.total("cycles")), std::stod(row.at("cycles")))) <= kAllowedError;
  if (!same_work) fmt::print("  the thread instructions differ\n");
  if (!near) fmt::print("  the cycles are more than {:.0f} % off\n", 100 * kAllowedError);
  return same_work && near;
}

int report(const std::vector<std::string>& gpus) {
  int compared = 0, agreed = 0;
  for (const Row& row : read_csv(std::string(HEDDLE_SOURCE_DIR) + "/bench/reference/gpgpusim.csv")) {
    if (row.at("l2_filled_by_memcpy") != "no" || std::find(gpus.begin(), gpus.end(), row.at("gpu")) == gpus.end()) continue;
    ++compared;
    agreed += compare(row);
  }
  fmt::print("\n{} of {} runs agree: same thread instructions, cycles within {:.0f} %\n", agreed, compared, 100 * kAllowedError);
  return compared > 0 && agreed == compared ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  std::vector<std::string> gpus(argv + 1, argv + argc);
  if (gpus.empty()) gpus = {"gtx480"};
  try {
    return heddle::bench::report(gpus);
  } catch (const std::exception& error) {
    fmt::print(stderr, "agreement: {}\n", error.what());
    return 2;
  }
}
