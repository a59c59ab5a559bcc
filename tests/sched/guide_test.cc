// Compiles and tests the policy of docs/write-a-scheduler.md, and compares the page with the files
// in docs/examples.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define bounded_greed guide_bounded_greed
#define BoundedGreed GuideBoundedGreed
#include "docs/examples/bounded_greed.cc"
#include "docs/examples/bounded_greed_test.cc"
#undef BoundedGreed

namespace heddle::sched {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST(WriteAScheduler, ShowsTheCompiledPolicyAndItsTest) {
  const std::string guide = text_of("docs/write-a-scheduler.md");
  for (const char* file :
       {"docs/examples/bounded_greed.cc", "docs/examples/bounded_greed_test.cc"}) {
    EXPECT_NE(guide.find("```cpp\n" + text_of(file) + "```\n"), std::string::npos)
        << "the guide does not show " << file;
  }
}

TEST(WriteAScheduler, ShowsTheMessageThatAWrongValueGives) {
  try {
    bounded_greed().parse("run=0");
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(text_of("docs/write-a-scheduler.md").find(error.what()), std::string::npos)
        << error.what();
  }
}

}  // namespace heddle::sched
