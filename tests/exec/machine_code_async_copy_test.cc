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

}  // namespace
}  // namespace heddle::exec::machine_test
