// Results of a family, by case and vector, on paper: what the hardware runner writes and the test
// compares.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/corpus.h"
#include "tests/conformance/expect.h"

namespace heddle::conformance {

using Results = std::vector<std::vector<std::uint64_t>>;  // [case][vector]

void write_results(const std::string& path, const std::string& machine,
                   const std::vector<Case>& cases, const Results& results);
// Empty where a case was not run. std::runtime_error when the file belongs to another corpus.
Results read_results(const std::string& path, const std::vector<Case>& cases);

// Is this a result that the expectation allows?
bool allowed(const Case& c, const Expected& expected, std::uint64_t result);

// What is wrong with a family's results, one line for each case that has a wrong one (its first);
// "" when nothing is.
std::string differences(const std::vector<Case>& cases, const Results& results);

}  // namespace heddle::conformance
