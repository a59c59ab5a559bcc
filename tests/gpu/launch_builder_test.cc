#include "gpu/launch_builder.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

config::RunSpec run_spec() {
  config::RunSpec spec;
  spec.gpu.clusters = 4;
  spec.gpu.sm.registers = 32768;
  spec.gpu.sm.max_threads = 1536;
  spec.gpu.sm.max_ctas = 8;
  spec.gpu.sm.shared_bytes = 49152;
  return spec;
}

// template <class T> void ns::scale(T) with T = float
constexpr const char* kScale = "_ZN2ns5scaleIfEEvT_";

isa::Kernel kernel_with(std::uint32_t live_registers) {
  isa::Kernel kernel;
  kernel.name = kScale;
  kernel.registers_per_thread = live_registers;
  return kernel;
}

LaunchRequest request_of(const isa::Kernel& kernel, std::uint32_t threads) {
  LaunchRequest request;
  request.kernel = &kernel;
  request.grid = {1000, 1, 1};
  request.block = {threads, 1, 1};
  return request;
}

std::uint32_t registers_with(const std::map<std::string, std::uint32_t>& overrides) {
  config::RunSpec spec = run_spec();
  spec.registers.insert(overrides.begin(), overrides.end());
  return LaunchBuilder(spec).registers_per_thread(kernel_with(20));
}

TEST(LaunchBuilder, FindsRegisterOverridesByEveryNameOfAKernel) {
  for (const char* name :
       {kScale, "void ns::scale<float>(float)", "ns::scale<float>", "ns::scale", "scale"})
    EXPECT_EQ(registers_with({{name, 33}}), 33u) << name;
  EXPECT_EQ(registers_with({{"other", 33}}), 20u);
}

// Figures of published runs depend on this order.
TEST(LaunchBuilder, PrefersTheOverrideWithoutTemplateArguments) {
  EXPECT_EQ(registers_with({{kScale, 40}, {"ns::scale", 30}}), 40u);
  EXPECT_EQ(registers_with({{"ns::scale<float>", 40}, {"ns::scale", 30}}), 30u);
  EXPECT_EQ(registers_with({{"ns::scale<float>", 40}, {"scale", 30}}), 40u);
}

TEST(LaunchBuilder, LiveRegistersAreSpilledUntilACtaFits) {
  const config::RunSpec spec = run_spec();
  const isa::Kernel kernel = kernel_with(134);
  const LaunchResources used = LaunchBuilder(spec).resources(request_of(kernel, 256));
  EXPECT_EQ(used.registers_per_thread, 128u);  // 32768 / 256
  EXPECT_EQ(used.occupancy.ctas, 1);
}

// The table of %total_smem_size in the PTX manual.
TEST(LaunchBuilder, SharedMemoryIsAllocatedInUnitsOfTheComputeCapability) {
  const isa::Kernel kernel = kernel_with(20);
  const auto unit = [&](std::uint32_t major) {
    config::RunSpec spec = run_spec();
    spec.gpu.compute_major = major;
    return LaunchBuilder(spec).build(request_of(kernel, 32), {}).shared_unit_bytes;
  };
  EXPECT_EQ(unit(2), 128u);
  EXPECT_EQ(unit(3), 256u);
  EXPECT_EQ(unit(7), 256u);
  EXPECT_EQ(unit(8), 128u);
  EXPECT_EQ(unit(9), 128u);
}

TEST(LaunchBuilder, GivenRegistersAreNeverSpilled) {
  config::RunSpec spec = run_spec();
  spec.registers["scale"] = 134;
  const LaunchBuilder builder(spec);
  const isa::Kernel kernel = kernel_with(20);
  const LaunchRequest request = request_of(kernel, 256);
  const LaunchResources used = builder.resources(request);
  EXPECT_EQ(used.registers_per_thread, 134u);
  EXPECT_FALSE(used.fits());
  EXPECT_EQ(builder.exceeded_limit(request, used),
            "134 registers per thread x 256 threads, the SM has 32768 registers");
}

TEST(LaunchBuilder, RegistersOfAKernelWithMaxntidLetItsLargestCtaFit) {
  const config::RunSpec spec = run_spec();
  isa::Kernel kernel = kernel_with(70);
  kernel.max_threads = 1000;  // 32 warps: 32768 / 1024 registers per thread
  EXPECT_EQ(LaunchBuilder(spec).registers_per_thread(kernel), 32u);
  EXPECT_EQ(LaunchBuilder(spec).resources(request_of(kernel, 64)).registers_per_thread, 32u);
  kernel.max_threads = 128;
  EXPECT_EQ(LaunchBuilder(spec).registers_per_thread(kernel), 70u);
}

TEST(LaunchBuilder, NamesTheLimitThatACtaExceeds) {
  const config::RunSpec spec = run_spec();
  const LaunchBuilder builder(spec);
  const isa::Kernel kernel = kernel_with(8);
  LaunchRequest request = request_of(kernel, 2048);
  EXPECT_EQ(builder.exceeded_limit(request, builder.resources(request)),
            "2048 threads per CTA, the SM holds 1536");
  request = request_of(kernel, 64);
  request.dynamic_shared_bytes = 65536;
  EXPECT_EQ(builder.exceeded_limit(request, builder.resources(request)),
            "65536 bytes of shared memory per CTA, the SM has 49152");
}

TEST(LaunchBuilder, SetsEveryFieldOfALaunch) {
  const config::RunSpec spec = run_spec();
  const isa::Kernel kernel = kernel_with(8);
  LaunchRequest request = request_of(kernel, 64);
  request.dynamic_shared_bytes = 256;
  request.parameters = {1, 2, 3};
  const exec::TextureTable textures;
  exec::DeviceServices services;
  const exec::Launch launch =
      LaunchBuilder(spec).build(request, {7, 0x1000, &textures, &services, 2048, 4096, {}});
  EXPECT_EQ(launch.kernel, &kernel);
  EXPECT_EQ(launch.grid.x, 1000u);
  EXPECT_EQ(launch.block.x, 64u);
  EXPECT_EQ(launch.dynamic_shared_bytes, 256u);
  EXPECT_EQ(launch.parameters, request.parameters);
  EXPECT_EQ(launch.grid_id, 7u);
  EXPECT_EQ(launch.grid_workspace, 0x1000u);
  EXPECT_EQ(launch.textures, &textures);
  EXPECT_EQ(launch.services, &services);
  EXPECT_EQ(launch.stack_bytes, 2048u);
  EXPECT_EQ(launch.heap_bytes, 4096u);
}

}  // namespace
}  // namespace heddle::gpu
