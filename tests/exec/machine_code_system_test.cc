#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

sass::KernelInstruction special(std::string_view form, std::uint8_t number, std::uint8_t to) {
  sass::KernelInstruction i = plain(form);
  i.code.operands[0].index = to;
  i.code.operands[1].index = number;
  return i;
}

TEST(MachineSystem, S2rReadsTheLane) {
  constexpr std::uint8_t kLane = 0, kLessThan = 57;
  GlobalMemory memory(1 << 20);
  const sass::Kernel kernel =
      machine_kernel({special("S2R", kLane, 1), special("S2R", kLessThan, 2), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.trace();
  EXPECT_EQ(run.reg(1)[9], 9u);
  EXPECT_EQ(run.reg(2)[9], 0x1ffu);
}

TEST(MachineSystem, BmovSavesTheLanesOfAMeeting) {
  GlobalMemory memory(1 << 20);
  sass::KernelInstruction save = plain("BMOV.32");
  save.code.operands[0].index = 3;
  const sass::Kernel kernel = machine_kernel({plain("BSSY"), save, plain("EXIT")});
  MachineRun run(kernel, memory);
  run.trace();
  EXPECT_EQ(run.reg(3)[0], ~0u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
