// Every file of src/ has a test of its name, or stands in untested.txt with a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

using Paths = std::set<std::string>;

struct UntestedList {
  Paths files;
  std::vector<std::string> errors;
};

// "why: REASON", then lines "FOLDER: NAME NAME ..." for src/FOLDER/NAME.cc.
UntestedList read_list(const std::vector<std::string>& lines) {
  UntestedList list;
  bool has_reason = false;
  for (const std::string& line : lines) {
    if (line.empty()) has_reason = false;
    if (line.empty() || line.starts_with("#")) continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) {
      list.errors.push_back("not a list of a folder's files: " + line);
      continue;
    }
    if (line.starts_with("why: ")) {
      has_reason = true;
      continue;
    }
    if (!has_reason) list.errors.push_back("no reason before: " + line);
    std::istringstream names(line.substr(colon + 2));
    for (std::string name; names >> name;)
      if (!list.files.insert("src/" + line.substr(0, colon) + "/" + name + ".cc").second)
        list.errors.push_back("listed twice: " + name);
  }
  return list;
}

// src/exec/check/races.cc is tested in races_test.cc or check_races_test.cc below tests/exec.
bool has_test(const std::string& file, const Paths& tests) {
  const std::size_t name = file.rfind('/') + 1, folder = file.rfind('/', name - 2) + 1;
  const std::string room = file.substr(4, file.find('/', 4) - 4);
  const std::string test = file.substr(name, file.size() - name - 3) + "_test.cc";
  const std::string longer = file.substr(folder, name - folder - 1) + "_" + test;
  return std::any_of(tests.begin(), tests.end(), [&](const std::string& path) {
    return path.starts_with("tests/" + room + "/") &&
           (path.ends_with("/" + test) || path.ends_with("/" + longer));
  });
}

std::vector<std::string> compare(const Paths& sources, const Paths& tests,
                                 const UntestedList& list) {
  std::vector<std::string> errors = list.errors;
  for (const std::string& file : sources) {
    const bool tested = has_test(file, tests), listed = list.files.count(file) > 0;
    if (!tested && !listed) errors.push_back(file + " has no test of its name");
    if (tested && listed) errors.push_back(file + " has a test: remove it from the list");
  }
  for (const std::string& file : list.files)
    if (!sources.count(file)) errors.push_back(file + " does not exist: remove it from the list");
  return errors;
}

Paths sources_in(const std::string& folder) {
  Paths paths;
  for (const SourceFile& file : read_sources({folder}))
    if (file.path.ends_with(".cc")) paths.insert(file.path);
  return paths;
}

TEST(Untested, FilesOfTheListAreThoseWithoutATestOfTheirName) {
  const auto list = read_texts({"tests/tidy/untested.txt"});
  ASSERT_EQ(list.size(), 1u);
  for (const std::string& error :
       compare(sources_in("src"), sources_in("tests"), read_list(list[0].lines)))
    ADD_FAILURE() << error;
}

TEST(Untested, ATestIsInTheFilesModuleAndMayNameItsFolder) {
  EXPECT_TRUE(has_test("src/mem/cache.cc", {"tests/mem/cache_test.cc"}));
  EXPECT_TRUE(has_test("src/exec/check/races.cc", {"tests/exec/races_test.cc"}));
  EXPECT_TRUE(has_test("src/exec/check/races.cc", {"tests/exec/check_races_test.cc"}));
  EXPECT_FALSE(has_test("src/mem/cache.cc", {"tests/sm/cache_test.cc"}));
  EXPECT_FALSE(has_test("src/mem/cache.cc", {"tests/mem/random_cache_test.cc"}));
  EXPECT_FALSE(has_test("src/mem/cache.cc", {}));
}

TEST(Untested, ANewFileWithoutATestAndAStaleEntryAreErrors) {
  using Errors = std::vector<std::string>;
  const Paths tests{"tests/mem/cache_test.cc"};
  const UntestedList none, cache{{"src/mem/cache.cc"}, {}};
  EXPECT_EQ(compare({"src/mem/cache.cc"}, tests, none), Errors{});
  EXPECT_EQ(compare({"src/mem/dram.cc"}, tests, none),
            Errors{"src/mem/dram.cc has no test of its name"});
  EXPECT_EQ(compare({"src/mem/cache.cc"}, {}, cache), Errors{});
  EXPECT_EQ(compare({"src/mem/cache.cc"}, tests, cache),
            Errors{"src/mem/cache.cc has a test: remove it from the list"});
  EXPECT_EQ(compare({}, tests, cache),
            Errors{"src/mem/cache.cc does not exist: remove it from the list"});
}

TEST(Untested, AListHasAReasonForEachGroup) {
  const UntestedList list =
      read_list({"# text", "", "why: seen by others", "mem: a b", "mem/x: c"});
  EXPECT_EQ(list.files, (Paths{"src/mem/a.cc", "src/mem/b.cc", "src/mem/x/c.cc"}));
  EXPECT_TRUE(list.errors.empty());
  EXPECT_EQ(read_list({"mem: a"}).errors.size(), 1u);
  EXPECT_EQ(read_list({"why: first", "mem: a", "", "mem: b"}).errors.size(), 1u);
  EXPECT_EQ(read_list({"why: first", "mem: a a"}).errors.size(), 1u);
  EXPECT_EQ(read_list({"why: first", "mem a"}).errors.size(), 1u);
}

}  // namespace
}  // namespace heddle::tidy
