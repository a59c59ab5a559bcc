#include "sass/operand_use.h"

#include <gtest/gtest.h>

#include "sass/decode.h"
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

Instruction decoded(std::uint64_t high, std::uint64_t low, int architecture) {
  return std::get<Instruction>(decode({low, high}, architecture, 0));
}
std::array<int, 4> registers_of(const Instruction& i) {
  return {register_count(i, 0), register_count(i, 1), register_count(i, 2), register_count(i, 3)};
}

TEST(OperandUse, TheShapeOfAProductSaysHowManyRegistersItHas) {
  using Registers = std::array<int, 4>;  // of the result, A, B and C
  // IMMA.SP.16864.S4.S4 R4, R8.ROW, R10.COL, R4, R0, 0x1
  const Instruction integers = decoded(0x004fde0000785504, 0x0001000a08047237, 80);
  EXPECT_EQ(registers_of(integers), (Registers{4, 2, 2, 4}));
  EXPECT_EQ(register_count(integers, 4), 1);
  // HMMA.SP.16832.F16 R4, R4, R8, R16, R0, 0x0
  const Instruction halves = decoded(0x004fe60000004a10, 0x000000080404723c, 80);
  EXPECT_EQ(registers_of(halves), (Registers{2, 4, 4, 2}));
  const WarpProduct product = *warp_product_of(halves);
  EXPECT_EQ(product.rows, 16u);
  EXPECT_EQ(product.columns, 8u);
  EXPECT_EQ(product.depth, 32u);
  EXPECT_EQ(product.depth_of_a(), 16u);
  Instruction bits = of_form("BMMA", 0x23d), tf32 = of_form("HMMA.1684", 0x23c),
              doubles = of_form("DMMA", 0x23f), nibbles = of_form("IMMA", 0x237);
  set(bits, ModifierKind::BitShape, static_cast<std::uint8_t>(BitShape::n168256));
  EXPECT_EQ(registers_of(bits), (Registers{4, 4, 2, 4}));
  set(tf32, ModifierKind::HalfAccumulator, static_cast<std::uint8_t>(HalfAccumulator::F32));
  set_flag(tf32, "TF32");
  EXPECT_EQ(registers_of(tf32), (Registers{4, 2, 1, 4}));
  set(doubles, ModifierKind::DoubleShape, static_cast<std::uint8_t>(DoubleShape::n16x8x16));
  EXPECT_EQ(registers_of(doubles), (Registers{8, 16, 8, 8}));
  set(nibbles, ModifierKind::IntShape4, static_cast<std::uint8_t>(IntShape4::n16832));
  EXPECT_EQ(registers_of(nibbles), (Registers{4, 2, 1, 4}));
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
