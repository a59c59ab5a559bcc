// The table of the established simulator's figures, bench/reference/gpgpusim.csv.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::bench {

using Row = std::map<std::string, std::string>;  // by column name; what was not measured is empty or absent

std::vector<Row> reference_figures();  // std::runtime_error when the file is missing

}  // namespace heddle::bench
