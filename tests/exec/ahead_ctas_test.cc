// With CTAs that run before earlier ones have ended, memory and counts are those of one thread.
#include "exec/functional/ahead_ctas.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/prepared_kernel.h"
#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test::ahead_ctas {
namespace {

constexpr std::uint32_t kCtas = 37, kBlock = 96, kThreadsOfGrid = kCtas * kBlock;
constexpr std::size_t kCells = 4 * kThreadsOfGrid;  // of the output, in words

// %t: the thread's number in the grid, %b: the CTA's, %v: a value of the input; %i and %o: the
// arrays; %w: 4 * %t.
ptx::Kernel kernel_of(const std::string& body) {
  return ptx::Module::parse(
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
             ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>, %t, %b, %v, %n;\n"
             ".reg .b64 %rd<30>, %i, %o, %w; .shared .align 16 .b8 tile[1024];\n"
             "mov.u32 %b, %ctaid.x; mov.u32 %n, %tid.x; mad.lo.u32 %t, %b, 96, %n;\n"
             "ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mul.wide.u32 %w, %t, 4;\n"
             "add.s64 %rd0, %i, %w; ld.global.u32 %v, [%rd0]; add.s64 %rd1, %o, %w;\n" +
                 body + "\nret;\n}\n",
             "kernel.ptx")
      .lower("k", {});
}

struct Outcome {
  std::vector<std::uint32_t> input, output;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::string fault;
  bool operator==(const Outcome&) const = default;
};

Outcome run(const ptx::Kernel& kernel, std::uint32_t host_threads, bool compiled = true) {
  Bench bench;
  std::vector<std::uint32_t> values(kThreadsOfGrid);
  for (std::uint32_t i = 0; i < kThreadsOfGrid; ++i) values[i] = i * 2654435761u >> 7;
  bench.array(values);
  bench.array(std::vector<std::uint32_t>(kCells, 0xabcdef01));
  Launch launch = bench.launch(kernel, {kCtas, 1, 1}, {kBlock, 1, 1});
  launch.host.compile_after = compiled ? 0 : ~std::uint64_t{0};
  launch.host.threads = host_threads;
  launch.host.round_instructions = 100;
  Outcome outcome;
  try {
    const FunctionalCounts counts = run_functionally(launch, bench.memory, {});
    outcome.warp_instructions = counts.warp_instructions;
    outcome.thread_instructions = counts.thread_instructions;
  } catch (const KernelFault& fault) {
    outcome.fault = fault.what();
  }
  outcome.input = bench.read<std::uint32_t>(bench.arrays[0], kThreadsOfGrid);
  outcome.output = bench.read<std::uint32_t>(bench.arrays[1], kCells);
  return outcome;
}

enum class Ran { ahead, in_order, by_chance };  // by_chance: as the CTAs fall to the threads

Outcome check(const std::string& body, Ran expected) {
  const ptx::Kernel alone = kernel_of(body);
  const Outcome one = run(alone, 1, false);
  for (const std::uint32_t threads : {2u, 3u, 8u}) {
    const ptx::Kernel kernel = kernel_of(body);
    const Outcome several = run(kernel, threads);
    EXPECT_TRUE(several == one) << threads << " threads: " << several.fault;
    const PreparedKernel& prepared = PreparedKernel::of(kernel);
    if (expected != Ran::by_chance)
      EXPECT_EQ(prepared.may_run_ahead() && AheadCtas::are_possible(*prepared.decoded()),
                expected == Ran::ahead)
          << threads << " threads";
  }
  return one;
}

TEST(AheadCtas, ARoundHasToSaveTime) {
  EXPECT_EQ(AheadCtas::share_of_thread(100, 1000, 2, 8000), 8u);
  EXPECT_EQ(AheadCtas::share_of_thread(6, 1000, 2, 8000), 3u);
  EXPECT_EQ(AheadCtas::share_of_thread(6, 300, 2, 8000), 0u);  // 900 instructions
  EXPECT_EQ(AheadCtas::share_of_thread(1, 100000, 2, 8000), 0u);
  EXPECT_EQ(AheadCtas::share_of_thread(2, 100000, 2, 8000), 1u);
}

TEST(AheadCtas, StoreWordsOfTheirOwn) {
  const Outcome o = check("add.u32 %r1, %v, %t; st.global.u32 [%rd1], %r1;", Ran::ahead);
  EXPECT_EQ(o.output[100], (100 * 2654435761u >> 7) + 100);
  EXPECT_EQ(o.output[kThreadsOfGrid], 0xabcdef01u);
}

TEST(AheadCtas, TheLastStoreToAWordStays) {
  const Outcome o = check(
      "and.b32 %r1, %t, 63; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %o, %rd2;\n"
      "st.global.u32 [%rd2], %t; setp.ne.u32 %p1, %b, 20; @%p1 bra over;\n"
      "st.global.u32 [%o+1000], %t; over:",
      Ran::ahead);
  EXPECT_EQ(o.output[63], kThreadsOfGrid - 1 - (kThreadsOfGrid - 1 - 63) % 64);
  EXPECT_EQ(o.output[250], 20u * kBlock + kBlock - 1);
}

TEST(AheadCtas, StoreElementsOfEverySize) {
  for (const char* body :
       {"add.s64 %rd2, %o, %rd20; cvt.u16.u32 %h1, %v; st.global.u8 [%rd2], %h1;",
        "add.s64 %rd2, %o, %rd20; add.s64 %rd2, %rd2, %rd20; cvt.u16.u32 %h1, %v;\n"
        "st.global.u16 [%rd2+64], %h1;",
        "add.s64 %rd2, %rd1, %w; cvt.u64.u32 %rd3, %v; st.global.u64 [%rd2], %rd3;",
        "add.s64 %rd2, %rd1, %w; st.global.v2.u32 [%rd2], {%v, %t};",
        "add.s64 %rd2, %rd1, %w; add.s64 %rd2, %rd2, %w; add.s64 %rd2, %rd2, %w;\n"
        "st.global.v4.u32 [%rd2], {%v, %t, %b, %v};"})
    check("cvt.u64.u32 %rd20, %t;\n" + std::string(body), Ran::ahead);
}

TEST(AheadCtas, StoreWithSomeLanesAndAnywhere) {
  check(
      "and.b32 %r1, %v, 5; setp.eq.u32 %p1, %r1, 1; @%p1 st.global.u32 [%rd1], %v;\n"
      "setp.eq.u32 %p2, %r1, 4; @%p2 bra other; mul.lo.u32 %r2, %t, 37;\n"
      "rem.u32 %r2, %r2, 3552; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd2, %o, %rd2;\n"
      "st.global.u32 [%rd2+14208], %t; bra both; other: st.global.u32 [%rd1+28416], %b; both:\n"
      "st.u32 [%rd1+42624], %r1;",
      Ran::ahead);
}

TEST(AheadCtas, MeetAtBarriersInSharedMemory) {
  check(
      "shl.b32 %r1, %n, 2; mov.u32 %r2, tile; add.u32 %r3, %r2, %r1; st.shared.u32 [%r3], %v;\n"
      "bar.sync 0; ld.shared.u32 %r4, [%r2+64]; atom.shared.add.u32 %r5, [%r2+512], 1;\n"
      "add.u32 %r4, %r4, %v; st.global.u32 [%rd1], %r4;",
      Ran::ahead);
}

// Every CTA reads what the one before has written.
TEST(AheadCtas, ThatReadWhatEarlierOnesWriteRunInOrder) {
  const Outcome o = check(
      "setp.eq.u32 %p1, %b, 0; mov.u32 %r1, 1000; @%p1 bra first;\n"
      "ld.global.u32 %r1, [%rd1+-384]; first: add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1;",
      Ran::in_order);
  EXPECT_EQ(o.output[kThreadsOfGrid - 1], 1000 + kCtas);
}

// In the last CTAs only, which run ahead at first.
TEST(AheadCtas, ADependenceIsFoundWhenItBegins) {
  check(
      "st.global.u32 [%rd1], %v; setp.lt.u32 %p1, %b, 33; @%p1 bra over;\n"
      "ld.global.u32 %r1, [%rd1+-384]; add.u32 %r1, %r1, 7; st.global.u32 [%rd1], %r1; over:",
      Ran::by_chance);
  check(
      "st.global.u32 [%rd1], %v; setp.ne.u32 %p1, %b, 30; @%p1 bra over;\n"
      "st.global.u32 [%rd0+384], %t; over:",
      Ran::by_chance);
}

TEST(AheadCtas, AtomicsAndClocksRunInOrder) {
  check("atom.global.add.u32 %r1, [%o], 1; st.global.u32 [%rd1+4], %r1;", Ran::in_order);
  check("mov.u32 %r1, %clock; st.global.u32 [%rd1], %r1;", Ran::in_order);
}

TEST(AheadCtas, TheFirstFaultInOrderIsReported) {
  const Outcome o = check(
      "st.global.u32 [%rd1], %v; setp.lt.u32 %p1, %b, 17; @%p1 bra over;\n"
      "mul.wide.u32 %rd2, %b, 1048576; add.s64 %rd2, %rd2, %o; st.global.u32 [%rd2], %t; over:",
      Ran::by_chance);
  EXPECT_NE(o.fault.find("CTA (17,0,0)"), std::string::npos) << o.fault;
}

}  // namespace
}  // namespace heddle::exec::test::ahead_ctas
