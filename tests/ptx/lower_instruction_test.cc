#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(LowerInstruction, CodeThatEndsWithoutAReturnGetsOne) {
  const Kernel open = lower_body("mov.u32 %r1, 5;"), closed = lower_body("mov.u32 %r1, 5;\nret;");
  ASSERT_EQ(open.code.size(), closed.code.size());
  const Instruction &added = open.code.back(), &written = closed.code.back();
  EXPECT_EQ(added.opcode, Opcode::ret);
  EXPECT_EQ(added.op_class, written.op_class);
  EXPECT_EQ(added.ptx_line, open.code.front().ptx_line);
  EXPECT_EQ(written.ptx_line, added.ptx_line + 1);
}

// A jump to the end, and a return of some lanes.
TEST(LowerInstruction, CodeThatMayPassItsLastInstructionGetsAReturn) {
  for (const char* body : {"setp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\nret;\nEND:",
                           "setp.eq.u32 %p1, %r1, 0;\n@%p1 ret;"}) {
    const Kernel kernel = lower_body(body);
    EXPECT_EQ(kernel.code.back().opcode, Opcode::ret) << body;
    EXPECT_FALSE(kernel.code.back().guard) << body;
  }
}

}  // namespace
}  // namespace heddle::ptx
