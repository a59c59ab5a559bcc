#include "base/executable.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Executable, PathIsAbsoluteAndNamesThisProgram) {
  EXPECT_TRUE(executable_path().is_absolute());
  EXPECT_EQ(executable_path().filename(), "base_test");
}

}  // namespace
}  // namespace heddle
