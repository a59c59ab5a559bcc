// Several programs on one device: each has an address space of its own. What a program computes
// depends on no other program, and a program that is alone behaves as on a device of its own.
#include <gtest/gtest.h>

#include "config/config.h"
#include "exec/state/launch.h"
#include "gpu/results_json.h"
#include "tests/error_message.h"
#include "tests/laws/device_bench.h"

namespace heddle::laws {
namespace {

const std::vector<gpu::DeviceProgram> kTwo{{"first"}, {"second"}};

constexpr const char* kAdd = R"(
.visible .entry count(.param .u64 sum, .param .u32 amount)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [sum];
  ld.param.u32 %r1, [amount];
  atom.global.add.u32 %r2, [%rd1], %r1;
  ret;
}
)";

// Spins until another thread changes the word at `flag`, which nobody does.
constexpr const char* kWaitForEver = R"(
.visible .entry wait(.param .u64 flag)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
LOOP:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  ret;
}
)";

config::RunSpec programs_spec(const std::string& share, const std::string& scheduler = "gto") {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.scheduler = scheduler;
  spec.share = share;
  return spec;
}

// vecadd and a reduction of 6000 numbers; `value` distinguishes the data of programs.
void two_kernels(DeviceBench& bench, float value) {
  constexpr int kCount = 6000;
  const std::vector<float> values(kCount, value);
  const auto in = bench.copy(values), out = bench.zeros<float>(kCount),
             sums = bench.zeros<float>(40);
  bench.begin(reference_text("vecadd"), "vecadd", {24, 1, 1}, {256, 1, 1}, in, in, out, kCount);
  bench.begin(reference_text("reduce"), "reduce", {20, 1, 1}, {256, 1, 1}, in, sums, kCount);
}

std::string two_programs(config::RunSpec spec, std::vector<std::string>* memories = nullptr) {
  DeviceBench bench(spec, kTwo);
  for (bench.program = 0; bench.program < 2; ++bench.program)
    two_kernels(bench, bench.program ? 3.0f : 0.5f);
  bench.finish();
  if (memories) *memories = {bench.memory_of(0), bench.memory_of(1)};
  return gpu::results_text(bench.device) + bench.memory();
}

std::string memory_alone(float value) {
  DeviceBench bench(programs_spec("leftover"));
  two_kernels(bench, value);
  bench.finish();
  return bench.memory();
}

}  // namespace

TEST(Programs, OutputDependsOnNoOtherProgram) {
  const std::vector<std::string> alone{memory_alone(0.5f), memory_alone(3.0f)};
  for (const std::string& share : share_policies()) {
    std::vector<std::string> shared;
    two_programs(programs_spec(share), &shared);
    EXPECT_TRUE(shared == alone) << share;
  }
}

TEST(Programs, AProgramBesideNothingIsTheProgramAlone) {
  for (const std::string& share : share_policies()) {
    DeviceBench alone(programs_spec(share)), beside_nothing(programs_spec(share), kTwo);
    beside_nothing.device.end_program(1);
    for (DeviceBench* bench : {&alone, &beside_nothing}) {
      two_kernels(*bench, 0.5f);
      bench->finish();
    }
    EXPECT_TRUE(gpu::results_text(alone.device) == gpu::results_text(beside_nothing.device))
        << share;
  }
}

TEST(Programs, TheNumberOfThreadsChangesNothing) {
  for (const std::string& share : share_policies()) {
    std::string first;
    for (const std::uint32_t threads : {1u, 2u, 3u, 8u}) {
      config::RunSpec spec = programs_spec(share);
      spec.threads = threads;
      spec.share_always = true;
      const std::string now = two_programs(spec);
      if (first.empty()) first = now;
      EXPECT_TRUE(now == first) << share << ", " << threads << " threads";
    }
  }
}

