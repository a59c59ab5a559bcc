#include "sass/decode.h"

#include <gtest/gtest.h>

#include <random>

#include "sass/architecture.h"
#include "sass/listing.h"
#include "tests/sass/vectors.h"

namespace heddle::sass {
namespace {

std::string text_of(const InstructionWord& word, int architecture, std::uint64_t address = 0) {
  const auto decoded = decode(word, architecture, address);
  if (const auto* instruction = std::get_if<Instruction>(&decoded))
    return instruction_text(*instruction);
  return "refused: " + std::get<NotDecoded>(decoded).reason;
}

TEST(Decode, GivesTheTextOfNvidiasDisassembler) {
  const std::vector<Vector> all = vectors();
  EXPECT_GT(all.size(), 2500U);
  for (const Vector& vector : all)
    EXPECT_EQ(text_of(vector.word, vector.architecture, vector.address), vector.text)
        << "sm_" << vector.architecture;
}

TEST(Decode, KnowsOperandsModifiersAndControl) {
  // @!P0 LDG.E.64 R2, [R4.64+0x10] with the descriptor in UR6
  const InstructionWord word{0x0000100604028981, 0x000ea2000c1e1b00};
  const auto decoded = decode(word, 80, 0);
  const auto* load = std::get_if<Instruction>(&decoded);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->opcode, Opcode::LDG);
  EXPECT_EQ(modifier_of<Width>(*load), Width::n64);
  EXPECT_EQ(modifier_of<LoadOrder>(*load), LoadOrder::WEAK_);
  EXPECT_FALSE(modifier_of<Compare>(*load));
  EXPECT_EQ(load->guard.predicate, 0);
  EXPECT_TRUE(load->guard.negated);
  EXPECT_EQ(load->operands[1].index, 2);
  EXPECT_EQ(load->operands[2].kind, OperandKind::memory);
  EXPECT_EQ(load->operands[2].index, 4);
  EXPECT_EQ(load->operands[2].value, 16);
  EXPECT_EQ(load->operands[3].index, 6);
  EXPECT_EQ(load->control.write_barrier, 2);
  EXPECT_EQ(load->control.read_barrier, 7);
  EXPECT_EQ(load->control.stall_cycles, 1);
}

TEST(Decode, RefusesByName) {
  EXPECT_EQ(text_of({0x7836, 0}, 80), "refused: opcode 0x836 of sm_80");
  // FADD with a bit that no field has
  EXPECT_EQ(text_of({0x000000050000'7221, 0x0000000000000800}, 80),
            "refused: FADD with bit 75 set");
  // FMUL with a scale that does not exist
  EXPECT_EQ(text_of({0x000000050000'7220, 0}, 80), "refused: FMUL with modifier value 0 in bit 84");
  // A descriptor where ptxas writes none: on sm_90 the bit has no meaning
  EXPECT_EQ(text_of({0x0000000602007981, 0x000ea8200c1e1900}, 80), "LDG.E R0, desc[UR6][R2.64]");
  EXPECT_EQ(text_of({0x0000000602007981, 0x000ea8200c1e1900}, 90),
            "refused: LDG.E with fields that have no meaning together");
  // STSM has two layouts
  EXPECT_EQ(text_of({0x0000000600007844, 0x008fe8000000c100}, 90),
            "refused: STSM.16 with bit 79 set");
  // REDG has no type of 128 bits
  EXPECT_EQ(text_of({0x000000070200098e, 0x008fe8000c114984}, 90),
            "refused: REDG.E with fields that have no meaning together");
  EXPECT_EQ(text_of({0x000000090200798e, 0x000fe2000810e904}, 90),
            "refused: REDG.E with bit 75 set");
  // Bases that are not RZ: lacks_base() in sass/decode.cc
  EXPECT_EQ(text_of({0x00000002ff00799e, 0x000fe60000110900}, 75),
            "refused: SUST.D without a register in its address");
  EXPECT_EQ(text_of({0x00000004ff007981, 0x000fe2000c1e0100}, 80), "LDG.E.U8 R0, [UR4]");
  EXPECT_EQ(text_of({0x00000004ff007981, 0x000fe2000c1e0100}, 90),
            "refused: LDG.E without a register in its address");
  EXPECT_EQ(text_of({0x00000007ff0879a8, 0x000fe2000c1ee1c4}, 80),
            "refused: ATOMG.E without a register in its address");
  EXPECT_EQ(text_of({0x00000008ff007dbd, 0x000fe8000c000c3f}, 90),
            "refused: STAS without a register in its address");
  // R254 does not exist
  EXPECT_EQ(text_of({0x00000005fe007221, 0}, 80), "refused: FADD with register R254");
}

TEST(Decode, HasNewInstructionsOnlyWhereTheyExist) {
  const InstructionWord add{0x0000000100007836, 0x000fe20000000000};
  EXPECT_EQ(text_of(add, 90), "VIADD R0, R0, 0x1");
  EXPECT_TRUE(text_of(add, 89).starts_with("refused"));
}

// Every word decodes or is refused, and a text never depends on the control word.
TEST(Decode, SurvivesAnyBits) {
  std::mt19937_64 random(2026);
  const std::vector<Vector> all = vectors();
  for (int i = 0; i < 60'000; ++i) {
    InstructionWord word{random(), random()};
    if (i % 4 != 0) {
      word = all[random() % all.size()].word;
      const int bit = static_cast<int>(random() % 128);
      (bit < 64 ? word.low : word.high) ^= std::uint64_t{1} << (bit & 63);
    }
    for (int architecture : kArchitectures) {
      const std::string text = text_of(word, architecture);
      EXPECT_FALSE(text.empty());
      EXPECT_EQ(text.find("refused0"), std::string::npos);
      InstructionWord other = word;
      other.high ^= std::uint64_t{0x1ffef} << (105 - 64);  // not bit 109, which decides on reuse
      EXPECT_EQ(text_of(other, architecture), text);
    }
  }
}

}  // namespace
}  // namespace heddle::sass
