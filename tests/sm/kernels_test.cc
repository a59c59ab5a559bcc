// CTAs of several kernels on one SM.
#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm {
namespace {

using namespace test;
using isa::OpClass;

std::vector<isa::Instruction> additions(int count) {
  std::vector<isa::Instruction> code(static_cast<std::size_t>(count),
                                     make(OpClass::int_add, {1}, {1}));
  code.push_back(exit());
  return code;
}

// Two kernels on the SM of a bench. The second kernel's code is `other`.
class TwoKernels {
 public:
  TwoKernels(std::vector<isa::Instruction> one, std::vector<isa::Instruction> other,
             config::GpuSpec gpu = gtx480())
      : bench(std::move(one), {}, gpu), second(std::move(other)) {}

  void begin(int kernel, int ctas_per_sm, std::uint32_t warps, std::uint32_t registers = 16,
             std::uint32_t shared_bytes = 0) {
    exec::Launch launch;
    Script& source = kernel == 0 ? bench.source : second;
    launch.kernel = &source.kernel();
    launch.block = {warps * kWarpSize, 1, 1};
    launch.dynamic_shared_bytes = shared_bytes;
    bench.sm.begin_kernel(launch, source, ctas_per_sm, Cycle{now}, {kernel, registers});
  }
  void queue(int kernel, std::uint64_t cta) { bench.sm.queue_cta(cta, Cycle{now}, kernel); }
  void step(std::uint64_t cycles = 1) {
    bench.port.begin_window();
    bench.sm.run(Cycle{now}, Cycle{now + cycles});
    bench.serve(now += cycles);
    for (const auto& cta : bench.sm.take_finished_ctas()) finished.push_back(cta);
  }
  // Until no CTA is left, at most so many cycles.
  void run(std::uint64_t most = ~std::uint64_t{0}) {
    while (!bench.sm.drained() && now < most) step();
  }

  Bench bench;
  Script second;
  std::uint64_t now = 0;
  std::vector<FinishedCta> finished;
};

}  // namespace

TEST(Kernels, EveryWarpExecutesTheCodeOfItsKernel) {
  TwoKernels t(additions(10), additions(20));
  t.begin(0, 2, 2);
  t.begin(1, 2, 3);
  t.queue(0, 0);
  t.queue(1, 0);
  t.queue(0, 1);
  t.run();
  EXPECT_EQ(t.bench.source.issues.size(), 2u * 2 * 11);
  EXPECT_EQ(t.second.issues.size(), 3u * 21);
  ASSERT_EQ(t.finished.size(), 3u);
  EXPECT_EQ(t.finished.back().kernel, 1);
}

// Both kernels begin before the first CTA starts. With rows of the scoreboard for the registers of
// the second kernel only, register 300 of the first warp would be register 108 of the next one.
TEST(Kernels, WithManyRegistersKeepTheirHazardsBesideOneWithFewer) {
  const auto chain_in = [](std::uint16_t r) {
    return std::vector<isa::Instruction>(40, make(OpClass::int_add, {r}, {r}));
  };
  std::vector<isa::Instruction> many = chain_in(300), fewer = chain_in(108);
  fewer.push_back(make(OpClass::int_add, {150}, {150}));
  many.push_back(exit());
  fewer.push_back(exit());
  TwoKernels t(many, fewer);
  t.begin(0, 1, 1);
  t.begin(1, 1, 1);
  t.queue(0, 0);
  t.queue(1, 0);
  t.run(5000);
  EXPECT_TRUE(t.bench.sm.drained());
}

