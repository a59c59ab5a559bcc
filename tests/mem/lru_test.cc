#include "mem/replacement/lru.h"

#include <gtest/gtest.h>

#include "tests/mem/replacement_bench.h"

namespace heddle::mem {

TEST(Lru, ReplacesTheLineWhoseLastUseIsLongestAgo) {
  ReplacementBench set("lru", 3);
  for (const int line : {0, 1, 2, 0}) set.read(line);
  EXPECT_EQ(set.replaced_by(3), 1);
  set.write(2);
  EXPECT_EQ(set.replaced_by(4), 0);
  EXPECT_EQ(set.replaced_by(5), 3);
}

TEST(Lru, AnAccessToALineThatIsBeingFetchedIsAUse) {
  ReplacementBench set("lru", 2);
  set.read(0, false);
  set.read(1, false);
  set.read(0, false);  // pending; now 1 is the older one
  set.fill_all();
  EXPECT_EQ(set.replaced_by(2), 1);
}

}  // namespace heddle::mem
