#include "sass/instruction.h"

#include <gtest/gtest.h>

#include "sass/decode.h"

namespace heddle::sass {
namespace {

TEST(Instructions, HaveOpcodesByName) {
  EXPECT_EQ(opcode_of("IMAD"), Opcode::IMAD);
  EXPECT_EQ(opcode_name(Opcode::LDGSTS), "LDGSTS");
  EXPECT_FALSE(opcode_of("IMAD.MOV"));
}

TEST(Instructions, HaveFlagsByName) {
  const auto decoded = decode({0x0000000605007221, 0x000fe20000010000}, 80, 0);
  const Instruction& add = std::get<Instruction>(decoded);
  EXPECT_TRUE(has_flag(add, "FTZ"));
  EXPECT_FALSE(has_flag(add, "SAT"));
  EXPECT_FALSE(has_flag(add, "X"));
  EXPECT_EQ(modifier_value(add, ModifierKind::Rounding), 0);
}

}  // namespace
}  // namespace heddle::sass
