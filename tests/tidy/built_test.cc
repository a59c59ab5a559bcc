// Every test file is compiled into a test program of this build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

// The compile commands, and the sources that unity builds join.
std::string compiled_sources(const std::filesystem::path& build) {
  std::string text = read_file((build / "compile_commands.json").string());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(build / "tests"))
    if (entry.path().extension() == ".cxx" && entry.path().parent_path().filename() == "Unity")
      text += read_file(entry.path().string());
  return text;
}

std::vector<std::string> not_compiled(const std::vector<std::string>& tests,
                                      const std::string& compiled) {
  std::vector<std::string> missing;
  std::copy_if(tests.begin(), tests.end(), std::back_inserter(missing), [&](const auto& path) {
    return compiled.find("/" + path + "\"") == std::string::npos;
  });
  return missing;
}

TEST(TestFiles, AreCompiledIntoATestProgram) {
  std::vector<std::string> tests;
  for (const SourceFile& file : read_sources({"tests"}))
    if (file.path.ends_with("_test.cc")) tests.push_back(file.path);
  ASSERT_GT(tests.size(), 300U);
  for (const std::string& path : not_compiled(tests, compiled_sources(HEDDLE_BINARY_DIR)))
    ADD_FAILURE() << path << " is in no test program";
}

TEST(TestFiles, AreMissedWhenNoProgramHasThem) {
  const std::string compiled = "#include \"/x/tests/mem/cache_test.cc\"\n";
  EXPECT_TRUE(not_compiled({"tests/mem/cache_test.cc"}, compiled).empty());
  EXPECT_EQ(not_compiled({"tests/mem/dram_test.cc", "mem/cache_test.c"}, compiled).size(), 2U);
}

}  // namespace
}  // namespace heddle::tidy
