#include "ptx/syntax/lexer.h"

#include <gtest/gtest.h>

#include <bit>

namespace heddle::ptx {
namespace {

std::vector<Token> tokens(std::string_view text) {
  static const std::string file = "t.ptx";
  Lexer lexer(text, file);
  std::vector<Token> out;
  for (Token t = lexer.next(); t.kind != Token::Kind::end; t = lexer.next()) out.push_back(t);
  return out;
}

TEST(Lexer, KeepsLinesAndColumnsAcrossComments) {
  const auto all = tokens("// one\n/* two\nthree */ add.s32\n\t%r1;");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].text, "add");
  EXPECT_EQ(all[0].line, 3u);
  EXPECT_EQ(all[0].column, 10u);
  EXPECT_EQ(all[1].text, ".s32");
  EXPECT_TRUE(all[1].joined);
  EXPECT_EQ(all[2].text, "%r1");
  EXPECT_EQ(all[2].line, 4u);
  EXPECT_EQ(all[2].column, 2u);
}

TEST(Lexer, ReadsNumbersOfEveryBase) {
  const auto all = tokens("12 0x1F 017 0b101 7U 0f3F800000 0d4000000000000000 1.5");
  ASSERT_EQ(all.size(), 8u);
  const std::uint64_t integers[] = {12, 31, 15, 5, 7};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(all[i].value, integers[i]);
  EXPECT_TRUE(all[4].is_unsigned);
  EXPECT_EQ(all[5].value, 0x3F800000u);
  EXPECT_EQ(std::bit_cast<double>(all[6].value), 2.0);
  EXPECT_EQ(std::bit_cast<double>(all[7].value), 1.5);
}

TEST(Lexer, ReadsNumbersWithAPointOrAnExponent) {
  const auto all = tokens("1.5 2. 1e3 1E3 2.5e-1 0x1e3");
  const double values[] = {1.5, 2.0, 1000.0, 1000.0, 0.25};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(std::bit_cast<double>(all[i].value), values[i]);
  EXPECT_EQ(all[5].value, 0x1e3u);
}

TEST(Lexer, KeepsQualifiedModifiersTogether) {
  const auto all = tokens("ld.global.L1::no_allocate.v4");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].text, ".L1::no_allocate");
}

TEST(Lexer, DistinguishesFractionsFromModifiers) {
  const auto all = tokens("tex.1d.v4 %f1,.5 -.25e1");
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[1].text, ".1d");
  EXPECT_EQ(std::bit_cast<double>(all[5].value), 0.5);
  EXPECT_EQ(std::bit_cast<double>(all[7].value), 2.5);
}

TEST(Lexer, ABackslashInAStringIsItself) {
  const auto all = tokens("\"a\\\" \"b\"");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, "a\\");
}

TEST(Lexer, RefusesInvalidTokens) {
  for (const char* text :
       {"/* open", "\"open", "0x", "99999999999999999999999", "0f12", "\x01", "`", "12abc"}) {
    EXPECT_THROW(tokens(text), UserError) << text;
  }
}

}  // namespace
}  // namespace heddle::ptx
