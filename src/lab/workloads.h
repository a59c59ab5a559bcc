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

// Does the paper measure the workload? Case and spaces do not count, and the beginning of the
// paper's name is enough: "daws", "ctamap" for "CTA mapping".
bool is_measured_by(const Workload& workload, const std::string& paper);

// From workloads/catalogue.toml and suites.toml. Throws UserError when one is missing or malformed.
std::vector<Workload> list_workloads();

}  // namespace heddle::lab
