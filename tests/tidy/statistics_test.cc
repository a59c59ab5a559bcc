// Every listed statistic is counted somewhere; every statistic and parameter has a meaning.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "config/config.h"
#include "gpu/kernel_details.h"
#include "mem/memory_stats.h"
#include "sm/count/sm_stats.h"
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

// Members that are counted: named as a member of an object in a line that increments, assigns or
// takes a reference, or counted for kernels: statistics_.add(view, warps, &S::member).
std::set<std::string> members_counted(const std::vector<SourceFile>& files) {
  const std::regex member("[.>]([a-z_0-9]+)");
  const std::regex counts("\\+\\+|\\+=|auto& [a-z_]+ =|[.>][a-z_0-9]+ = [^0{]");
  const std::regex bare("\\b([a-z_0-9]+)(\\[[^=;]*\\])?\\s*(\\+=|\\+\\+)");
  const std::regex for_kernels("\\.add\\(.*, &[A-Za-z]+::([a-z_0-9]+)[,)]");
  std::set<std::string> counted;
  const auto add_all = [&](const std::string& code, const std::regex& pattern) {
    for (std::sregex_iterator match(code.begin(), code.end(), pattern), end; match != end; ++match)
      counted.insert((*match)[1]);
  };
  for (const SourceFile& file : files) {
    for (const std::string& line : file.lines) {
      add_all(line, for_kernels);
      if (line.find("++") == std::string::npos && line.find('=') == std::string::npos) continue;
      const std::string code = code_of(line);
      if (!std::regex_search(code, counts)) continue;
      add_all(code, member);
      add_all(code, bare);
    }
  }
  return counted;
}

TEST(Statistics, AreAllCountedSomewhere) {
  const auto files = read_sources({"src"});
  const auto members = members_in_tables(files), counted = members_counted(files);
  EXPECT_GT(members.size(), 30u);
  for (const std::string& member : members)
    EXPECT_TRUE(counted.contains(member)) << member << " is listed but nothing increments it";
}

template <class S>
void check_declarations() {
  std::set<std::string> keys;
  for (const auto& field : stats::list_fields<S>()) {
    EXPECT_FALSE(field.meaning.empty()) << field.key;
    EXPECT_FALSE(field.unit.empty()) << field.key;
    EXPECT_TRUE(keys.insert(field.key).second) << field.key << " is named twice";
  }
}

TEST(Statistics, HaveAUnitAMeaningAndAUniqueName) {
  check_declarations<sm::SmStats>();
  check_declarations<mem::MemoryStats>();
  check_declarations<gpu::CacheDetail>();
  check_declarations<gpu::InstructionDetail>();
  check_declarations<gpu::LoopDetail>();
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
