// Source lines of a program and what they cost, from the details in a run.json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

struct SourceCost {
  std::string place;  // "kmeans.cu:28", or "PTX line 40" where the source is unknown
  std::string text;   // the line itself, when its file can be read
  std::string what;   // the kind of the instruction that costs most
  std::uint64_t slots = 0, issued = 0;        // slots used and lost because of it; of them, used
  std::map<std::string, std::uint64_t> lost;  // by cause
  // Of its memory instructions; atomics and stores too.
  std::uint64_t executions = 0, lanes = 0, accesses = 0, l1d_hits = 0, l1d_accesses = 0,
                l1d_misses = 0;
  std::uint64_t most = 0;  // slots of the instruction that costs most
};

// The lines of all launches of a kernel, most expensive first.
std::vector<SourceCost> source_costs(const nlohmann::ordered_json& results,
                                     const std::string& kernel);

}  // namespace heddle::report
