#include <gtest/gtest.h>

#include "exec/livelock/hang_report.h"
#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

ptx::Kernel vector_add() {
  Builder b;
  const Operand pa = b.element_address(0, 4), pb = b.element_address(1, 4),
                pc = b.element_address(2, 4);
  const Operand x = b.reg32(), y = b.reg32();
  b.ld(Space::global, Type::f32, x, pa);
  b.ld(Space::global, Type::f32, y, pb);
  b.emit(Opcode::add, Type::f32, {x}, {x, y});
  b.st(Space::global, Type::f32, pc, x);
  b.ret();
  return b.kernel;
}

TEST(Functional, AddsVectors) {
  Bench bench;
  std::vector<float> a(1000), b(1000);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(i), b[i] = static_cast<float>(2 * i);
  bench.array(a);
  bench.array(b);
  const Address out = bench.array(std::vector<float>(1000));
  const ptx::Kernel kernel = vector_add();
  const FunctionalCounts counts = bench.run(kernel, {10, 1, 1}, {100, 1, 1});
  const auto c = bench.read<float>(out, 1000);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c[i], static_cast<float>(3 * i));
  EXPECT_EQ(counts.ctas, 10u);
  EXPECT_EQ(counts.warp_instructions, 10 * 4 * kernel.code.size());
  EXPECT_EQ(counts.thread_instructions, 1000 * kernel.code.size());
}

// 480 warps; a slot of an SM is counted in eight bits.
TEST(Functional, ACooperativeGridHasMoreWarpsThanAnSm) {
  constexpr std::uint32_t kCtas = 15, kThreads = 1024;
  Bench bench;
  bench.array(std::vector<float>(kCtas * kThreads, 1));
  bench.array(std::vector<float>(kCtas * kThreads, 2));
  const Address out = bench.array(std::vector<float>(kCtas * kThreads));
  const ptx::Kernel kernel = vector_add();
  Launch launch = bench.launch(kernel, {kCtas, 1, 1}, {kThreads, 1, 1});
  launch.grid_workspace = bench.memory.allocate(64, "workspace").value;
  run_functionally(launch, bench.memory, {});
  EXPECT_EQ(bench.read<float>(out, kCtas * kThreads), std::vector<float>(kCtas * kThreads, 3));
}

TEST(Functional, TheRestOfALaunchCountsItsCtas) {
  Bench bench;
  bench.array(std::vector<float>(96, 1));
  bench.array(std::vector<float>(96, 2));
  const Address out = bench.array(std::vector<float>(96));
  const ptx::Kernel kernel = vector_add();
  const Launch launch = bench.launch(kernel, {3, 1, 1}, {32, 1, 1});
  EXPECT_EQ(finish_functionally(launch, bench.memory, {}, {}, {0, 2}).ctas, 2u);
  std::vector<float> sums(96, 3);
  std::fill(sums.begin() + 32, sums.begin() + 64, 0.0f);
  EXPECT_EQ(bench.read<float>(out, 96), sums);
}

// Two of three CTAs are listened to: two loads and a store of each.
TEST(Functional, TheListenerIsNotifiedOfTheAccessesOfTheLastCtas) {
  struct Listener : AccessListener {
    std::vector<std::uint64_t> loads, stores;
    void accessed(const isa::Instruction& i, const Step& step) override {
      if (step.space != Space::global) return;  // parameters
      EXPECT_EQ(step.executed.count(), 32);
      (i.is_store() ? stores : loads).push_back(step.addresses[1]);
    }
  };
  Bench bench;
  const Address a = bench.array(std::vector<float>(96, 1)),
                b = bench.array(std::vector<float>(96, 2)),
                out = bench.array(std::vector<float>(96));
  const ptx::Kernel kernel = vector_add();
  const Launch launch = bench.launch(kernel, {3, 1, 1}, {32, 1, 1});
  Listener listener;
  const FunctionalCounts counts =
      run_functionally(launch, bench.memory, {}, nullptr, nullptr, nullptr, {&listener, 2});
  EXPECT_EQ(listener.stores, (std::vector{out.value + 4 * 33, out.value + 4 * 65}));
  EXPECT_EQ(listener.loads,
            (std::vector{a.value + 4 * 33, b.value + 4 * 33, a.value + 4 * 65, b.value + 4 * 65}));
  EXPECT_EQ(counts.listened_warp_instructions, 2 * kernel.code.size());
  EXPECT_EQ(counts.warp_instructions, 3 * kernel.code.size());
}

// Ten instructions without a branch between.
TEST(Functional, ClockCountsEveryInstruction) {
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += "add.u32 %r1, %r1, 1;\n";
  const ptx::Module module = ptx::Module::parse(
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, 0;\n"
      "mov.u64 %rd2, %clock64;\nmov.u32 %r2, %clock;\n" +
          ten +
          "mov.u32 %r3, %clock;\nmov.u64 %rd3, %clock64;\n"
          "sub.u32 %r4, %r3, %r2;\nsub.u64 %rd4, %rd3, %rd2;\nst.global.u32 [%rd1], "
          "%r4;\nst.global.u64 [%rd1+8], %rd4;\nret;\n}\n",
      "clock.ptx");
  Bench bench;
  const Address out = bench.array(std::vector<std::uint64_t>(2));
  bench.run(module.lower("k", {}), {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(bench.read<std::uint64_t>(out, 2), (std::vector<std::uint64_t>{11, 13}));
}

TEST(Functional, AStopRequestReportsWhereTheFirstEightWarpsAre) {
  const ptx::Module module = ptx::Module::parse(
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry forever() {\n"
      ".reg .b32 %r<9>;\nL:\nadd.u32 %r1, %r1, 1;\nbra L;\n}\n",
      "forever.ptx");
  const ptx::Kernel kernel = module.lower("forever", {});
  Bench bench;
  const StopRequest stop{2};
  try {
    run_functionally(bench.launch(kernel, {1, 1, 1}, {288, 1, 1}), bench.memory, {}, &stop);
    FAIL();
  } catch (const Interrupted& interrupted) {
    EXPECT_EQ(interrupted.signal, 2);
    std::string places;
    for (int warp = 0; warp < 8; ++warp)
      places += "\n  warp " + std::to_string(warp) +
                " of CTA (0,0,0): pc 1, forever.ptx:8, active lanes 0xffffffff, runs";
    EXPECT_EQ(interrupted.warp_places, places + more_warps_line(9, 8));
  }
}

TEST(Functional, FaultsOnAReadPastAnAllocation) {
  Bench bench;
  bench.array(std::vector<float>(96));
  bench.array(std::vector<float>(96));
  bench.array(std::vector<float>(96));
  const ptx::Kernel kernel = vector_add();
  try {
    bench.run(kernel, {1, 1, 1}, {128, 1, 1});
    FAIL();
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), KernelFault::Kind::illegal_address);
    EXPECT_EQ(
        std::string(fault.what()),
        "heddle: out-of-bounds load of 4 bytes\n"
        "  kernel   kernel  (test.ptx:8)\n"
        "  thread   (96,0,0) of CTA (0,0,0)\n"
        "  address  0xc0000180, 0 bytes after the end of cudaMalloc #1 (0xc0000000, 384 bytes)");
  }
}

}  // namespace
}  // namespace heddle::exec::test
