#include "exec/machine_code/launch_bank.h"

#include <array>
#include <cstring>

#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

TEST(LaunchBank, HasTheShapeOfTheLaunchWhereSm90ReadsIt) {
  GlobalMemory memory(1 << 20);
  sass::Kernel kernel = machine_kernel({plain("EXIT")});
  kernel.architecture = 90;
  kernel.parameter_base = 0x210;
  MachineRun run(kernel, memory, {7, 0, 0, 0});
  const std::vector<std::uint8_t> bank = launch_bank(*run.warp().machine);
  const auto three = [&]<class T>(std::size_t at, T) {
    std::array<T, 3> values{};
    std::memcpy(values.data(), bank.data() + at, sizeof values);
    return values;
  };
  EXPECT_EQ(three(0x0, 0u), (std::array{32u, 1u, 1u}));           // the block
  EXPECT_EQ(three(0xc, 0u), (std::array{1u, 1u, 1u}));            // the grid
  EXPECT_EQ(three(0x144, 0u), (std::array{1u, 1u, 1u}));          // the cluster
  EXPECT_EQ(three(0x150, 0.0f), (std::array{1.0f, 1.0f, 1.0f}));  // one over each
  EXPECT_EQ(bank.at(0x210), 7u);
}

TEST(LaunchBank, HoldsHandlesOfReferencesBeforeAndBeyondTheParameters) {
  GlobalMemory memory(1 << 20);
  sass::Kernel kernel = machine_kernel({plain("EXIT")});
  kernel.handles = {{0x164, 5}, {0x404, 9}};
  MachineRun run(kernel, memory, {7, 0, 0, 0});
  const std::vector<std::uint8_t> bank = launch_bank(*run.warp().machine);
  EXPECT_EQ(bank.size(), 0x410u);  // whole groups of 16 bytes
  EXPECT_EQ(bank.at(0x160), 7u);
  EXPECT_EQ(bank.at(0x164), 5u);
  EXPECT_EQ(bank.at(0x404), 9u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
