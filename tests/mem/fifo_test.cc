#include <gtest/gtest.h>

#include "tests/mem/replacement_bench.h"

namespace heddle::mem {

TEST(Fifo, ReplacesTheLineThatWasBroughtInFirst) {
  ReplacementBench set("fifo", 3);
  for (const int line : {0, 1, 2, 0, 0}) set.read(line);
  EXPECT_EQ(set.replaced_by(3), 0);
  EXPECT_EQ(set.replaced_by(4), 1);
  EXPECT_EQ(set.replaced_by(0), 2);
}

}  // namespace heddle::mem
