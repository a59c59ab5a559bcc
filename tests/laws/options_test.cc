// Options of the machine that follow GPGPU-Sim: packed code, and copies that fill the L2.
#include <gtest/gtest.h>

#include "config/config.h"
#include "tests/laws/device_bench.h"

namespace heddle::laws {
namespace {

// Two kernels of one instruction each, and one that reads 128 bytes.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry one() { ret; }
.visible .entry two() { ret; }
.visible .entry read(.param .u64 at)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [at];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

config::RunSpec spec_with(std::vector<std::string> settings) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480", settings);
  return spec;
}

std::uint64_t code_misses(const char* placement) {
  DeviceBench bench(spec_with({"clusters=1", placement}));
  const ptx::Module module = ptx::Module::parse(kPtx, "options.ptx");
  const ptx::Kernel kernels[] = {module.lower("one", {}), module.lower("two", {})};
  std::uint64_t misses = 0;
  for (const ptx::Kernel& kernel : kernels) {
    gpu::LaunchRequest launch;
    launch.kernel = &kernel;
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    bench.device.run(launch);
    misses += bench.device.results().back().sm.instruction.misses;
  }
  return misses;
}

}  // namespace

TEST(MachineOptions, PackedKernelsShareAnInstructionLine) {
  EXPECT_EQ(code_misses("sm.code_placement=aligned"), 2u);
  EXPECT_EQ(code_misses("sm.code_placement=packed"), 1u);
}

TEST(MachineOptions, AWarpWhoseFetchMissedMayFetchAgain) {
  const auto fetches = [](const char* setting) {
    DeviceBench bench(spec_with({"clusters=1", setting}));
    bench.run(kPtx, "one", {1, 1, 1}, {32, 1, 1});
    return bench.device.results().back().sm.instruction;
  };
  const mem::CacheStats once = fetches("sm.fetch_again_after_miss=false");
  const mem::CacheStats again = fetches("sm.fetch_again_after_miss=true");
  EXPECT_EQ(once.misses, 1u);
  EXPECT_EQ(again.misses, 1u);
  EXPECT_EQ(again.hits, once.hits + 1);  // the fetch after the line has arrived
}

TEST(MachineOptions, TheL2MayBeEmptiedAtAKernelsEnd) {
  for (const bool flushes : {false, true}) {
    DeviceBench bench(spec_with(
        {flushes ? "memory.flush_l2_at_kernel_end=true" : "memory.flush_l2_at_kernel_end=false",
         "sm.perfect_instruction_cache=true", "sm.perfect_constant_cache=true"}));
    const std::uint64_t at = bench.zeros<std::uint32_t>(32);
    bench.run(kPtx, "read", {1, 1, 1}, {32, 1, 1}, at);
    bench.run(kPtx, "read", {1, 1, 1}, {32, 1, 1}, at);
    EXPECT_EQ(bench.device.results().back().memory.l2.misses, flushes ? 4u : 0u);
  }
}

TEST(MachineOptions, ACopyFromTheDeviceFillsTheL2OnRequest) {
  for (const bool fills : {false, true}) {
    DeviceBench bench(
        spec_with({fills ? "memory.memcpy_from_device_fills_l2=true"
                         : "memory.memcpy_from_device_fills_l2=false",
                   "sm.perfect_instruction_cache=true", "sm.perfect_constant_cache=true"}));
    const std::uint64_t at = bench.zeros<std::uint32_t>(32);
    bench.run(kPtx, "one", {1, 1, 1}, {32, 1, 1});    // from now on there is a timing model
    bench.device.copied_to_device(Address{at}, 128);  // memory.memcpy_fills_l2 is off
    bench.device.copied_from_device(Address{at}, 128);
    bench.run(kPtx, "read", {1, 1, 1}, {32, 1, 1}, at);
    EXPECT_EQ(bench.device.results().back().memory.l2.misses, fills ? 0u : 4u);
  }
}

// GPGPU-Sim's cudaMemcpyToSymbol and cudaMemcpyFromSymbol write and read the values alone.
TEST(MachineOptions, ACopyOfAVariableDoesNotFillTheL2) {
  for (const bool variable : {false, true}) {
    for (const bool to_device : {false, true}) {
      DeviceBench bench(
          spec_with({"memory.memcpy_fills_l2=true", "memory.memcpy_from_device_fills_l2=true",
                     "sm.perfect_instruction_cache=true", "sm.perfect_constant_cache=true"}));
      exec::GlobalMemory& memory = bench.device.memory();
      const Address at =
          variable ? memory.allocate_variable(128, "variable v") : memory.allocate(128, "block");
      bench.run(kPtx, "one", {1, 1, 1}, {32, 1, 1});
      if (to_device)
        bench.device.copied_to_device(at, 128);
      else
        bench.device.copied_from_device(at, 128);
      bench.run(kPtx, "read", {1, 1, 1}, {32, 1, 1}, at.value);
      EXPECT_EQ(bench.device.results().back().memory.l2.misses, variable ? 4u : 0u);
    }
  }
}

}  // namespace heddle::laws
