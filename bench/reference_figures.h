// Tables of bench/reference/.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::bench {

using Row =
    std::map<std::string, std::string>;  // by column name; what was not measured is empty or absent

// std::runtime_error when the file is missing.
std::vector<Row> reference_figures();  // gpgpusim.csv: what the established simulator measured
std::vector<Row>
known_differences();  // known_differences.csv: where a count may be further off, and how far

}  // namespace heddle::bench
