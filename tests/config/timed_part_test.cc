#include "config/timed_part.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::config {
namespace {

TEST(TimedPart, AKernelIsSelectedByNumberRangeAndName) {
  const KernelSelection some("3,5..7,9..,bfs*");
  EXPECT_FALSE(some.contains(2, "sum"));
  EXPECT_TRUE(some.contains(3, "sum"));
  EXPECT_FALSE(some.contains(4, "sum"));
  EXPECT_TRUE(some.contains(5, "sum"));
  EXPECT_TRUE(some.contains(7, "sum"));
  EXPECT_FALSE(some.contains(8, "sum"));
  EXPECT_TRUE(some.contains(9, "sum"));
  EXPECT_TRUE(some.contains(1, "bfs_step"));
  EXPECT_FALSE(some.all());
}

TEST(TimedPart, AllAmongOtherItemsSelectsEveryKernel) {
  EXPECT_TRUE(KernelSelection("3,all").all());
  EXPECT_TRUE(KernelSelection("all").contains(1, "sum"));
}

TEST(TimedPart, NamesHaveEveryLetterAndDigit) {
  for (const char* name : {"a", "z", "A", "Z", "k0", "k9"})
    EXPECT_TRUE(KernelSelection(name).contains(1, name)) << name;
}

TEST(TimedPart, OtherTextsAreRefused) {
  for (const char* text : {"", "1,,2", "0", "..", "7..5", "a-b", "3x..4"})
    EXPECT_THROW(KernelSelection{text}, UserError) << text;
}

}  // namespace
}  // namespace heddle::config
