// The tables of docs/microbenchmarks.md: a row names the preset, a heading names the figure.
// Columns with other headings stay as they are.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "bench/micro_figures.h"

namespace heddle::bench {

inline constexpr double kLargestSweptKib = 8 * 1024;  // capacity's footprints end at twice that

inline std::string whole(double value) { return fmt::format("{:.0f}", std::floor(value + 0.5)); }

inline std::string ceiling(const Ceilings& all, double value) {
  return value == all.lowest() ? "**" + whole(value) + "**" : whole(value);
}

// The value for a heading; empty when the heading names no figure.
inline std::string cell(const std::string& heading, const MicroFigures& m) {
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

inline std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream parts(row.substr(1));
  for (std::string part; std::getline(parts, part, '|');) {
    const std::size_t from = part.find_first_not_of(' '), to = part.find_last_not_of(' ');
    cells.push_back(from == std::string::npos ? "" : part.substr(from, to - from + 1));
  }
  return cells;
}

// Returns the page with its tables filled. A table has "preset" as its first heading; its rows name
// presets. A row whose preset has no figures stays as it is.
inline std::string filled(
    std::istream& page, const std::function<const MicroFigures*(const std::string&)>& figures_of) {
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
      if (const MicroFigures* figures = figures_of(cells[0])) {
        line = "| " + cells[0] + " |";
        for (std::size_t i = 1; i < cells.size(); ++i) {
          const std::string value = cell(headings[i], *figures);
          line += " " + (value.empty() ? cells[i] : value) + " |";
        }
      }
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace heddle::bench
