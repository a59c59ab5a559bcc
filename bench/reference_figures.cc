#include "reference_figures.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::bench {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream text(line.substr(0, line.find('\r')));
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<Row> read_table(const std::string& name) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/bench/reference/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    Row row;
    for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) row[names[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::vector<Row> reference_figures() { return read_table("gpgpusim.csv"); }
std::vector<Row> known_differences() { return read_table("known_differences.csv"); }

std::vector<Row> paper_figures(const std::string& machine) { return read_table(machine + ".csv"); }
std::vector<Row> known_paper_differences() { return read_table("known_paper_differences.csv"); }

std::vector<std::string> register_options(const std::string& architecture,
                                          const std::string& program) {
  std::vector<std::string> options;
  for (const Row& row : read_table("registers_" + architecture + ".csv"))
    if (row.at("program") == program)
      options.insert(options.end(), {"--registers", row.at("kernel") + "=" + row.at("registers")});
  if (options.empty()) throw std::runtime_error("no reference program " + program);
  return options;
}

}  // namespace heddle::bench
