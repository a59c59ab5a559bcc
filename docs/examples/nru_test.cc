#include <gtest/gtest.h>

#include "tests/mem/replacement_bench.h"

namespace heddle::mem {

ReplacementEntry nru();

TEST(NotRecentlyUsed, ReplacesTheFirstLineThatWasNotUsedRecently) {
  ReplacementBench set(nru().parse(""), 4);
  for (const int line : {0, 1, 2, 3}) set.read(line);  // 3 cleared the bits of 0, 1 and 2
  set.read(0);
  EXPECT_EQ(set.replaced_by(4), 1);
  EXPECT_EQ(set.replaced_by(5), 2);  // 4 is new, and all others were used
}

}  // namespace heddle::mem
