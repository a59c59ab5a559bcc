// Fills the tables of docs/microbenchmarks.md with what the microbenchmarks measure: a row names
// the preset, a heading names the figure. Columns with other headings stay as they are.
//   micro_tables PAGE
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "bench/micro_figures.h"
#include "runs.h"

namespace heddle::bench {
namespace {

constexpr double kLargestSweptKib = 8 * 1024;  // capacity's footprints end at twice that

MicroFigures measure(const std::string& preset) {
  MicroFigures measured;
  for (const char* program : {"latency", "memory", "capacity", "throughput"}) {
    const Run run = run_heddle({"--gpu", preset, built(std::string("workloads/micro/") + program)});
    measured.gpu = toml::parse(run.results.at("configuration").at("toml").get<std::string>());
    std::istringstream lines(run.output);
    measured.read(lines);
  }
  fmt::print(stderr, "micro_tables: {}\n", preset);
  return measured;
}

std::string whole(double value) { return fmt::format("{:.0f}", std::floor(value + 0.5)); }

std::string ceiling(const Ceilings& all, double value) {
  return value == all.lowest() ? "**" + whole(value) + "**" : whole(value);
}

// The value for a heading; empty when the heading names no figure.
std::string cell(const std::string& heading, const MicroFigures& m) {
  const Ceilings c(m);
  const auto share = [&](const char* figure, double of) {
    return whole(100 * m.figure(figure) / of);
  };
  if (heading == "L1 of the preset") return whole(m.l1_kib());
  if (heading == "L2 of the preset") return whole(m.l2_kib());
  if (heading == "l2.capacity" && m.l2_kib() > kLargestSweptKib) return "-";
  if (heading == "peak") return whole(c.peak);
  if (heading == "*dram*") return ceiling(c, c.dram);
  if (heading == "*network*") return whole(c.network);
  if (heading == "*with queues*") return ceiling(c, c.queueing);
  if (heading == "*misses*") return ceiling(c, c.misses);
  if (heading == "of the lowest in %") return share("throughput.dram", c.lowest());
  if (heading == "of the peak in %") return share("throughput.dram", c.peak);
  if (heading == "of the network in %") return share("throughput.l2", c.network);
  if (!m.figures.contains(heading)) return "";
  const bool small = heading.starts_with("atomics.") || heading == "throughput.l1" ||
                     heading == "throughput.shared";
  return small ? fmt::format("{:.1f}", m.figure(heading)) : whole(m.figure(heading));
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream parts(row.substr(1));
  for (std::string part; std::getline(parts, part, '|');) {
    const std::size_t from = part.find_first_not_of(' '), to = part.find_last_not_of(' ');
    cells.push_back(from == std::string::npos ? "" : part.substr(from, to - from + 1));
  }
  return cells;
}

// Returns the page with its tables filled. A table has "preset" as its first heading; its rows name
// presets.
std::string filled(std::istream& page) {
  std::map<std::string, MicroFigures> measured;
  std::vector<std::string> headings;
  std::string text, line;
  while (std::getline(page, line)) {
    if (!line.starts_with("| ")) {
      if (!line.starts_with("|")) headings.clear();
    } else if (line.starts_with("| preset |")) {
      headings = cells_of(line);
    } else if (!headings.empty()) {
      std::vector<std::string> cells = cells_of(line);
      if (cells.size() > headings.size())
        throw std::runtime_error("a row has more cells than its headings: " + line);
      cells.resize(headings.size());  // the row of a new preset may have its name only
      const auto at = measured.find(cells[0]);
      const MicroFigures& figures =
          at != measured.end() ? at->second
                               : measured.emplace(cells[0], measure(cells[0])).first->second;
      line = "| " + cells[0] + " |";
      for (std::size_t i = 1; i < cells.size(); ++i) {
        const std::string value = cell(headings[i], figures);
        line += " " + (value.empty() ? cells[i] : value) + " |";
      }
    }
    text += line + "\n";
  }
  return text;
}

void fill_in(const std::string& path) {
  std::ifstream page(path);
  if (!page) throw std::runtime_error("cannot read " + path);
  const std::string text = filled(page), new_path = path + ".new";
  std::ofstream out(new_path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + new_path);
  std::filesystem::rename(new_path, path);
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: micro_tables PAGE\n");
    return 2;
  }
  try {
    heddle::bench::fill_in(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "micro_tables: {}\n", error.what());
    return 1;
  }
}
