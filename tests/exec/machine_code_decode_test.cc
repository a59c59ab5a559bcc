#include "exec/machine_code/decode.h"

#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

TEST(MachineDecode, ZeroRegistersAreRowsOfZerosAndRowsThatNobodyReads) {
  MachineCode form("IADD3", 0x210);
  sass::KernelInstruction add = plain("IADD3");
  add.code.form = form.instruction.form;
  add.code.operands[3].index = 4;  // Rd, Pu, Pv, Ra
  const sass::Kernel kernel = machine_kernel({add, plain("EXIT")});
  const auto decoded = decode_machine_code(kernel);
  const DecodedInstruction& r = decoded->code[0];
  EXPECT_GE(r.dst[0], decoded->register_rows * 128);  // RZ
  EXPECT_EQ(r.src[0].base, 0);
  EXPECT_EQ(r.src[0].offset, 4u * 128);
  EXPECT_EQ(r.src[1].base, 1);
  EXPECT_EQ(r.src[1].offset, 0u);
}

TEST(MachineDecode, WordsOfBankZeroAreFilledByTheLaunch) {
  sass::KernelInstruction move = plain("MOV");
  move.code.form = MachineCode("MOV", 0xa02).instruction.form;
  move.code.operands[1].kind = sass::OperandKind::constant;
  move.code.operands[1].value = 0x4;  // blockDim.y
  move.code.operands[0].index = 1;
  const sass::Kernel kernel = machine_kernel({move, plain("EXIT")});
  GlobalMemory memory(1 << 20);
  ASSERT_EQ(decode_machine_code(kernel)->launch_words.size(), 1u);
  MachineRun run(kernel, memory);
  run.step();
  EXPECT_EQ(run.reg(1)[0], 1u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
