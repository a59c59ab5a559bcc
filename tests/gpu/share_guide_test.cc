// Compiles and tests the share policy of docs/write-a-share-policy.md, and compares the page with
// the files in docs/examples.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define weighted guide_weighted
#define Weighted GuideWeighted
#include "docs/examples/weighted.cc"
#include "docs/examples/weighted_test.cc"
#undef Weighted

namespace heddle::gpu {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* kShareGuide = "docs/write-a-share-policy.md";

}  // namespace

TEST(WriteASharePolicy, ShowsTheCompiledPolicyAndItsTest) {
  const std::string guide = text_of_file(kShareGuide);
  for (const char* file : {"docs/examples/weighted.cc", "docs/examples/weighted_test.cc"})
    EXPECT_NE(guide.find("```cpp\n" + text_of_file(file) + "```\n"), std::string::npos)
        << "the guide does not show " << file;
}

TEST(WriteASharePolicy, ShowsTheMessageThatAWrongValueGives) {
  try {
    weighted().parse("first=0");
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(text_of_file(kShareGuide).find(error.what()), std::string::npos) << error.what();
  }
}

}  // namespace heddle::gpu
#undef weighted
