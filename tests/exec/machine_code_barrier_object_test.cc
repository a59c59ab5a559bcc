#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

constexpr std::uint32_t kThreads = 32, kNone = (1u << 20) - kThreads;

sass::KernelInstruction check(int result, int state) {
  sass::KernelInstruction i = plain("SYNCS.PHASECHK.TRANS64");
  i.code.operands[0].index = static_cast<std::uint8_t>(result);
  i.code.operands[2].index = static_cast<std::uint8_t>(state);
  return i;
}

// ptxas computes what SYNCS.EXCH.64 writes, and gives the upper half of a state to PHASECHK.
TEST(MachineBarrierObject, APhaseIsOverWhenAllHaveArrived) {
  sass::KernelInstruction init = plain("SYNCS.EXCH.64"), arrive = plain("SYNCS.ARRIVE.TRANS64");
  init.code.operands[2].index = 2;
  arrive.code.modifiers =
      MachineCode("SYNCS.ARRIVE.TRANS64").set(sass::ArrivalCounts::A1T0).instruction.modifiers;
  arrive.code.operands[0].index = 4;
  GlobalMemory memory(1 << 20);
  sass::Kernel kernel = machine_kernel({init, check(0, 6), arrive, check(1, 6), plain("EXIT")});
  kernel.shared_bytes = 256;
  MachineRun run(kernel, memory);
  for (std::size_t l = 0; l < 32; ++l) {
    run.reg(static_cast<int>(kernel.registers) + 2)[l] = kNone << 1;
    run.reg(static_cast<int>(kernel.registers) + 3)[l] = kNone << 11;
    run.reg(6)[l] = 0;  // the parity of the first phase, in bit 31
  }
  for (int n = 0; n < 4; ++n) run.step();
  EXPECT_EQ(run.predicate(0), 0u);
  EXPECT_EQ(run.predicate(1), ~0u);
  EXPECT_EQ(run.reg(5)[0], kNone << 11);
  EXPECT_EQ(run.reg(5)[7], (kNone + 7) << 11);
}

}  // namespace
}  // namespace heddle::exec::machine_test
