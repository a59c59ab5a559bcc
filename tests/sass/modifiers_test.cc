#include "sass/modifiers.h"

#include <gtest/gtest.h>

namespace heddle::sass {
namespace {

TEST(Modifiers, HaveTheirTextByValue) {
  EXPECT_EQ(modifier_kind("Compare"), ModifierKind::Compare);
  EXPECT_EQ(modifier_kind("FTZ"), ModifierKind::flag);
  EXPECT_EQ(modifier_name(ModifierKind::Compare, 6).text, "GE");
  EXPECT_EQ(modifier_name(ModifierKind::Width, 6).text, "128");
  EXPECT_EQ(modifier_name(ModifierKind::FloatCompare, 8).text, "NAN");
  EXPECT_EQ(modifier_name(ModifierKind::LoadOrder, 10).text, "STRONG.SYS");
  EXPECT_EQ(modifier_name(ModifierKind::HalfPair, 2).text, "H0_H0");
}

TEST(Modifiers, OmitTheUsualValueAndRefuseOthers) {
  EXPECT_TRUE(modifier_name(ModifierKind::Width, 4).known);
  EXPECT_EQ(modifier_name(ModifierKind::Width, 4).text, "");
  EXPECT_FALSE(modifier_name(ModifierKind::Width, 7).known);
  EXPECT_FALSE(modifier_name(ModifierKind::Scale, 0).known);
}

}  // namespace
}  // namespace heddle::sass
