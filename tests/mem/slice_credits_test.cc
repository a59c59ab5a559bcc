#include "mem/dram/slice_credits.h"

#include <gtest/gtest.h>

namespace heddle::mem {

TEST(SliceCredits, EverySliceHasAPlaceOfItsOwn) {
  SliceCredits credits(2, 3);  // two places are shared
  EXPECT_EQ(credits.places(), 4u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(credits.has(0));
    credits.use(0);
  }
  EXPECT_FALSE(credits.has(0));
  EXPECT_TRUE(credits.has(1));
  credits.use(1);
  EXPECT_FALSE(credits.has(1));
}

TEST(SliceCredits, SharedPlacesAreReturnedFirst) {
  SliceCredits credits(2, 2);  // one is shared
  credits.use(0);
  credits.use(0);
  credits.use(1);
  EXPECT_FALSE(credits.has(1));
  credits.give_back(0);
  EXPECT_TRUE(credits.has(0));
  EXPECT_TRUE(credits.has(1));
  credits.use(1);
  EXPECT_FALSE(credits.has(0));
}

TEST(SliceCredits, AtLeastOnePlaceIsShared) { EXPECT_EQ(SliceCredits(4, 2).places(), 5u); }

}  // namespace heddle::mem
