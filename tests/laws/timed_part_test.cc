// Timing only a part of a program does not change what it computes; the timed part has the same
// statistics; and hangs are distinguished from long work.
#include <gtest/gtest.h>

#include "config/config.h"
#include "exec/state/launch.h"
#include "gpu/result_sum.h"
#include "gpu/results_json.h"
#include "tests/laws/device_bench.h"

namespace heddle::laws {
namespace {

// Barriers, shared memory, loops, stores, and atomics with results.
constexpr const char* kMix = R"(
.visible .entry mix(.param .u64 values, .param .u64 tickets)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<12>;
  .shared .align 4 .b8 part[512];
  ld.param.u64 %rd1, [values];
  ld.param.u64 %rd2, [tickets];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.s32 %r3, %r2, 128, %r1;
  mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd1, %rd1, %rd3;
  mul.wide.u32 %rd4, %r2, 4;
  add.s64 %rd2, %rd2, %rd4;
  mov.u64 %rd5, part;
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd6, %rd5, %rd6;
  xor.b32 %r4, %r1, 37;
  mul.wide.u32 %rd7, %r4, 4;
  add.s64 %rd7, %rd5, %rd7;
  ld.global.u32 %r5, [%rd1];
  mov.u32 %r6, 0;
AGAIN:
  st.shared.u32 [%rd6], %r5;
  bar.sync 0;
  ld.shared.u32 %r7, [%rd7];
  mad.lo.s32 %r5, %r5, 1664525, %r7;
  bar.sync 0;
  st.global.u32 [%rd1], %r5;
  and.b32 %r8, %r5, 7;
  setp.ne.u32 %p1, %r8, 0;
  @%p1 bra NEXT;
  atom.global.add.u32 %r9, [%rd2], 0;
  add.s32 %r5, %r5, %r9;
NEXT:
  add.s32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 8;
  @%p2 bra AGAIN;
  red.global.add.u32 [%rd2+96], %r5;
  ret;
}
)";

constexpr std::uint32_t kCtas = 24;

config::RunSpec spec_of(const config::TimedPart& part, bool functional = false,
                        std::uint32_t threads = 1) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.timed = part;
  spec.functional = functional;
  spec.threads = threads;
  spec.share_always = true;
  return spec;
}

struct TimedOutcome {
  std::string results, memory;
  std::vector<gpu::KernelResult> kernels;
};

TimedOutcome simulate(const config::RunSpec& spec) {
  DeviceBench bench(spec);
  std::vector<std::uint32_t> values(kCtas * 128);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i * 2654435761u;
  const auto data = bench.copy(values), tickets = bench.zeros<std::uint32_t>(2 * kCtas);
  for (int i = 0; i < 3; ++i) bench.run(kMix, "mix", {kCtas, 1, 1}, {128, 1, 1}, data, tickets);
  return {gpu::results_text(bench.device), bench.memory(), bench.device.results()};
}

config::TimedPart chosen(const std::string& kernels) {
  config::TimedPart part;
  part.kernels = config::KernelSelection(kernels);
  return part;
}

TEST(TimedPart, SelectingAllTimesTheWholeProgram) {
  const TimedOutcome plain = simulate(spec_of({}));
  for (const char* all : {"all", "m*x,7"})
    EXPECT_EQ(plain.results, simulate(spec_of(chosen(all))).results) << all;
  EXPECT_EQ(plain.memory, simulate(spec_of({}, true)).memory);
}

TEST(TimedPart, LaunchesThatAreNotSelectedAreComputedFunctionally) {
  const TimedOutcome plain = simulate(spec_of({})), second = simulate(spec_of(chosen("2")));
  EXPECT_EQ(plain.memory, second.memory);
  EXPECT_STREQ(second.kernels[0].simulated(), "functional");
  EXPECT_STREQ(second.kernels[1].simulated(), "timed");
  EXPECT_STREQ(second.kernels[2].simulated(), "functional");
  EXPECT_EQ(second.kernels[0].cycles, 0u);
  EXPECT_EQ(second.kernels[0].thread_instructions, plain.kernels[0].thread_instructions);
  EXPECT_EQ(second.kernels[1].thread_instructions, plain.kernels[1].thread_instructions);
  EXPECT_EQ(gpu::sum_of(second.kernels).cycles, second.kernels[1].cycles);
  config::TimedPart skip;
  skip.skip = 2;
  const TimedOutcome third = simulate(spec_of(skip));
  EXPECT_STREQ(third.kernels[1].simulated(), "functional");
  EXPECT_STREQ(third.kernels[2].simulated(), "timed");
  EXPECT_EQ(third.memory, plain.memory);
}

TEST(TimedPart, TheFirstLaunchHasTheSameStatistics) {
  const TimedOutcome plain = simulate(spec_of({})), first = simulate(spec_of(chosen("1")));
  EXPECT_EQ(plain.kernels[0].cycles, first.kernels[0].cycles);
  EXPECT_EQ(plain.kernels[0].memory.dram.reads, first.kernels[0].memory.dram.reads);
}

