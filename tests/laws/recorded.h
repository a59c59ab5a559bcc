// Runs whose results stay what they are: the cycles of each, and a hash of all its counts that are
// not zero.
#pragma once

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/fnv.h"
#include "tests/recorded.h"

namespace heddle::laws {

inline std::string record_of(const nlohmann::json& results) {
  std::uint64_t hash = 0;
  const nlohmann::json counts = results.flatten();
  for (const auto& [place, value] : counts.items())
    if (value.is_number_integer() && value != 0) hash ^= fnv64(place + "=" + value.dump());
  return fmt::format("{} {:016x}", results.at("totals").at("cycles").get<std::uint64_t>(), hash);
}

// The results, as run.json has them, are those recorded for the run.
inline void check_recorded(const std::string& run, const std::string& results) {
  check_recorded_text("laws/recorded_results.txt", run, record_of(nlohmann::json::parse(results)));
}

}  // namespace heddle::laws
