
#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

constexpr std::uint16_t kOne = 0x3c00;  // of halves
constexpr int kSums = 8, kDepth = 16;

// HGMMA.64x8x16.F32 with sums in R8 to R11, of matrices whose elements are all 1.
sass::KernelInstruction product(std::string_view ending, bool adds) {
  sass::KernelInstruction i = plain("HGMMA");
  for (const sass::EncodingForm& form : sass::all_forms())
    if (form.name == "HGMMA" && form.code == 0x19f0 && form.operands.back().text == ending)
      i.code.form = &form;
  i.code.operands = plain("HGMMA").code.operands;
  i.code.operands[0].index = kSums;
  if (adds) i.code.operands[2].index = kSums;
  i.code.modifiers[1] = static_cast<std::uint8_t>(sass::HalfAccumulator::F32);
  return i;
}

struct GroupRun {
  GlobalMemory memory{1 << 20};
  sass::Kernel kernel;
  Launch launch;
  std::unique_ptr<InstructionSource> source;
  explicit GroupRun(std::vector<sass::KernelInstruction> code)
      : kernel(machine_kernel(std::move(code))) {
    kernel.shared_bytes = 4096;
    launch.kernel = &kernel;
    launch.grid = {1, 1, 1};
    launch.block = {128, 1, 1};
    source = make_live_source(launch, memory, {}, 1);
    const std::array slots{WarpSlot{0}, WarpSlot{1}, WarpSlot{2}, WarpSlot{3}};
    source->start_cta(0, 0, slots);
    auto& shared = source->warps()->warp(0).cta->shared;
    for (std::size_t n = 0; n + 1 < shared.size(); n += 2)
      std::memcpy(shared.data() + n, &kOne, sizeof kOne);
  }
  Step step(int warp) {
    Step step;
    source->step(WarpSlot{warp}, Cycle{0}, step);
    return step;
  }
  float sum(int warp, int number, int lane) {
    const auto* row = source->warps()->warp(warp).bases[0] + 128 * (kSums + number);
    return reinterpret_cast<const float*>(row)[lane];
  }
};

TEST(MachineWarpgroup, AProductIsAddedToItsSumsOrReplacesThem) {
  GroupRun run({product("gsb0", false), product("gsb0", true), plain("EXIT")});
  for (int n = 1; n <= 2; ++n) {
    run.step(0);
    for (int number = 0; number < 4; ++number)
      for (int lane = 0; lane < 32; ++lane) ASSERT_EQ(run.sum(0, number, lane), n * kDepth);
  }
}

TEST(MachineWarpgroup, TheWarpsMeetAtTheEndOfAGroupOnly) {
  GroupRun run({product("", false), product("gsb0", true), plain("EXIT")});
  EXPECT_EQ(run.step(2).barrier_id, 0u);
  const Step last = run.step(2);
  EXPECT_TRUE(last.waits_at_barrier);
  EXPECT_EQ(last.barrier_id, isa::kWarpgroupBarrier);
  EXPECT_EQ(last.barrier_threads, 128u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
