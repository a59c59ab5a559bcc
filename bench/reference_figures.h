// Tables of bench/reference/.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::bench {

// By column name. A figure that was not measured is empty or absent.
using Row = std::map<std::string, std::string>;

// Throw std::runtime_error when the file is missing.
// gpgpusim.csv: the figures of GPGPU-Sim.
std::vector<Row> reference_figures();
// known_differences.csv: counts with a wider limit of their own.
std::vector<Row> known_differences();

}  // namespace heddle::bench
