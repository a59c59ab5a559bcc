// Runs whose results stay what they are. tests/laws/recorded_results.txt has the cycles of each,
// and a hash of all its counts that are not zero. After a change that is meant to change them,
// HEDDLE_WRITE_DOCS=1 build/bin/laws_test records them anew.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/fnv.h"

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
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/tests/laws/recorded_results.txt";
  std::map<std::string, std::string> records;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.rfind(": "); colon != std::string::npos)
      records[line.substr(0, colon)] = line.substr(colon + 2);
  const std::string now = record_of(nlohmann::json::parse(results));
  if (std::getenv("HEDDLE_WRITE_DOCS") && records[run] != now) {
    records[run] = now;
    std::ofstream out(path);
    for (const auto& [name, record] : records) out << name << ": " << record << '\n';
  }
  EXPECT_EQ(now, records[run]) << run
                               << ": other results than recorded; "
                                  "HEDDLE_WRITE_DOCS=1 build/bin/laws_test records them anew";
}

}  // namespace heddle::laws
