#include "base/terminal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace heddle {
namespace {

TEST(Terminal, ColumnsWinsAndAWidthBelow40IsIgnored) {
  ::setenv("COLUMNS", "61", 1);
  EXPECT_EQ(terminal_width(STDIN_FILENO, 7), 61);
  ::setenv("COLUMNS", "39", 1);
  EXPECT_EQ(terminal_width(-1, 7), 7);
  ::unsetenv("COLUMNS");
  EXPECT_EQ(terminal_width(-1, 7), 7);
}

}  // namespace
}  // namespace heddle
