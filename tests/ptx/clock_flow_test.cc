#include <gtest/gtest.h>

#include <algorithm>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

bool is_in(const std::vector<std::uint32_t>& rows, const Operand& operand) {
  return std::find(rows.begin(), rows.end(), operand.row) != rows.end();
}

// Polls a word and sleeps between two loads, longer the longer it has waited.
const std::string kPoll =
    "mov.u64 %rd1, %globaltimer;\n"                                              // 0
    "L: ld.acquire.gpu.global.u32 %r1, [%rd3];\nmov.u64 %rd2, %globaltimer;\n"   // 1, 2
    "sub.s64 %rd2, %rd2, %rd1;\nsetp.lt.s64 %p1, %rd2, 4000;\n@%p1 bra SOON;\n"  // 3, 4, 5
    "cvt.u32.u64 %r2, %rd2;\nnanosleep.u32 %r2;\nSOON: setp.eq.u32 %p2, %r1, 0;\n@%p2 bra "
    "L;\n";  // 6, 7, 8, 9

TEST(ClockFlow, MarksRegistersAndDecisionsThatDependOnTheClock) {
  const Kernel k = lower_body(kPoll + "ret;");
  EXPECT_TRUE(is_in(k.clock_rows, k.code[0].dst[0]));
  Operand upper = k.code[0].dst[0];
  ++upper.row;  // of 64 bits
  EXPECT_TRUE(is_in(k.clock_rows, upper));
  EXPECT_TRUE(is_in(k.clock_rows, k.code[3].dst[0]));
  EXPECT_TRUE(is_in(k.clock_predicates, k.code[4].dst[0]));
  EXPECT_TRUE(is_in(k.clock_rows, k.code[6].dst[0]));
  EXPECT_FALSE(is_in(k.clock_rows, k.code[1].dst[0]));
  EXPECT_FALSE(is_in(k.clock_predicates, k.code[8].dst[0]));
  for (Pc pc = 0; pc < 10; ++pc) {
    EXPECT_EQ(k.code[pc].clock_decides, pc == 6 || pc == 7) << pc;
    EXPECT_FALSE(k.code[pc].clock_acts) << pc;
  }
}

TEST(ClockFlow, AnExitThatDependsOnTheClockDecidesAboutEarlierAndLaterInstructions) {
  const Kernel k = lower_body(
      "mov.u64 %rd1, %clock64;\nL: add.s32 %r1, %r1, 1;\nmov.u64 %rd2, %clock64;\nsub.s64 %rd2, "
      "%rd2, %rd1;\nsetp.lt.s64 %p1, %rd2, 4000;\n@%p1 bra L;\nst.global.u32 [%rd3], %r1;\nret;");
  for (Pc pc = 1; pc < 6; ++pc) EXPECT_TRUE(k.code[pc].clock_decides) << pc;
  EXPECT_TRUE(is_in(k.clock_rows, k.code[1].dst[0])) << "the clock decides how often it executes";
  EXPECT_TRUE(k.code[6].clock_acts) << "stores a value that depends on the clock";
  EXPECT_FALSE(k.code[6].clock_decides);
}

TEST(ClockFlow, DependenceReachesEarlierInstructionsOfALoop) {
  const Kernel k = lower_body(
      "mov.u64 %rd4, 0;\nmov.u64 %rd2, 0;\nL: mov.u64 %rd1, %rd2;\nmov.u64 %rd2, %rd4;\nmov.u64 "
      "%rd4, %clock64;\n@%p1 bra L;\nret;");
  EXPECT_TRUE(is_in(k.clock_rows, k.code[3].dst[0]));
  EXPECT_TRUE(is_in(k.clock_rows, k.code[2].dst[0])) << "in the next iteration but one";
}

TEST(ClockFlow, ABranchOnTheClockAroundAStoreActs) {
  const Kernel k = lower_body(
      "mov.u64 %rd1, %clock64;\nsetp.lt.s64 %p1, %rd1, 4000;\n@%p1 bra ON;\nst.global.u32 [%rd3], "
      "%r1;\nON: add.s32 %r1, %r1, 1;\nret;");
  EXPECT_TRUE(k.code[2].clock_acts);
  const Kernel exits = lower_body(
      "mov.u64 %rd1, %clock64;\nsetp.lt.s64 %p1, %rd1, 4000;\n@%p1 bra ON;\nret;\nON: add.s32 %r1, "
      "%r1, 1;\nret;");
  EXPECT_TRUE(exits.code[2].clock_acts);
}

TEST(ClockFlow, ALoadFromAnAddressThatDependsOnTheClockActs) {
  const Kernel k = lower_body(
      "mov.u64 %rd1, %clock64;\nand.b64 %rd1, %rd1, 60;\nadd.s64 %rd2, %rd3, %rd1;\nld.global.u32 "
      "%r1, [%rd2];\nst.global.u32 [%rd3], %r2;\nret;");
  EXPECT_TRUE(k.code[3].clock_acts);
  EXPECT_FALSE(k.code[4].clock_acts);
}

TEST(ClockFlow, RegistersThatDependOnTheClockShareNoRows) {
  const Kernel k = lower_body(
      "mov.u32 %r1, %clock;\nadd.u32 %r2, %r1, 1;\nst.global.u32 [%rd3], %r2;\nmov.u32 %r3, "
      "5;\nst.global.u32 [%rd3], %r3;\nret;");
  EXPECT_FALSE(is_in(k.clock_rows, k.code[3].dst[0]));
  EXPECT_TRUE(lower_body("mov.u32 %r3, 5;\nst.global.u32 [%rd3], %r3;\nret;").clock_rows.empty());
}

}  // namespace
}  // namespace heddle::ptx
