#include "ptx/forms/operand_notation.h"

#include <gtest/gtest.h>

#include "ptx/forms/forms_table.h"

namespace heddle::ptx {
namespace {

using Role = OperandShape::Role;
using TypeOf = OperandPattern::TypeOf;

TEST(OperandNotation, NamesGiveTheRole) {
  const auto operands = parse_operands("d, a, {!}c, n:imm, [m], [tex, c], dPdx, tlist");
  const std::vector<Role> roles = {Role::destination, Role::source, Role::predicate, Role::constant,
                                   Role::address,     Role::texel,  Role::gradient,  Role::table};
  ASSERT_EQ(operands.size(), roles.size());
  for (std::size_t n = 0; n < roles.size(); ++n) EXPECT_EQ(operands[n].shape.role, roles[n]) << n;
}

TEST(OperandNotation, ASecondDestinationIsOptional) {
  EXPECT_EQ(parse_operands("p[|q], a")[0].shape.role, Role::destination_pair);
  EXPECT_EQ(parse_operands("d:b32[|p], a")[0].shape.role, Role::destination_optional_pair);
  EXPECT_EQ(parse_operands("d:b32[|p], a")[0].shape.type, Type::b32);
}

TEST(OperandNotation, BracesAfterACommaMakeAnOperandOptional) {
  const auto operands = parse_operands("d/_, [a], b{, c:u32}{, cache-policy}");
  ASSERT_EQ(operands.size(), 5u);
  EXPECT_TRUE(operands[0].shape.sink);
  EXPECT_FALSE(operands[2].shape.optional);
  EXPECT_TRUE(operands[3].shape.optional);
  EXPECT_TRUE(operands[4].with_cache_hint);
  EXPECT_FALSE(operands[4].shape.optional) << "required with .L2::cache_hint, otherwise absent";
}

TEST(OperandNotation, TypesComeFromTheInstructionUnlessGiven) {
  Instruction i;
  i.type = Type::u32, i.source_type = Type::f16;
  const auto operands = parse_operands("d:wide, a, b:atype+, c:s64");
  const std::vector<Type> types = {Type::u64, Type::u32, Type::f16, Type::s64};
  for (std::size_t n = 0; n < types.size(); ++n)
    EXPECT_EQ(shape_of(operands[n], i).type, types[n]) << n;
  EXPECT_TRUE(operands[2].shape.relaxed);
}

TEST(OperandNotation, AddressesMayNameAStateSpace) {
  const auto operands = parse_operands("[dstMem:shared], [srcMem], size:u32, [mbar:shared]");
  EXPECT_EQ(operands[0].shape.space, Space::shared);
  EXPECT_EQ(operands[1].shape.space, Space::none);
  EXPECT_EQ(operands[3].shape.place, CopySource::mbarrier);
}

TEST(OperandNotation, EveryRowOfTheTablesIsValid) {
  for (const FormRow& row : form_rows()) {
    for (const OperandPattern& operand : parse_operands(row.operands))
      EXPECT_TRUE(operand.type != TypeOf::fixed || operand.shape.type != Type::none ||
                  operand.shape.role == Role::label || operand.shape.role == Role::table ||
                  operand.shape.role == Role::call)
          << row.mnemonic << " " << row.operands;
  }
}

}  // namespace
}  // namespace heddle::ptx