// vecadd twice: the second run finds its lines in the L2 where the first has left them, but not
// where the first is another program's.
TEST(Programs, CachesDistinguishTheLinesOfPrograms) {
  config::RunSpec spec = programs_spec("leftover");
  spec.gpu.memory.flush_l2_at_kernel_end = false;
  const auto l2_misses = [&](std::uint32_t second_program) {
    constexpr int kElements = 4096;
    DeviceBench bench(spec, kTwo);
    std::uint64_t in[2], out[2];
    for (bench.program = 0; bench.program < 2; ++bench.program) {
      in[bench.program] = bench.copy(std::vector<float>(kElements, 1.0f));
      out[bench.program] = bench.zeros<float>(kElements);
    }
    std::vector<std::uint64_t> misses;
    for (const std::uint32_t program : {0u, second_program}) {
      bench.program = program;
      bench.begin(reference_text("vecadd"), "vecadd", {16, 1, 1}, {256, 1, 1}, in[program],
                  in[program], out[program], kElements);
      bench.finish();
      misses.push_back(bench.device.results().back().memory.l2.misses);
    }
    return misses;
  };
  const auto same = l2_misses(0), different = l2_misses(1);
  EXPECT_LT(same[1], same[0] / 2);
  EXPECT_EQ(different[0], same[0]);
  EXPECT_EQ(different[1], different[0]);
}

TEST(Programs, AtomicsActOnTheMemoryOfTheirProgram) {
  DeviceBench bench(programs_spec("even"), kTwo);
  for (bench.program = 0; bench.program < 2; ++bench.program)
    bench.begin(kAdd, "count", {10, 1, 1}, {64, 1, 1}, bench.zeros<std::uint32_t>(1),
                bench.program + 1);
  bench.finish();
  for (std::uint32_t program = 0; program < 2; ++program) {
    std::uint32_t sum = 0;
    std::memcpy(&sum, bench.memory_of(program).data(), sizeof sum);
    EXPECT_EQ(sum, 640 * (program + 1));
  }
}

TEST(Programs, KernelsKnowTheirProgram) {
  DeviceBench bench(programs_spec("spatial"), kTwo);
  for (bench.program = 0; bench.program < 2; ++bench.program) two_kernels(bench, 1.0f);
  bench.finish();
  int of_second = 0;
  for (const gpu::KernelResult& k : bench.device.results()) of_second += k.program == 1;
  EXPECT_EQ(of_second, 2);
}

// K1 is the kernel of program 1 although it starts first and alone.
TEST(Programs, AKernelTakesTheNumberOfItsProgram) {
  const auto cycles = [](const std::string& scheduler, std::uint32_t program) {
    DeviceBench bench(programs_spec("leftover", scheduler), kTwo);
    bench.device.end_program(1 - program);
    bench.program = program;
    two_kernels(bench, 1.0f);
    bench.finish();
    const auto& slots = bench.device.results()[0].sm.slots;
    return slots;
  };
  EXPECT_EQ(cycles("K0=lrr,K1=gto,K2=gto", 1), cycles("K0=gto,K1=gto,K2=gto", 1));
}

TEST(Programs, AFaultNamesTheProgram) {
  DeviceBench bench(programs_spec("leftover"), kTwo);
  two_kernels(bench, 1.0f);
  bench.program = 1;
  bench.begin(kAdd, "count", {1, 1, 1}, {32, 1, 1}, std::uint64_t{0x100000000}, 1u);
  const std::string message = message_of<exec::KernelFault>([&] { bench.finish(); });
  EXPECT_NE(message.find("\n  program  second\n  kernel   count"), std::string::npos) << message;
}

TEST(Programs, ALivelockIsFoundAlthoughAnotherProgramGoesOn) {
  DeviceBench bench(programs_spec("spatial"), kTwo);
  bench.program = 1;
  bench.begin(kWaitForEver, "wait", {1, 1, 1}, {32, 1, 1}, bench.zeros<std::uint32_t>(1));
  bench.program = 0;
  const std::string message = message_of<exec::KernelFault>([&] {
    for (int i = 0; i < 1000000; ++i) {
      if (!bench.device.advance(bench.device.now() + 2000000).launches.empty()) continue;
      break;
    }
  });
  EXPECT_NE(message.find("second"), std::string::npos) << message;
}

TEST(Programs, AProgramThatBeginsAnewHasEmptyMemory) {
  DeviceBench bench(programs_spec("leftover"), kTwo);
  bench.program = 1;
  two_kernels(bench, 1.0f);
  bench.finish();
  bench.device.restart_program(1);
  EXPECT_EQ(bench.device.memory(1).used_bytes(), 0u);
}

TEST(Programs, TooManyAreRefused) {
  const std::vector<gpu::DeviceProgram> many(17, gpu::DeviceProgram{"p"});
  EXPECT_THROW(gpu::Device(programs_spec("leftover"), many), UserError);
}

}  // namespace heddle::laws
