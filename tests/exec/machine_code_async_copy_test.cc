#include <cstring>

#include "sass/decode.h"
#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

// LDGSTS.E.BYPASS.LTC128B.128.ZFILL [R7+0x20], [R4.64], !P0: ptxas adds 16 - src-size to the
// address, which is a multiple of 16.
TEST(MachineAsyncCopy, TheLastBitsOfTheAddressAreTheBytesThatAreFilled) {
  GlobalMemory memory(1 << 20);
  const Address from = memory.allocate(256, "from");
  std::memset(memory.host(from), 7, 256);
  sass::KernelInstruction copy = plain("EXIT");
  copy.code =
      std::get<sass::Instruction>(sass::decode({0x0002000004077fae, 0x000fe8000c141d44}, 80, 0));
  sass::Kernel kernel = machine_kernel({copy, plain("EXIT")});
  kernel.shared_bytes = 1024;
  MachineRun run(kernel, memory);
  auto& shared = run.warp().cta->shared;
  std::memset(shared.data(), 1, 1024);
  for (std::uint32_t l = 0; l < 32; ++l) {
    run.reg(4)[l] = static_cast<std::uint32_t>(from.value) + (l == 0 ? 10 : 0);
    run.reg(5)[l] = static_cast<std::uint32_t>(from.value >> 32);
    run.reg(7)[l] = 16 * l;
  }
  run.predicate(0) = 0b100;
  run.step();
  EXPECT_EQ(shared[0x20 + 5], 7);
  EXPECT_EQ(shared[0x20 + 6], 0);
  EXPECT_EQ(shared[0x30 + 15], 7);
  EXPECT_EQ(shared[0x40], 0);
}

// LDGSTS.E.BYPASS.LTC128B.128 [R9+UR0+0x4000], [R94.64] with a cache policy: UR0 is added to the
// address in shared memory, UR1 is the upper half of the policy.
sass::KernelInstruction copy_with_policy() {
  sass::KernelInstruction copy = plain("EXIT");
  copy.code =
      std::get<sass::Instruction>(sass::decode({0x040000005e097dae, 0x0003e8000b901d40}, 90, 0));
  return copy;
}

TEST(MachineAsyncCopy, AUniformRegisterIsAddedToTheAddressInSharedMemoryNotToTheOther) {
  GlobalMemory memory(1 << 20);
  const Address from = memory.allocate(512, "from");
  for (std::uint8_t byte = 0; byte < 32; ++byte)
    std::memset(memory.host(from) + 16 * byte, byte, 16);
  sass::KernelInstruction offset = plain("EXIT");  // UMOV UR0, 0x200
  offset.code =
      std::get<sass::Instruction>(sass::decode({0x0000020000007882, 0x000fe20000000000}, 90, 0));
  sass::KernelInstruction copy = copy_with_policy();
  copy.code.operands[0].value = -0x80;
  sass::Kernel kernel = machine_kernel({offset, copy, plain("EXIT")});
  kernel.shared_bytes = 1024;
  MachineRun run(kernel, memory);
  auto& shared = run.warp().cta->shared;
  std::memset(shared.data(), 99, 1024);
  for (std::uint32_t l = 0; l < 32; ++l) {
    run.reg(94)[l] = static_cast<std::uint32_t>(from.value) + 16 * l;
    run.reg(95)[l] = static_cast<std::uint32_t>(from.value >> 32);
    run.reg(9)[l] = 16 * l;
  }
  run.step();
  run.step();
  EXPECT_EQ(shared[0x200 - 0x80 + 16 * 31], 31);
  EXPECT_EQ(shared[0x200 - 0x80 + 16], 1);
}

// What ptxas makes of the grouped kernels of Marlin on sm_90, which stop on a card, too.
TEST(MachineAsyncCopy, AUniformRegisterOfTheAddressThatNothingWritesIsRefused) {
  GlobalMemory memory(1 << 20);
  sass::Kernel kernel = machine_kernel({copy_with_policy(), plain("EXIT")});
  kernel.shared_bytes = 1024;
  MachineRun run(kernel, memory);
  try {
    run.step();
    FAIL() << "it was executed";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("[R9+UR0+0x4000]"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("no instruction of the kernel writes"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::exec::machine_test