TEST(Kernels, StatisticsOfKernelsAddUpToThoseOfTheSm) {
  TwoKernels t(additions(30), additions(50));
  t.begin(0, 4, 2);
  t.begin(1, 4, 3);
  for (std::uint64_t cta = 0; cta < 3; ++cta) t.queue(0, cta), t.queue(1, cta);
  t.run();
  const SmStats all = t.bench.sm.stats(), one = t.bench.sm.kernel_stats(0),
                other = t.bench.sm.kernel_stats(1);
  SmStats sum = one;
  stats::add(sum, other);
  EXPECT_EQ(one.warp_instructions, 3u * 2 * 31);
  EXPECT_EQ(other.warp_instructions, 3u * 3 * 51);
  EXPECT_EQ(sum.slots, all.slots);
  EXPECT_EQ(sum.scheduler_cycles, all.scheduler_cycles);
  EXPECT_EQ(sum.resident_warp_cycles, all.resident_warp_cycles);
  EXPECT_EQ(sum.resident_cta_cycles, all.resident_cta_cycles);
  EXPECT_EQ(sum.instruction.accesses, all.instruction.accesses);
  EXPECT_EQ(sum.packets_sent, all.packets_sent);
  EXPECT_GT(sum.cycles, all.cycles);  // a cycle with CTAs of both counts for both
  EXPECT_EQ(t.bench.sm.repeated_cycles().cycles, sum.cycles - all.cycles);
  EXPECT_EQ(t.bench.sm.repeated_cycles().cycles_without_issue,
            sum.cycles_without_issue - all.cycles_without_issue);
  EXPECT_EQ(all.scheduler_cycles, all.cycles * t.bench.spec.sm.schedulers);
  one.check_conservation();
  other.check_conservation();
  t.bench.sm.end_kernel(Cycle{t.now}, 0);
  t.bench.sm.end_kernel(Cycle{t.now}, 1);
  EXPECT_EQ(t.bench.sm.stats().slots, all.slots);
  EXPECT_EQ(t.bench.sm.stats().cycles, all.cycles);
}

TEST(Kernels, AKernelAloneCountsTheCyclesOfTheSm) {
  TwoKernels t(additions(30), additions(50));
  t.begin(0, 4, 2);
  t.queue(0, 0), t.queue(0, 1);
  t.step(20);  // in the middle of both CTAs
  const SmStats middle = t.bench.sm.stats();
  EXPECT_GT(middle.cycles, 0u);
  EXPECT_EQ(t.bench.sm.kernel_stats(0).cycles, middle.cycles);
  t.run();
  const SmStats all = t.bench.sm.stats(), one = t.bench.sm.kernel_stats(0);
  EXPECT_EQ(one.cycles, all.cycles);
  EXPECT_EQ(one.cycles_without_issue, all.cycles_without_issue);
  EXPECT_GT(one.cycles_without_issue, 0u);
  EXPECT_LT(one.cycles_without_issue, one.cycles);
  EXPECT_EQ(t.bench.sm.repeated_cycles().cycles, 0u);
  EXPECT_EQ(t.bench.sm.repeated_cycles().cycles_without_issue, 0u);
}

// The cycles of kernels are counted when their warps change, or when they are read.
TEST(Kernels, StatisticsAreTheSameWhenTheyAreReadInEveryCycle) {
  const auto run = [](bool reads) {
    TwoKernels t(additions(30), additions(50));
    t.begin(0, 4, 2);
    t.begin(1, 4, 3);
    for (std::uint64_t cta = 0; cta < 3; ++cta) t.queue(0, cta), t.queue(1, cta);
    std::uint64_t without_issue = 0;
    while (!t.bench.sm.drained()) {
      const std::size_t issued = t.bench.source.issues.size() + t.second.issues.size();
      const bool resident = t.bench.sm.has_ctas();
      t.step();
      without_issue += resident && t.bench.source.issues.size() + t.second.issues.size() == issued;
      if (!reads) continue;
      const SmStats now = t.bench.sm.stats();
      EXPECT_EQ(now.scheduler_cycles, now.cycles * t.bench.spec.sm.schedulers);
      EXPECT_EQ(now.cycles_without_issue, without_issue) << t.now;
    }
    return std::array{t.bench.sm.stats(), t.bench.sm.kernel_stats(0), t.bench.sm.kernel_stats(1)};
  };
  const auto once = run(false), always = run(true);
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].cycles, always[i].cycles);
    EXPECT_EQ(once[i].cycles_without_issue, always[i].cycles_without_issue);
    EXPECT_EQ(once[i].resident_warp_cycles, always[i].resident_warp_cycles);
    EXPECT_EQ(once[i].resident_cta_cycles, always[i].resident_cta_cycles);
    EXPECT_EQ(once[i].slots, always[i].slots);
  }
  EXPECT_LT(once[0].cycles, once[1].cycles + once[2].cycles);
}

