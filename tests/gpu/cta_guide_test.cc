// Compiles and tests the CTA scheduler of docs/write-a-cta-scheduler.md, and compares the page with
// the files in docs/examples.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define chunks guide_chunks
#define Chunks GuideChunks
#include "docs/examples/chunks.cc"
#include "docs/examples/chunks_test.cc"
#undef Chunks

namespace heddle::gpu {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* kGuide = "docs/write-a-cta-scheduler.md";

}  // namespace

TEST(WriteACtaScheduler, ShowsTheCompiledPolicyAndItsTest) {
  const std::string guide = text_of(kGuide);
  for (const char* file : {"docs/examples/chunks.cc", "docs/examples/chunks_test.cc"})
    EXPECT_NE(guide.find("```cpp\n" + text_of(file) + "```\n"), std::string::npos)
        << "the guide does not show " << file;
}

TEST(WriteACtaScheduler, ShowsTheMessageThatAWrongValueGives) {
  try {
    chunks().parse("size=0");
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(text_of(kGuide).find(error.what()), std::string::npos) << error.what();
  }
}

}  // namespace heddle::gpu
#undef chunks
