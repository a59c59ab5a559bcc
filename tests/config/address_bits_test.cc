#include "config/address_bits.h"

#include <gtest/gtest.h>

#include <string>

#include "config/config.h"

namespace heddle::config {
namespace {

// What is wrong with the text on a gtx480, which has atoms of 64 bytes and 16 banks.
std::string problem_of(const std::string& text, std::uint32_t slices = 2) {
  std::string problem;
  const auto fields = parse_address_bits(text, &problem);
  if (!problem.empty()) return problem;
  MemorySpec memory = load_gpu("gtx480").memory;
  memory.slices_per_channel = slices;
  return address_bits_problem(fields, memory);
}

}  // namespace

TEST(AddressBits, FieldsFollowEachOtherFromBitZero) {
  std::string problem;
  const auto fields = parse_address_bits("S6 C2 B1 R3", &problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[0].part, AddressPart::inside_atom);
  EXPECT_EQ(fields[1].part, AddressPart::column);
  EXPECT_EQ(fields[2].part, AddressPart::bank);
  EXPECT_EQ(fields[3].part, AddressPart::row);
  EXPECT_EQ(fields[0].first_bit, 0u);
  EXPECT_EQ(fields[2].first_bit, 8u);
  EXPECT_EQ(fields[3].first_bit, 9u);
  EXPECT_EQ(fields[3].bits, 3u);
}

TEST(AddressBits, AWordIsALetterAndANumberOfBits) {
  for (const char* word : {"X2", "S", "S0", "S49", "S6x", "6", "s6"})
    EXPECT_EQ(problem_of(word), "'" + std::string(word) +
                                    "' is not a letter S, C, B or R followed by a number of bits");
  EXPECT_NE(problem_of("").find("must list fields"), std::string::npos);
  EXPECT_EQ(problem_of("S6 C2 B1 C4 B3 R32"), "");  // 48 bits
  EXPECT_EQ(problem_of("S6 C2 B1 C4 B3 R33"), "has 49 bits, more than 48");
}

TEST(AddressBits, DescribeTheAtomsAndBanksOfTheMemory) {
  EXPECT_EQ(problem_of("S6 C6 B4 R12"), "");
  const std::string atom = "must begin with S6, the bytes inside an atom of 64";
  EXPECT_EQ(problem_of("S5 C6 B4 R12"), atom);
  EXPECT_EQ(problem_of("C6 S6 B4 R12"), atom);
  EXPECT_EQ(problem_of("S6 C6 S1 B4 R12"), atom);
  EXPECT_EQ(problem_of("S6 C6 B3 R12"), "has 3 bank bits, but 16 banks need 4");
  EXPECT_EQ(problem_of("S6 B4 R12"), "has no column bits");
  EXPECT_EQ(problem_of("S6 R12 B4 C6"), "must end with the row bits R");
  EXPECT_EQ(problem_of("S6 C6 B4 R12", 16), "");
  EXPECT_EQ(problem_of("S6 C6 B4 R12", 32), "16 banks cannot select 32 slices");
}

}  // namespace heddle::config