TEST(Kernels, AKernelWithoutCtasCountsNothingOfAnotherKernel) {
  TwoKernels t(additions(30), additions(50));
  t.begin(0, 1, 1);
  t.queue(0, 0);
  while (t.bench.source.issues.empty()) t.step();
  t.begin(1, 1, 1);
  t.run();
  EXPECT_EQ(t.bench.sm.kernel_stats(0).warp_instructions, 31u);
  EXPECT_EQ(t.bench.sm.kernel_stats(1).scheduler_cycles, 0u);
}

// One warp of each kernel; the fourth scheduler has none.
TEST(Kernels, ShareIdleSlotsEvenlyWhereCyclesAreSkipped) {
  std::vector<isa::Instruction> code;
  for (int i = 0; i < 40; ++i) {
    code.push_back(memory(OpClass::load, isa::Space::global, {1}, {2}));
    code.push_back(make(OpClass::alu, {2}, {1}));
  }
  code.push_back(exit());
  config::GpuSpec gpu = gtx480();
  gpu.sm.schedulers = 4;
  TwoKernels t(code, code, gpu);
  Script third(code);
  t.begin(0, 1, 1);
  t.begin(1, 1, 1);
  exec::Launch launch;
  launch.kernel = &third.kernel();
  launch.block = {kWarpSize, 1, 1};
  t.bench.sm.begin_kernel(launch, third, 1, Cycle{0}, {2, 16});
  for (const int kernel : {0, 1, 2}) t.queue(kernel, 0);
  const auto idle = [&](int kernel) {
    return slots(t.bench.sm.kernel_stats(kernel), SlotUse::idle);
  };
  std::array<std::uint64_t, 3> first{};
  for (std::uint64_t window = 5; t.finished.empty(); window = window % 37 + 4) {
    t.step(window);
    if (third.issues.empty()) continue;
    if (first[0] == 0) first = {idle(0), idle(1), idle(2)};
    if (!t.finished.empty()) break;
    const auto [least, most] =
        std::minmax({idle(0) - first[0], idle(1) - first[1], idle(2) - first[2]});
    EXPECT_LE(most - least, 1u) << t.now;
  }
}

TEST(Kernels, CtasOfOtherKernelsTakeRegistersSharedMemoryWarpsAndSlots) {
  config::GpuSpec gpu = gtx480();
  gpu.sm.registers = 32768;
  gpu.sm.shared_bytes = 49152;
  gpu.sm.max_threads = 1536;
  gpu.sm.max_ctas = 8;
  TwoKernels t(additions(5), additions(5), gpu);
  t.begin(0, 4, 4, 32, 16384);  // 4096 registers and 16 KiB a CTA
  t.begin(1, 8, 8, 32, 4096);   // 8192 registers and 4 KiB a CTA
  EXPECT_EQ(t.bench.sm.free_cta_slots(0), 4);
  EXPECT_EQ(t.bench.sm.free_cta_slots(1), 8);  // alone its own limit counts
  t.queue(0, 0);
  EXPECT_EQ(t.bench.sm.free_cta_slots(1), 3);  // registers: (32768 - 4096) / 8192
  t.queue(0, 1);
  t.queue(1, 0);
  EXPECT_EQ(t.bench.sm.free_cta_slots(0), 0);  // shared memory: 49152 - 32768 - 4096 < 16384
  EXPECT_EQ(t.bench.sm.free_cta_slots(1), 2);  // registers
  t.run();
  EXPECT_EQ(t.bench.sm.free_cta_slots(0), 4);
}

TEST(Kernels, HaveLocalMemoryOfTheirOwn) {
  const std::vector<isa::Instruction> code{memory(OpClass::load, isa::Space::local, {1}, {2}),
                                           make(OpClass::alu, {2}, {3}), exit()};
  TwoKernels t(code, code);
  for (const int kernel : {0, 1}) {
    t.begin(kernel, 1, 1);
    t.queue(kernel, 0);
    t.run();
    EXPECT_EQ(t.bench.sm.kernel_stats(kernel).l1d.misses, 1u) << kernel;
    EXPECT_EQ(t.bench.sm.kernel_stats(kernel).l1d.accesses, 1u) << kernel;
  }
}

TEST(Kernels, ACtaHasAWarpForItsLastThread) {
  TwoKernels t(additions(1), {});
  exec::Launch launch;
  launch.kernel = &t.bench.source.kernel();
  launch.block = {kWarpSize + 1, 1, 1};
  t.bench.sm.begin_kernel(launch, t.bench.source, 1);
  t.queue(0, 0);
  t.run();
  EXPECT_EQ(t.bench.source.issues.size(), 2u * 2);
}

