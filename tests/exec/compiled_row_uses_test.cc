#include "exec/compiled/row_uses.h"

#include <algorithm>

#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

// Of a kernel of which every instruction with a label `lN:` begins a block.
struct Uses {
  explicit Uses(const std::string& body)
      : module(ptx::Module::parse(test::kernel_text(body), "kernel.ptx")),
        kernel(module.lower("k", {})),
        decoded(decode_kernel(kernel)) {
    std::vector<char> leads(decoded->code.size(), 0);
    leads[0] = 1;
    for (std::size_t pc = 0; pc < decoded->code.size(); ++pc) {
      const DecodedInstruction& r = decoded->code[pc];
      if (r.flow == Flow::plain) continue;
      if (pc + 1 < leads.size()) leads[pc + 1] = 1;
      if (r.flow == Flow::branch) leads[r.instruction->target] = 1;
    }
    uses = std::make_unique<RowUses>(*decoded, leads);
  }
  // The instruction of the body, counted from 0.
  Pc pc(std::size_t n) const {
    const std::string before = test::kernel_text("@");
    const auto line = std::count(before.begin(), before.begin() + before.find('@'), '\n') + 1;
    std::size_t first = 0;
    while (ptx_of(decoded->code[first]).ptx_line <= line) ++first;
    return static_cast<Pc>(first + n);
  }
  Pc after_result(std::size_t n) const { return uses->after(pc(n)).dst[0]; }

  ptx::Module module;
  ptx::Kernel kernel;
  std::shared_ptr<const DecodedKernel> decoded;
  std::unique_ptr<RowUses> uses;
};

TEST(RowUses, AResultIsReadNextInItsBlockOrNever) {
  const Uses u(
      "\nadd.s32 %r10, %r0, 1; add.s32 %r11, %r10, 2; add.s32 %r12, %r10, %r11;\n"
      "st.global.u32 [%x], %r12;");
  EXPECT_EQ(u.after_result(0), u.pc(1));
  EXPECT_EQ(u.uses->after(u.pc(1)).src[0], u.pc(2));
  EXPECT_EQ(u.uses->after(u.pc(2)).src[0], kNeverRead);
  EXPECT_EQ(u.after_result(2), u.pc(3));
}

TEST(RowUses, AResultOfALoopIsReadInAnotherBlock) {
  const Uses u(
      "\nmov.u32 %r10, 9; again: sub.s32 %r10, %r10, 1; mov.u32 %r11, %r10;\n"
      "setp.ne.s32 %p3, %r10, 0; @%p3 bra again; st.global.u32 [%x], %r0;");
  EXPECT_EQ(u.after_result(0), kReadInOtherBlock);
  EXPECT_EQ(u.after_result(1), u.pc(2));
  EXPECT_EQ(u.uses->after(u.pc(3)).src[0], kReadInOtherBlock);
  EXPECT_EQ(u.after_result(2), kNeverRead);
}

// The other lanes keep the earlier value.
TEST(RowUses, AGuardedResultReadsTheRow) {
  const Uses u("\nadd.s32 %r10, %r0, 1; @%p0 add.s32 %r10, %r0, 2; st.global.u32 [%x], %r10;");
  EXPECT_EQ(u.after_result(0), u.pc(1));
}

TEST(RowUses, WhatLanesReadOfEachOtherIsAlwaysLive) {
  const Uses u(
      "\nadd.s32 %r10, %r0, 1; mov.u32 %r10, %r1;\n"
      "shfl.sync.down.b32 %r11, %r10, 1, 31, -1; st.global.u32 [%x], %r11;");
  EXPECT_EQ(u.after_result(0), kReadInOtherBlock);
}

TEST(RowUses, AllRowsOfKernelsThatSpinAreAlwaysLive) {
  const Uses u(
      "\nadd.s32 %r10, %r0, 1; again: ld.volatile.global.u32 %r11, [%y];\n"
      "setp.eq.s32 %p3, %r11, 0; @%p3 bra again; st.global.u32 [%x], %r0;");
  EXPECT_EQ(u.after_result(0), kReadInOtherBlock);
}

}  // namespace
}  // namespace heddle::exec::test
