#include "report/wrapped_text.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(WrappedText, ContinuesBelowTheSecondColumn) {
  EXPECT_EQ(wrapped("  --gpu GPU   the simulated GPU of all runs\n", 30),
            "  --gpu GPU   the simulated\n"
            "              GPU of all runs\n");
}

TEST(WrappedText, ContinuesBelowTheFirstWordWhereThereIsNoColumn) {
  EXPECT_EQ(wrapped("  one two three four", 12), "  one two\n  three four\n");
}

TEST(WrappedText, KeepsLongWordsAndTextsWithoutAWidth) {
  EXPECT_EQ(wrapped("a/path/without/blanks and more", 10), "a/path/without/blanks\nand more\n");
  EXPECT_EQ(wrapped("one two three", 0), "one two three");
}

}  // namespace
}  // namespace heddle::report