TEST(Kernels, CtasOfDifferentSizesShareTheWarpSlots) {
  config::GpuSpec gpu = gtx480();
  gpu.sm.max_threads = 8 * kWarpSize;
  TwoKernels t(additions(400), additions(20), gpu);
  t.begin(0, 4, 2, 1);
  t.begin(1, 2, 3, 1);
  t.queue(0, 0);
  t.queue(1, 0);  // slots 3 to 5: the lowest range that begins at a multiple of 3
  t.queue(0, 1);  // slots 6 and 7
  EXPECT_EQ(t.bench.sm.free_cta_slots(0), 0);
  t.run();
  EXPECT_EQ(t.second.issues.size(), 3u * 21);
  for (const auto& issue : t.second.issues) {
    EXPECT_GE(issue.warp, 3);
    EXPECT_LE(issue.warp, 5);
  }
}

TEST(Kernels, BarriersJoinTheWarpsOfOneCta) {
  const auto with_barrier = [](int before) {
    std::vector<isa::Instruction> code(static_cast<std::size_t>(before),
                                       make(OpClass::int_add, {1}, {1}));
    code.push_back(make(OpClass::barrier));
    code.push_back(exit());
    return code;
  };
  TwoKernels t(with_barrier(3), with_barrier(60));
  t.begin(0, 2, 4);
  t.begin(1, 2, 4);
  t.queue(0, 0);
  t.queue(1, 0);
  t.run();
  std::uint64_t last_of_first = 0, first_exit_of_second = ~std::uint64_t{0};
  for (const auto& i : t.bench.source.issues) last_of_first = std::max(last_of_first, i.at);
  for (const auto& i : t.second.issues)
    if (i.pc == 61) first_exit_of_second = std::min(first_exit_of_second, i.at);
  EXPECT_LT(last_of_first, first_exit_of_second);
}

TEST(Kernels, AKernelEndsWhileAnotherRuns) {
  TwoKernels t(additions(5), additions(300));
  t.begin(0, 1, 1);
  t.begin(1, 1, 1);
  t.queue(0, 0);
  t.queue(1, 0);
  while (t.finished.empty()) t.step();
  t.bench.sm.end_kernel(Cycle{t.now}, 0);
  t.begin(0, 1, 1);  // the number is free again
  t.queue(0, 0);
  t.run();
  EXPECT_EQ(t.bench.sm.stats().warp_instructions, 2u * 6 + 301);
  EXPECT_EQ(t.bench.sm.kernel_stats(0).warp_instructions, 6u);
}

// The arbiter of the collectors advances with the cycles in which the SM runs, so the second kernel
// takes the same time whenever it begins. A kernel whose last CTAs are not timed may end without
// the announcement of its last CTA.
TEST(Kernels, AnSmStandsStillAfterAKernelWhoseLastCtaIsNotAnnounced) {
  config::GpuSpec gpu = gtx480();
  gpu.sm.single_ported_collectors = gpu.sm.collectors_step_in_lsu = true;
  gpu.sm.flow.schedulers_run_without_warps = true;
  std::vector<isa::Instruction> code;
  for (std::uint16_t i = 0; i < 16; i += 2) {
    const auto result = static_cast<std::uint16_t>(i + 8);
    code.push_back(make(OpClass::fp_mad, {1, 2, 3}, {result}));
    code.push_back(make(OpClass::int_add, {2, 3}, {static_cast<std::uint16_t>(result + 1)}));
  }
  code.push_back(exit());
  const auto second_takes = [&](std::uint64_t idle) {
    TwoKernels t(code, code, gpu);
    for (const int cta : {0, 1}) {
      t.begin(0, 1, 4);
      t.queue(0, static_cast<std::uint64_t>(cta));
      t.run();
      t.bench.sm.end_kernel(Cycle{t.now}, 0);
      t.now += idle;
    }
    return t.finished.at(1).end - t.finished.at(0).end - idle;
  };
  for (std::uint64_t idle = 1; idle < 16; ++idle) EXPECT_EQ(second_takes(idle), second_takes(0));
}

}  // namespace heddle::sm