// The launch is truncated at different cycles and finished functionally.
TEST(TimedPart, ATruncatedKernelGivesTheSameMemory) {
  const TimedOutcome plain = simulate(spec_of({}));
  const std::uint64_t cycles = plain.kernels[0].cycles;
  for (int i = 1; i <= 23; i += 2) {
    config::TimedPart part;
    part.limit_cycles = cycles * static_cast<std::uint64_t>(i) / 20 + static_cast<std::uint64_t>(i);
    const TimedOutcome truncated = simulate(spec_of(part));
    ASSERT_EQ(plain.memory, truncated.memory) << part.limit_cycles;
    const gpu::KernelResult& kernel = truncated.kernels[i < 20 ? 0 : 1];
    EXPECT_STREQ(kernel.simulated(), "truncated") << part.limit_cycles;
    EXPECT_EQ(kernel.thread_instructions + kernel.untimed_thread_instructions,
              plain.kernels[i < 20 ? 0 : 1].thread_instructions);
    EXPECT_STREQ(truncated.kernels[2].simulated(), "functional");
    EXPECT_GE(gpu::sum_of(truncated.kernels).cycles, part.limit_cycles);
    EXPECT_LT(gpu::sum_of(truncated.kernels).cycles, part.limit_cycles + 2000);
  }
}

TEST(TimedPart, TheLimitMayBeInInstructions) {
  const TimedOutcome plain = simulate(spec_of({}));
  config::TimedPart part;
  part.limit_instructions = plain.kernels[0].thread_instructions / 2;
  const TimedOutcome truncated = simulate(spec_of(part));
  EXPECT_EQ(plain.memory, truncated.memory);
  EXPECT_STREQ(truncated.kernels[0].simulated(), "truncated");
  EXPECT_GE(truncated.kernels[0].thread_instructions, part.limit_instructions);
  EXPECT_LT(truncated.kernels[0].thread_instructions, part.limit_instructions * 11 / 10);
}

TEST(TimedPart, IsTheSameForEveryNumberOfThreads) {
  config::TimedPart part;
  part.limit_cycles = simulate(spec_of({})).kernels[0].cycles / 3;
  const TimedOutcome alone = simulate(spec_of(part));
  for (const std::uint32_t threads : {2u, 3u})
    EXPECT_EQ(alone.results, simulate(spec_of(part, false, threads)).results);
}

TEST(TimedPart, RejectsInvalidSelections) {
  for (const char* text : {"", "0", "3..1", "..", "1,,2", "3-7", "a/b", "1..x"})
    EXPECT_THROW(config::KernelSelection{text}, UserError) << text;
  const config::KernelSelection some("2,5..6,9..,solve?,*norm*");
  EXPECT_TRUE(some.contains(2, "x") && some.contains(5, "x") && some.contains(100, "x") &&
              !some.contains(4, "x"));
  EXPECT_TRUE(some.contains(1, "_Z6solve2Pf") && some.contains(1, "_Z9row_norm2i") &&
              !some.contains(1, "_Z5solvePf"));
}

// Kernels that hang, and kernels that only seem to.
struct Wait {
  const char *name, *body;
  bool hangs;
};
const Wait kWaits[] = {
    {"reads_a_word",
     "WAIT: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;", true},
    {"tries_a_lock",
     "WAIT: atom.global.cas.b32 %r1, [%rd1+8], 5, 5; setp.ne.u32 %p1, %r1, 7; @%p1 bra WAIT;",
     true},
    {"reads_nothing", "WAIT: add.u32 %r1, %r1, 0; bra WAIT;", true},
    {"some_wait_at_a_barrier",
     "mov.u32 %r2, %tid.x; setp.lt.u32 %p2, %r2, 32; @%p2 bra MEET;\n"
     "WAIT: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;\nMEET: "
     "bar.sync 0;",
     true},
    {"counts_to_an_end",
     "mov.u32 %r1, 0; WAIT: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 160000; @%p1 bra WAIT;",
     false},
    {"counts_in_memory",
     "WAIT: atom.global.add.u32 %r1, [%rd1], 1; mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, 1200000; "
     "mov.u32 %r1, 0; @%p1 bra WAIT;",
     false},
    {"waits_for_the_clock",
     "mov.u64 %rd2, 0; WAIT: mov.u64 %rd3, %clock64; setp.lt.u64 %p1, %rd3, 1600000; mov.u64 %rd3, "
     "0; @%p1 bra WAIT;",
     false},
};

std::string end_of(const Wait& wait, bool functional) {
  DeviceBench bench(spec_of({}, functional));
  const auto word = bench.zeros<std::uint32_t>(16);
  const std::string ptx =
      ".visible .entry wait(.param .u64 word)\n{\n .reg .pred %p<4>;\n .reg .b32 %r<4>;\n"
      " .reg .b64 %rd<4>;\n ld.param.u64 %rd1, [word];\n mov.u32 %r1, 0;\n" +
      std::string(wait.body) + "\n ret;\n}\n";
  try {
    bench.run(ptx, "wait", {2, 1, 1}, {64, 1, 1}, word);
  } catch (const exec::KernelFault& fault) {
    return fault.what();
  }
  EXPECT_TRUE(functional || bench.device.now() > Cycle{1250000})
      << wait.name << " is too short to be observed";
  return "ended";
}

TEST(Hang, IsReportedAndLongWorkIsNot) {
  for (const Wait& wait : kWaits)
    for (const bool functional : {false, true}) {
      const std::string end = end_of(wait, functional);
      if (!wait.hangs) {
        EXPECT_EQ(end, "ended") << wait.name;
        continue;
      }
      EXPECT_NE(end.find("livelock"), std::string::npos)
          << wait.name << (functional ? " functionally: " : ": ") << end;
      EXPECT_NE(end.find("repeats the same state"), std::string::npos) << end;
      EXPECT_NE(end.find("active lanes 0xffffffff"), std::string::npos) << end;
    }
}

}  // namespace
}  // namespace heddle::laws
