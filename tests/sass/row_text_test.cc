#include "sass/encoding/row_text.h"

#include <gtest/gtest.h>

namespace heddle::sass {
namespace {

TEST(RowText, ReadsModifiers) {
  const auto texts = modifier_texts(".FTZ@80 .Denormals@80+76 .PACK_AB@!78");
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].name, "FTZ");
  EXPECT_EQ(texts[1].field.width(), 2);
  EXPECT_EQ(texts[1].field.of({0, std::uint64_t{1} << (80 - 64)}), 2U);
  EXPECT_TRUE(texts[2].inverted);
}

TEST(RowText, ReadsOperands) {
  const auto texts = operand_texts("Rd*2, -|Ra|.HalfPair@75:74, Sb:f32, {UR@37:32}, !P@~66:64/67?");
  ASSERT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts[0].registers, 2);
  EXPECT_TRUE(texts[1].negatable && texts[1].absolute);
  EXPECT_EQ(texts[1].modifiers.size(), 1U);
  EXPECT_EQ(texts[2].type, "f32");
  EXPECT_TRUE(texts[3].hidden);
  EXPECT_TRUE(texts[4].logical_not && texts[4].optional && texts[4].field.inverted);
  EXPECT_EQ(texts[4].not_bit, 67);
}

TEST(RowText, ReadsMemory) {
  const auto texts =
      operand_texts("desc[URb][Ra.64 s@63:40], [Ra.Stride@79:78 URc s@63:40], c[URa s@53:38]");
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_TRUE(texts[0].parts[0].in_descriptor);
  EXPECT_EQ(texts[0].parts[1].literal, ".64");
  EXPECT_EQ(texts[1].modifiers[0].name, "Stride");
  EXPECT_EQ(texts[1].parts.size(), 3U);
  EXPECT_TRUE(texts[2].constant);
}

TEST(RowText, ReadsMatrixDescriptors) {
  const auto texts = operand_texts("gdesc [UR@29:24].negA@72.tnspA@61, R@71:64");
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].literal, "gdesc [");
  EXPECT_EQ(texts[0].registers, 4);
  EXPECT_EQ(texts[0].modifiers.size(), 2U);
}

TEST(RowText, ReadsConditions) {
  const auto texts = condition_texts("72=1 71:64=ff sm>=80 pow2@63:32 @UP");
  ASSERT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts[1].value, 0xffU);
  EXPECT_EQ(texts[2].kind, ConditionText::Kind::from_architecture);
  EXPECT_EQ(texts[3].kind, ConditionText::Kind::power_of_two);
  EXPECT_EQ(texts[4].kind, ConditionText::Kind::uniform_guard);
}

}  // namespace
}  // namespace heddle::sass
