// Statistics and parameters: nothing is named that nobody counts, nothing is listed without a meaning.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "config/config.h"
#include "mem/memory_stats.h"
#include "sm/sm_stats.h"
#include "stats/listing.h"
#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

// Members named in a table: stats::counter("name", ..., &S::member).
std::set<std::string> members_in_tables(const std::vector<SourceFile>& files) {
  const std::regex row("stats::(counter|breakdown|histogram)\\(");
  const std::regex member("&[A-Za-z]+::([a-z_0-9]+)\\)");
  std::set<std::string> members;
  for (const SourceFile& file : files) {
    if (file.room == "stats") continue;
    bool inside = false;
    for (const std::string& line : file.lines) {
      inside = inside || std::regex_search(line, row);
      std::smatch match;
      if (!inside || !std::regex_search(line, match, member)) continue;
      members.insert(match[1]);
      inside = false;
    }
  }
  return members;
}

// Counted somewhere: ++x.member, x.member++, x.member[i]++, x.member += n, ++x.member[i].
std::set<std::string> members_counted(const std::vector<SourceFile>& files) {
  const std::vector<std::regex> ways{std::regex("\\+\\+[A-Za-z_0-9.>()\\[\\]-]*?\\b([a-z_0-9]+)(\\[|\\s*[;,):?]|$)"), std::regex("\\b([a-z_0-9]+)(\\[[^=;]*\\])?\\s*(\\+=|\\+\\+)")};
  std::set<std::string> counted;
  for (const SourceFile& file : files)
    for (const std::string& line : file.lines) {
      const std::string code = code_of(line);
      for (const std::regex& way : ways)
        for (std::sregex_iterator match(code.begin(), code.end(), way), end; match != end; ++match) counted.insert((*match)[1]);
    }
  return counted;
}

TEST(Statistics, AreAllCountedSomewhere) {
  const auto files = read_sources({"src"});
  const auto members = members_in_tables(files), counted = members_counted(files);
  EXPECT_GT(members.size(), 30u);
  for (const std::string& member : members) EXPECT_TRUE(counted.contains(member)) << member << " is listed but nothing increments it";
}

template <class S>
void expect_told() {
  std::set<std::string> keys;
  for (const auto& field : stats::list_fields<S>()) {
    EXPECT_FALSE(field.meaning.empty()) << field.key;
    EXPECT_FALSE(field.unit.empty()) << field.key;
    EXPECT_TRUE(keys.insert(field.key).second) << field.key << " is named twice";
  }
}

TEST(Statistics, HaveAUnitAMeaningAndANameOfTheirOwn) {
  expect_told<sm::SmStats>();
  expect_told<mem::MemoryStats>();
}

TEST(Parameters, HaveAMeaningARangeAndASource) {
  std::set<std::string> keys;
  for (const auto& parameter : config::list_parameters(config::GpuSpec{})) {
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.key;
    EXPECT_FALSE(parameter.range.empty()) << parameter.key;
    EXPECT_FALSE(parameter.source.empty()) << parameter.key;
    EXPECT_TRUE(keys.insert(parameter.key).second) << parameter.key << " is declared twice";
  }
}

}  // namespace
}  // namespace heddle::tidy
