#include "tests/exec/machine_code_kernel.h"

#include <cstring>

namespace heddle::exec::machine_test {
namespace {

class MachineMemory : public testing::Test {
 protected:
  GlobalMemory memory{1 << 20};
  Address block = memory.allocate(4096, "block");
  // Lane l's address is that of its element of `bytes`.
  void point(MachineRun& run, int reg, std::uint64_t bytes) const {
    for (std::size_t l = 0; l < 32; ++l) {
      const std::uint64_t address = block.value + l * bytes;
      run.reg(reg)[l] = static_cast<std::uint32_t>(address);
      run.reg(reg + 1)[l] = static_cast<std::uint32_t>(address >> 32);
    }
  }
};

// LDG.E [R2.64 + offset] into R8, STG.E of R8 to [R4.64].
std::vector<sass::KernelInstruction> copy_code(sass::Width width) {
  MachineCode load("LDG", 0x381, sass::ModifierKind::Width), store("STG", 0x386);
  for (MachineCode* code : {&load, &store}) code->flag("E").set(width);
  sass::KernelInstruction l = plain("LDG"), s = plain("STG");
  l.code.modifiers = load.instruction.modifiers, s.code.modifiers = store.instruction.modifiers;
  l.code.form = load.instruction.form, s.code.form = store.instruction.form;
  l.code.operands[1].index = 8, l.code.operands[2].index = 2;
  s.code.operands[0].index = 4, s.code.operands[1].index = 8;
  return {l, s, plain("EXIT")};
}

TEST_F(MachineMemory, AnAccessOf128BitsUsesFourRegisters) {
  for (std::uint32_t n = 0; n < 128; ++n) std::memcpy(memory.host(block) + 4 * n, &n, 4);
  const sass::Kernel kernel = machine_kernel(copy_code(sass::Width::n128));
  MachineRun run(kernel, memory);
  point(run, 2, 16);
  point(run, 4, 16);
  const Step step = run.step();
  EXPECT_EQ(step.space, isa::Space::global);
  EXPECT_EQ(step.addresses[3], block.value + 48);
  for (std::uint32_t v = 0; v < 4; ++v) EXPECT_EQ(run.reg(8 + static_cast<int>(v))[5], 20 + v);
}

TEST_F(MachineMemory, ASignedByteIsExtended) {
  memory.host(block)[7] = 0x80;
  const sass::Kernel kernel = machine_kernel(copy_code(sass::Width::S8));
  MachineRun run(kernel, memory);
  point(run, 2, 1);
  run.step();
  EXPECT_EQ(run.reg(8)[7], 0xffffff80u);
  EXPECT_EQ(run.reg(8)[6], 0u);
}

TEST_F(MachineMemory, AnAddressOutsideOfAllAllocationsIsAFault) {
  const sass::Kernel kernel = machine_kernel(copy_code(sass::Width::n32_));
  MachineRun run(kernel, memory);
  EXPECT_THROW(run.step(), KernelFault);
}

TEST_F(MachineMemory, SharedAddressesAreScaled) {
  sass::KernelInstruction load = plain("LDS");
  MachineCode form("LDS", 0x984);
  form.set(sass::Width::n32_).set(sass::Stride::X4);
  load.code = form.instruction;
  load.code.operands[0].index = 8, load.code.operands[1].index = 2;
  sass::Kernel kernel = machine_kernel({load, plain("EXIT")});
  kernel.shared_bytes = 256;
  MachineRun run(kernel, memory);
  for (std::uint32_t l = 0; l < 32; ++l) run.reg(2)[l] = l;
  std::uint32_t value = 77;
  std::memcpy(run.warp().cta->shared.data() + 12, &value, 4);
  const Step step = run.step();
  EXPECT_EQ(run.reg(8)[3], 77u);
  EXPECT_EQ(step.addresses[3], 12u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
