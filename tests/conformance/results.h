// Files with the results of a family, by case and vector: the GPU runner writes them.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/corpus.h"
#include "tests/conformance/reference.h"

namespace heddle::conformance {

using Results = std::vector<std::vector<std::uint64_t>>;  // [case][vector]

void write_results(const std::string& path, const std::string& machine,
                   const std::vector<Case>& cases, const Results& results);
// A case that was not run is empty. std::runtime_error when the file belongs to another corpus.
Results read_results(const std::string& path, const std::vector<Case>& cases);

// Does the result agree with the reference result?
bool allowed(const Case& c, const Expected& expected, std::uint64_t result);

// One line for each case with a wrong result, which shows the first one; "" when all are correct.
std::string differences(const std::vector<Case>& cases, const Results& results);

}  // namespace heddle::conformance
