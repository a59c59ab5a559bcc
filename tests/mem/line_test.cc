#include "mem/line.h"

#include <gtest/gtest.h>

namespace heddle::mem {

TEST(Line, HasFourSectors) {
  EXPECT_EQ(kSectorsPerLine, 4u);
  EXPECT_EQ(offset_in_line(Address{0x1000}), 0u);
  EXPECT_EQ(offset_in_line(Address{0x10FF}), 127u);
  EXPECT_EQ(sector_index(Address{0x1000}), 0u);
  EXPECT_EQ(sector_index(Address{0x103F}), 1u);
  EXPECT_EQ(sector_index(Address{0x10E0}), 3u);
  EXPECT_EQ(sector_bit(2), 0b0100);
}

TEST(Line, ASectorsAddressIsInTheLineOfTheAddress) {
  EXPECT_EQ(sector_address(Address{0x10F0}, 0), Address{0x1080});
  EXPECT_EQ(sector_address(Address{0x1080}, 3), Address{0x10E0});
}

TEST(Line, ARangeTouchesTheSectorsOfItsBytes) {
  EXPECT_EQ(sectors_touched(Address{0x1000}, 32), 0b0001);
  EXPECT_EQ(sectors_touched(Address{0x1000}, 33), 0b0011);
  EXPECT_EQ(sectors_touched(Address{0x101F}, 2), 0b0011);
  EXPECT_EQ(sectors_touched(Address{0x1040}, 64), 0b1100);
  EXPECT_EQ(sectors_touched(Address{0x1000}, 128), 0b1111);
}

TEST(Line, ARangeEndsWithTheLine) {
  EXPECT_EQ(sectors_touched(Address{0x1060}, 128), 0b1000);
  EXPECT_EQ(sectors_touched(Address{0x107F}, 2), 0b1000);
}

TEST(Line, NoBytesTouchTheSectorOfTheirAddress) {
  EXPECT_EQ(sectors_touched(Address{0x1040}, 0), 0b0100);
}

}  // namespace heddle::mem
