// Results that stay what they are, each under a name in a file of one line for each: NAME: RESULT.
// After a change that is meant to change them, the test program records them anew with
// HEDDLE_WRITE_DOCS=1.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace heddle {

// `file` is below tests/.
inline void check_recorded_text(const std::string& file, const std::string& name,
                                const std::string& now) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/tests/" + file;
  std::map<std::string, std::string> records;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (const auto colon = line.rfind(": "); colon != std::string::npos)
      records[line.substr(0, colon)] = line.substr(colon + 2);
  if (std::getenv("HEDDLE_WRITE_DOCS") && records[name] != now) {
    records[name] = now;
    std::ofstream out(path);
    for (const auto& [known, record] : records) out << known << ": " << record << '\n';
  }
  EXPECT_EQ(now, records[name]) << name << ": other results than recorded in tests/" << file
                                << " (tests/recorded.h)";
}

}  // namespace heddle
