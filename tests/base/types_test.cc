#include "base/types.h"

#include <gtest/gtest.h>

namespace heddle {

TEST(BitSet, NextCyclicStartsAtThePositionAndWrapsAround) {
  const WarpMask set{0b1000'0010};
  EXPECT_EQ(set.next_cyclic(0), WarpSlot{1});
  EXPECT_EQ(set.next_cyclic(2), WarpSlot{7});
  EXPECT_EQ(set.next_cyclic(8), WarpSlot{1});
  EXPECT_EQ(set.next_cyclic(64), WarpSlot{1});
  EXPECT_EQ(WarpMask{}.next_cyclic(3), WarpSlot::none);
}

TEST(BitSet, FirstNHoldsExactlyTheFirstPositions) {
  EXPECT_EQ(LaneMask::first(0).count(), 0);
  EXPECT_EQ(LaneMask::first(5).bits, 0b11111u);
  EXPECT_EQ(LaneMask::first(32), LaneMask::all());
}

TEST(BitSet, NoneIsMemberOfNoSet) { EXPECT_FALSE(WarpMask::all().test(WarpSlot::none)); }

TEST(LineOf, DropsTheOffsetWithinTheLine) {
  EXPECT_EQ(line_of(Address{0x12345}, 128).value, 0x12300u);
}

}  // namespace heddle
