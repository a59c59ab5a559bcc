#include "sass/special_registers.h"

#include <gtest/gtest.h>

namespace heddle::sass {
namespace {

TEST(SpecialRegisters, HaveNames) {
  EXPECT_EQ(special_register_name(0x21), "SR_TID.X");
  EXPECT_EQ(special_register_name(0xff), "SRZ");
  EXPECT_EQ(special_register_name(4), "");
}

TEST(SpecialRegisters, OfClustersExistOnHopperOnly) {
  EXPECT_TRUE(has_special_register(90, 0x88));
  EXPECT_FALSE(has_special_register(89, 0x88));
  EXPECT_FALSE(has_special_register(90, 4));
}

}  // namespace
}  // namespace heddle::sass
