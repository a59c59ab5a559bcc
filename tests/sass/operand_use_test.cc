#include "sass/operand_use.h"

#include <gtest/gtest.h>

#include "sass/encoding/table.h"

namespace heddle::sass {
namespace {

Instruction of_form(std::string_view name, int code) {
  Instruction i;
  for (const EncodingForm& form : all_forms())
    if (form.name == name && form.code == code) i.form = &form;
  if (i.form) i.opcode = i.form->opcode;
  return i;
}
void set(Instruction& i, ModifierKind kind, std::uint8_t value) {
  for (std::size_t n = 0; n < i.form->modifiers.size(); ++n)
    if (i.form->modifiers[n].kind == kind) i.modifiers[n] = value;
}

void set_flag(Instruction& i, std::string_view name) {
  for (std::size_t n = 0; n < i.form->modifiers.size(); ++n)
    if (i.form->modifiers[n].name == name) i.modifiers[n] = 1;
}

TEST(OperandUse, TheWidthSaysHowManyRegistersALoadWrites) {
  Instruction load = of_form("LDS", 0x984);
  ASSERT_NE(load.form, nullptr);
  set(load, ModifierKind::Width, static_cast<std::uint8_t>(Width::n128));
  EXPECT_EQ(register_count(load, 0), 4);
  EXPECT_EQ(access_of(load).bytes, 4);
  set(load, ModifierKind::Width, static_cast<std::uint8_t>(Width::S16));
  EXPECT_EQ(register_count(load, 0), 1);
  EXPECT_TRUE(access_of(load).is_signed);
}

TEST(OperandUse, AStrideShiftsTheBase) {
  Instruction load = of_form("LDS", 0x984);
  EXPECT_EQ(address_shift(load, 1), 0);
  set(load, ModifierKind::Stride, static_cast<std::uint8_t>(Stride::X8));
  EXPECT_EQ(address_shift(load, 1), 3);
}

TEST(OperandUse, GlobalAddressesArePairs) {
  const Instruction load = of_form("LDG.E", 0x1981), shared = of_form("LDS", 0x984);
  ASSERT_NE(load.form, nullptr);
  EXPECT_FALSE(address_width(load, load.form->operands[2]).wide_base);  // [R2.U32+UR4]
  EXPECT_TRUE(address_width(load, load.form->operands[2]).wide_uniform);
  const Instruction store = of_form("STG", 0x386);
  Instruction wide = store;
  set_flag(wide, "E");
  EXPECT_TRUE(address_width(wide, wide.form->operands[0]).wide_base);
  EXPECT_FALSE(address_width(shared, shared.form->operands[1]).wide_base);
}

TEST(OperandUse, AWarpHasSixteenRowsOfTheSumsOfItsWarpgroup) {
  Instruction product = of_form("HGMMA", 0x19f0);
  set(product, ModifierKind::HalfGroupShape, 15);
  set(product, ModifierKind::HalfAccumulator, static_cast<std::uint8_t>(HalfAccumulator::F32));
  EXPECT_EQ(product_shape_of(product)->columns, 128U);
  EXPECT_EQ(product_shape_of(product)->depth, 16U);
  EXPECT_EQ(register_count(product, 0), 64);
  set(product, ModifierKind::HalfAccumulator, static_cast<std::uint8_t>(HalfAccumulator::F16));
  EXPECT_EQ(register_count(product, 0), 32);
}

}  // namespace
}  // namespace heddle::sass
