#include "sass/encoding/form.h"

#include <gtest/gtest.h>

namespace heddle::sass {
namespace {

// The form number, bits 11:9, says what the wide slot holds.
TEST(Forms, PlaceTheWideSlotByTheFormNumber) {
  const Row row{"FFMA", "223 423 623 823 1c23", "", "Rd, -|Ra|, -|B|:f32, -|C|:f32"};
  const std::vector<EncodingForm> forms = forms_of(row);
  ASSERT_EQ(forms.size(), 5U);
  const auto kinds = [&](std::size_t form) {
    return std::pair(forms[form].operands[2].kind, forms[form].operands[3].kind);
  };
  using K = OperandKind;
  EXPECT_EQ(kinds(0), std::pair(K::reg, K::reg));
  EXPECT_EQ(kinds(1), std::pair(K::reg, K::immediate));
  EXPECT_EQ(kinds(2), std::pair(K::reg, K::constant));
  EXPECT_EQ(kinds(3), std::pair(K::immediate, K::reg));
  EXPECT_EQ(kinds(4), std::pair(K::uniform, K::reg));
  EXPECT_EQ(forms[0].operands[2].negate_bit, 63);
  EXPECT_EQ(forms[1].operands[2].negate_bit, 75);
}

TEST(Forms, KnowWhatTheyWriteAndWhichBitsTheyName) {
  const EncodingForm form =
      forms_of({"FADD", "221", ".FTZ@80", "Rd, Ra, Sc:f32", "84=1 sm>=80"}).front();
  EXPECT_TRUE(form.operands[0].written);
  EXPECT_FALSE(form.operands[1].written);
  EXPECT_EQ(form.first_architecture, 80);
  EXPECT_TRUE(form.covered.bit(80) && form.covered.bit(84) && form.covered.bit(39));
  EXPECT_FALSE(form.covered.bit(63) || form.covered.bit(81));
}

}  // namespace
}  // namespace heddle::sass
