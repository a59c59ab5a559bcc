#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

std::uint32_t value_of(const std::string& instruction) {
  const Kernel kernel = lower_body(instruction + " ret;");
  const Operand& source = kernel.code.front().src[0];
  EXPECT_EQ(source.kind, Operand::Kind::constant) << instruction;
  return kernel.constants[std::size_t{source.row} * 32];
}

// The values are those that ptxas 13.0 folds.
TEST(Constants, HaveTheValuesOfPtxas) {
  const std::pair<const char*, std::uint32_t> expected[] = {{"(5>3)?42:43", 42},
                                                            {"5>3?42:43", 42},
                                                            {"1?2:0?3:4", 2},
                                                            {"0?2:1?3:4", 3},
                                                            {"1?0?7:8:9", 8},
                                                            {"0||0?7:8", 8},
                                                            {"1==1?2==2?10:11:12", 10},
                                                            {"-1 > 0U ? 1 : 2", 1},
                                                            {"(0?1U:-1)<0", 1},
                                                            {"(1?5U:-1)-6<0", 0},
                                                            {"(1?5:1U)-6<0", 1},
                                                            {"7 % 3", 1},
                                                            {"-7 % 3", 0},
                                                            {"(7 % 4)-6<0", 0},
                                                            {"-7/2", 0xfffffffd},
                                                            {"-2/3U>0", 1},
                                                            {"-7>>1", 0xfffffffc},
                                                            {"1<<65", 2},
                                                            {"2>>64", 2},
                                                            {"(1U<<1)-3>0", 1},
                                                            {"(1<<1U)-3>0", 0},
                                                            {"(-8>>1U)<0", 1},
                                                            {"(-8U>>1)<0", 0},
                                                            {"-1U>0", 1},
                                                            {"~0>0", 1},
                                                            {"(!1U)-2<0", 1},
                                                            {"(1U==1)-2<0", 1},
                                                            {"(1U&&1)-2<0", 1},
                                                            {"(3U&5)-6<0", 0},
                                                            {"(3&5)-6<0", 1},
                                                            {"1.5>0.5", 1},
                                                            {"1.5!=1.6", 1},
                                                            {"1.5>=1.6", 0},
                                                            {"(1.5!=1.6)-2<0", 1},
                                                            {"(.u64)-1 < 1", 0},
                                                            {"(.s64)0x8000000000000000<0", 1},
                                                            {"0x8000000000000000-1<0", 0},
                                                            {"1--1", 2},
                                                            {"+-+5", 0xfffffffb},
                                                            {"6&3==3", 0},
                                                            {"3&5|8^1", 9},
                                                            {"WARP_SZ+1", 33},
                                                            {"0B101 + 0X1F + 017U", 51}};
  for (const auto& [text, value] : expected)
    EXPECT_EQ(value_of(std::string("mov.u32 %r1, ") + text + ";"), value) << text;
}

TEST(Constants, OfFloatsAreRoundedToTheInstructionsType) {
  const std::pair<const char*, std::uint32_t> expected[] = {
      {".5", 0x3f000000},      {"-.25e1", 0xc0200000},
      {"1.", 0x3f800000},      {"1.e3", 0x447a0000},
      {".5e-1", 0x3d4ccccd},   {"1.5*2.0", 0x40400000},
      {"1.0/3.0", 0x3eaaaaab}, {"0d3FF0000000000001", 0x3f800000}};
  for (const auto& [text, value] : expected)
    EXPECT_EQ(value_of(std::string("mov.f32 %f1, ") + text + ";"), value) << text;
  EXPECT_EQ(value_of("mov.f64 %d1, 0f3F800000;"), 0x3f800000u);  // the bits, as with ptxas
}

TEST(Constants, AreRefusedWherePtxasRefusesThem) {
  for (const char* text :
       {"1.5?3:4", "1?5:1/0", "1||1/0", "~1.5", "!1.5", "1.5&&1", "5 ? : 4", "1?2", "08", "5u"})
    EXPECT_NE(body_complaint(std::string("mov.u32 %r1, ") + text + "; ret;"), "") << text;
  EXPECT_NE(body_complaint("mov.f32 %f1, 1.0/0.0; ret;").find("division by zero"),
            std::string::npos);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "1?";
  EXPECT_NE(body_complaint("mov.u32 %r1, " + deep + "1;").find("too deeply"), std::string::npos);
}

}  // namespace
}  // namespace heddle::ptx
