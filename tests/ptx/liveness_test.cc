#include <gtest/gtest.h>

#include <map>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(Liveness, CountsTheRegistersThatAreLiveTogether) {
  EXPECT_EQ(lower_body("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nadd.s32 %r3, %r1, %r2;\nst.global.u32 "
                       "[4096], %r3;\nret;")
                .registers_per_thread,
            2u);
  EXPECT_EQ(lower_body("ret;").registers_per_thread, 1u);
}

TEST(Liveness, A64BitRegisterCountsTwiceAndAPredicateIsFree) {
  EXPECT_EQ(
      lower_body(
          "mov.u64 %rd1, 1;\nsetp.eq.s64 %p1, %rd1, 0;\n@%p1 st.global.u64 [%rd1], %rd1;\nret;")
          .registers_per_thread,
      2u);
}

TEST(Liveness, RegistersWithDisjointLiveRangesShareARow) {
  const Kernel k = lower_body(
      "mov.u32 %r1, 1;\nst.global.u32 [4096], %r1;\nmov.u32 %r2, 2;\nst.global.u32 [4096], "
      "%r2;\nret;");
  EXPECT_EQ(k.code[0].dst[0].row, k.code[2].dst[0].row);
  EXPECT_NE(k.code[0].dst[0].reg, k.code[2].dst[0].reg);
  EXPECT_EQ(k.register_rows, 1u);
}

TEST(Liveness, AValueCarriedAroundALoopKeepsItsRow) {
  const Kernel k = lower_body(
      "mov.u32 %r1, 1;\nL: mov.u32 %r2, 2;\nst.global.u32 [4096], %r2;\nst.global.u32 [4096], "
      "%r1;\nmov.u32 %r3, 3;\n"
      "st.global.u32 [4096], %r3;\n@%p1 bra L;\nret;");
  EXPECT_NE(k.code[0].dst[0].row, k.code[1].dst[0].row);
  EXPECT_NE(k.code[0].dst[0].row, k.code[4].dst[0].row);
  EXPECT_EQ(k.code[1].dst[0].row, k.code[4].dst[0].row);
}

TEST(Liveness, AGuardedWriteKeepsTheOldValueAlive) {
  const Kernel k = lower_body(
      "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nst.global.u32 [4096], %r2;\n@%p1 mov.u32 %r1, "
      "3;\nst.global.u32 [4096], %r1;\nret;");
  EXPECT_NE(k.code[0].dst[0].row, k.code[1].dst[0].row);
}

TEST(Liveness, TheResultOfAnAtomicSharesNoRow) {
  const Kernel k = lower_body(
      "atom.global.add.u32 %r1, [4096], 1;\nmov.u32 %r2, 2;\nst.global.u32 [4096], %r2;\nmov.u32 "
      "%r3, 2;\nst.global.u32 [4096], %r3;\nret;");
  EXPECT_NE(k.code[0].dst[0].row, k.code[1].dst[0].row);
  EXPECT_EQ(k.code[1].dst[0].row, k.code[3].dst[0].row);
}

TEST(Liveness, AnInstructionsSourceAndResultNeverOverlap) {
  const Kernel k = lower_text(program("sgemm"), "sgemm");
  for (const Instruction& i : k.code) {
    for (const Operand& s : i.src) {
      if (s.kind != Operand::Kind::reg || i.dst[0].kind != Operand::Kind::reg ||
          s.reg == i.dst[0].reg)
        continue;
      const int source_end = s.row + (s.bytes == 8),
                result_end = i.dst[0].row + (i.dst[0].bytes == 8);
      EXPECT_TRUE(source_end < i.dst[0].row || result_end < s.row) << "line " << i.ptx_line;
    }
  }
}

// Executes one thread along random paths and records which register wrote each row last: every read
// must find the value of its own register.
TEST(Liveness, NoPathReadsTheValueOfAnotherRegister) {
  for (const char* name : {"reduce", "sgemm", "spmv", "vecadd"}) {
    const Kernel k = lower_text(program(name), name);
    std::uint32_t random = 1;
    for (int run = 0; run < 50; ++run) {
      std::map<int, int> owner;
      for (Pc pc = 0, steps = 0; pc < k.code.size() && steps < 2000; ++steps) {
        const Instruction& i = k.code[pc];
        for (const Operand& s : i.src) {
          if (s.kind != Operand::Kind::reg || s.reg == Operand::kNoReg) continue;
          for (int row = s.row; row <= s.row + (s.bytes == 8); ++row)
            ASSERT_EQ(owner[row], s.reg) << name << " line " << i.ptx_line;
        }
        for (const Operand& d : i.dst) {
          if (d.kind != Operand::Kind::reg) continue;
          for (int row = d.row; row <= d.row + (d.bytes == 8); ++row) owner[row] = d.reg;
        }
        random = random * 1664525u + 1013904223u;
        if (i.opcode == Opcode::ret) break;
        pc = i.opcode == Opcode::bra && (!i.guard || random >> 31) ? i.target : pc + 1;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::ptx
