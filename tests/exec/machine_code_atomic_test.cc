#include "tests/exec/machine_code_kernel.h"

#include <array>
#include <cstring>

namespace heddle::exec::machine_test {
namespace {

// The instruction, with these registers as its operands, and an EXIT.
sass::Kernel atomic_kernel(const MachineCode& form, const std::array<std::uint8_t, 4>& registers) {
  sass::KernelInstruction atomic = plain("EXIT");
  atomic.code = form.instruction;
  atomic.code.guard = {};
  for (std::size_t k = 0; k < registers.size(); ++k) atomic.code.operands[k].index = registers[k];
  return machine_kernel({atomic, plain("EXIT")});
}

// ATOMG.E.ADD of 64 bits: the operand and the old value are pairs of registers.
TEST(MachineAtomic, SixtyFourBitsArePairsOfRegisters) {
  GlobalMemory memory(1 << 20);
  const Address counter = memory.allocate(8, "counter");
  MachineCode form("ATOMG", 0x3a8);
  form.flag("E").set(sass::AtomicType::n64);
  const sass::Kernel kernel = atomic_kernel(form, {sass::kTruePredicate, 8, 2, 4});
  MachineRun run(kernel, memory);
  for (std::size_t l = 0; l < 32; ++l) {
    run.reg(2)[l] = static_cast<std::uint32_t>(counter.value);
    run.reg(3)[l] = static_cast<std::uint32_t>(counter.value >> 32);
    run.reg(4)[l] = 0, run.reg(5)[l] = 1;  // 2^32
  }
  const Step step = run.step();
  run.source().perform_atomic(step.atomic, LaneMask{~0u});
  std::uint64_t value = 0;
  std::memcpy(&value, memory.host(counter), 8);
  EXPECT_EQ(value, std::uint64_t{32} << 32);
  EXPECT_EQ(run.reg(8)[5], 0u);
  EXPECT_EQ(run.reg(9)[5], 5u);  // lanes act in order
}

// ATOMS.CAST.64 [RZ], R4, R6 into R8: memory holds 0.
TEST(MachineAtomic, ACompareAndTestOfPairsWritesAPair) {
  GlobalMemory memory(1 << 20);
  MachineCode form("ATOMS.CAST", 0x38d);
  form.set(sass::CasWidth::n64);
  sass::Kernel kernel = atomic_kernel(form, {8, sass::kZeroRegister, 4, 6});
  kernel.shared_bytes = 256;
  MachineRun run(kernel, memory);
  for (std::size_t l = 0; l < 32; ++l) {
    run.reg(4)[l] = run.reg(5)[l] = 0;
    run.reg(6)[l] = 1, run.reg(7)[l] = 2;
    run.reg(8)[l] = run.reg(9)[l] = 7;
  }
  run.step();
  EXPECT_EQ(run.reg(8)[0], 1u);  // the first lane has swapped
  EXPECT_EQ(run.reg(8)[1], 0u);
  EXPECT_EQ(run.reg(9)[0], 0u);
  EXPECT_EQ(run.reg(9)[1], 0u);
}

// ATOMG.E.ADD.F32x2: a register for each number.
TEST(MachineAtomic, TheNumbersOfAVectorAreInRegistersOfTheirOwn) {
  GlobalMemory memory(1 << 20);
  const Address pair = memory.allocate(8, "pair");
  MachineCode form("ATOMG.E", 0x19a3);
  form.set(sass::AtomicFloat::F32x2_FTZ_RN);
  const sass::Kernel kernel = atomic_kernel(form, {sass::kTruePredicate, 8, 2, 4});
  MachineRun run(kernel, memory);
  const auto number = [&](int reg) { return reinterpret_cast<float*>(run.reg(reg)); };
  for (std::size_t l = 0; l < 32; ++l) {
    run.reg(2)[l] = static_cast<std::uint32_t>(pair.value);
    run.reg(3)[l] = static_cast<std::uint32_t>(pair.value >> 32);
    number(4)[l] = 1, number(5)[l] = 0.5;
  }
  const Step step = run.step();
  run.source().perform_atomic(step.atomic, LaneMask{~0u});
  std::array<float, 2> sums{};
  std::memcpy(sums.data(), memory.host(pair), sizeof sums);
  EXPECT_EQ(sums[0], 32);
  EXPECT_EQ(sums[1], 16);
  EXPECT_EQ(number(8)[5], 5);  // lanes act in order
  EXPECT_EQ(number(9)[5], 2.5);
}

}  // namespace
}  // namespace heddle::exec::machine_test
