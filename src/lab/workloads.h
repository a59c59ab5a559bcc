// The catalogue of Heddle's workloads.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::lab {

struct Workload {
  std::string name, title, pattern, expectation;
  std::vector<std::string> papers;  // those of the five papers that measure the program
  std::vector<std::pair<std::string, std::string>> sizes;  // "small" -> "34 23040 5 1"
};

// From workloads/catalogue.toml. Throws UserError when it is missing or malformed.
std::vector<Workload> list_workloads();

}  // namespace heddle::lab
