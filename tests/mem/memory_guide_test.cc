// Compiles and tests the replacement policy of docs/write-a-memory-policy.md, and compares the page
// with the files in docs/examples.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define nru guide_nru
#define NotRecentlyUsed GuideNotRecentlyUsed
#include "docs/examples/nru.cc"
#include "docs/examples/nru_test.cc"
#undef NotRecentlyUsed

namespace heddle::mem {
namespace {

std::string text_of_page(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* kGuide = "docs/write-a-memory-policy.md";

}  // namespace

TEST(WriteAMemoryPolicy, ShowsTheCompiledPolicyAndItsTest) {
  const std::string guide = text_of_page(kGuide);
  for (const char* file : {"docs/examples/nru.cc", "docs/examples/nru_test.cc"})
    EXPECT_NE(guide.find("```cpp\n" + text_of_page(file) + "```\n"), std::string::npos)
        << "the guide does not show " << file;
}

TEST(WriteAMemoryPolicy, ShowsTheMessageThatAWrongValueGives) {
  try {
    policies::parse<ReplacementEntry>("srrip:bits=9");
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(text_of_page(kGuide).find(error.what()), std::string::npos) << error.what();
  }
}

}  // namespace heddle::mem
#undef nru
