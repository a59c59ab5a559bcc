// The laws of cta_schedulers_test.cc for the options of CTA schedulers, for grids of many shapes,
// and for programs whose CTAs wait for each other.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "gpu/cta/catalogue.h"
#include "gpu/results_json.h"
#include "tests/laws/device_bench.h"
#include "tests/laws/recorded.h"

namespace heddle::laws::cta {
namespace {

// CTAs of a grid of any shape read their own elements and those of neighbours, several times, with
// a barrier in each trip. They store sums, and add them to one counter.
constexpr const char* kNeighbours = R"(
.visible .entry neighbours(.param .u64 in, .param .u64 out, .param .u32 trips)
{
  .reg .pred %p<3>;
  .reg .b32 %r<24>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b8 partial[512];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [trips];
  mov.u32 %r2, %ctaid.z;
  mov.u32 %r3, %nctaid.y;
  mov.u32 %r4, %ctaid.y;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  mov.u32 %r6, %nctaid.x;
  mov.u32 %r7, %ctaid.x;
  mad.lo.u32 %r8, %r5, %r6, %r7;
  mov.u32 %r9, %ntid.x;
  mov.u32 %r10, %tid.x;
  mad.lo.u32 %r11, %r8, %r9, %r10;
  mul.wide.u32 %rd3, %r11, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r12, partial;
  shl.b32 %r13, %r10, 2;
  add.u32 %r14, %r12, %r13;
  xor.b32 %r15, %r13, 128;
  add.u32 %r16, %r12, %r15;
  mov.u32 %r17, 0;
LOOP:
  ld.global.u32 %r18, [%rd4];
  ld.global.u32 %r19, [%rd4+512];
  add.u32 %r17, %r17, %r18;
  st.shared.u32 [%r14], %r17;
  bar.sync 0;
  ld.shared.u32 %r20, [%r16];
  mad.lo.u32 %r17, %r20, 3, %r19;
  bar.sync 0;
  add.s64 %rd4, %rd4, 128;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  st.global.u32 [%rd5+128], %r17;
  red.global.add.u32 [%rd2], %r17;
  ret;
}
)";

// The first thread of each CTA takes a lock, adds to a word without an atomic, and returns it.
constexpr const char* kLock = R"(
.visible .entry lock(.param .u64 words)
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [words];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
TRY:
  atom.global.cas.b32 %r2, [%rd1], 0, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra TRY;
  membar.gl;
  ld.volatile.global.u32 %r3, [%rd1+128];
  add.u32 %r3, %r3, 1;
  st.volatile.global.u32 [%rd1+128], %r3;
  membar.gl;
  atom.global.exch.b32 %r4, [%rd1], 0;
DONE:
  bar.sync 0;
  ret;
}
)";

struct Shape {
  Dim3 grid;
  std::uint32_t warps, trips;
};

struct Outcome {
  std::string memory, results;
  std::uint64_t thread_instructions;
};

Outcome outcome_of(DeviceBench& bench) {
  const std::string results = gpu::results_text(bench.device);
  return {bench.memory(), results,
          nlohmann::json::parse(results)["totals"]["thread_instructions"].get<std::uint64_t>()};
}

config::RunSpec spec_of(const std::string& policy, std::uint32_t threads) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480", {});
  spec.scheduler = "gto";
  spec.cta_scheduler = policy;
  spec.threads = threads;
  spec.share_always = true;
  return spec;
}

// Two launches: a policy's state must not reach the second one.
Outcome neighbours(const std::string& policy, const Shape& shape, std::uint32_t threads = 1) {
  DeviceBench bench(spec_of(policy, threads));
  const std::size_t words = shape.grid.count() * shape.warps * 32 + 32 * shape.trips + 256;
  std::vector<std::uint32_t> values(words);
  for (std::size_t i = 0; i < words; ++i) values[i] = static_cast<std::uint32_t>(i * 40503u);
  const auto in = bench.copy(values), out = bench.zeros<std::uint32_t>(words);
  for (int launch = 0; launch < 2; ++launch)
    bench.run(kNeighbours, "neighbours", shape.grid, {shape.warps * 32, 1, 1}, in, out,
              shape.trips);
  return outcome_of(bench);
}

// The options that select other rules. Short periods let small programs see
// many decisions.
std::vector<std::string> options() {
  return {"mapped:direction=x",
          "mapped:direction=y,dealing=ceil",
          "mapped:direction=y,steal=yes",
          "lcs:decides=each_sm,rounding=down",
          "bcs:block=3",
          "dyncta:period=256,idle=300,memory_low=0,memory_high=1",
          "dyncta:period=256,memory_low=8,memory_high=16,start=all",
          "equalizer:epoch=256,agreeing_epochs=1,bandwidth=0",
          "clustered:direction=x",
          "clustered:direction=y,binding=redirect",
          "clustered:direction=x,agents=1",
          "paver:segment=16,lines=4",
          "paver:partition=spanning_tree,steal=no,group=3"};
}
std::vector<std::string> policies() {
  std::vector<std::string> names = options();
  for (const auto& info : gpu::list_cta_policies()) names.push_back(info.name);
  return names;
}

// The grids: one CTA; fewer CTAs than SMs; three dimensions; many CTAs with many barriers; CTAs
// that use a whole SM.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {{{1, 1, 1}, 2, 5},
                                         {{7, 1, 1}, 3, 5},
                                         {{5, 4, 3}, 2, 6},
                                         {{80, 1, 1}, 4, 6},
                                         {{3, 12, 1}, 4, 6}};
  return all;
}

TEST(CtaOptionLaws, NoGridGetsAnotherOutputOrOtherThreadInstructions) {
  for (const Shape& shape : shapes()) {
    const Outcome reference = neighbours("rr", shape);
    for (const std::string& policy : policies()) {
      SCOPED_TRACE(policy + ", " + std::to_string(shape.grid.count()) + " CTAs");
      const Outcome run = neighbours(policy, shape);
      EXPECT_EQ(run.memory == reference.memory, true);
      EXPECT_EQ(run.thread_instructions, reference.thread_instructions);
    }
  }
}

TEST(CtaOptionLaws, TheNumberOfThreadsChangesNothing) {
  for (const std::string& policy : options()) {
    SCOPED_TRACE(policy);
    const Outcome one = neighbours(policy, {{40, 1, 1}, 4, 4});
    check_recorded("neighbours, " + policy, one.results);
    for (const std::uint32_t threads : {2u, 3u, 8u})
      EXPECT_EQ(neighbours(policy, {{40, 1, 1}, 4, 4}, threads).results, one.results) << threads;
  }
}

TEST(CtaOptionLaws, AGridOfManyCtasEnds) {
  for (const std::string& policy : policies()) {
    SCOPED_TRACE(policy);
    DeviceBench bench(spec_of(policy, 1));
    const auto words = bench.zeros<std::uint32_t>(64 * 2500 + 256);
    bench.run(kNeighbours, "neighbours", {25, 50, 2}, {32, 1, 1}, words, words, 1u);
    EXPECT_EQ(bench.device.results().back().ctas.count, 2500u);
  }
}

TEST(CtaOptionLaws, APausedCtaThatHoldsALockDoesNotStopTheOthers) {
  for (const std::string& policy : policies()) {
    SCOPED_TRACE(policy);
    DeviceBench bench(spec_of(policy, 1));
    const auto words = bench.zeros<std::uint32_t>(64);
    bench.run(kLock, "lock", {100, 1, 1}, {64, 1, 1}, words);
    std::uint32_t sum = 0;
    std::memcpy(&sum, bench.memory().data() + 128, sizeof sum);
    EXPECT_EQ(sum, 100u);
  }
}

std::string without_own_statistics(const Outcome& outcome) {
  auto results = nlohmann::json::parse(outcome.results);
  const auto erase = [](nlohmann::json& values) {
    values.erase("policy");
    values.erase("cta_sharing");
  };
  erase(results["totals"]);
  for (auto& kernel : results["kernels"]) erase(kernel);
  return results.dump();
}

TEST(CtaOptionLaws, PoliciesThatChangeNothingEqualRoundRobin) {
  const Shape shape{{70, 2, 1}, 4, 5};
  const std::string rr = without_own_statistics(neighbours("rr", shape));
  for (const char* same : {"bcs:block=1", "dyncta:start=all,memory_low=1048576",
                           "equalizer:agreeing_epochs=100", "mapped:direction=register"})
    EXPECT_EQ(without_own_statistics(neighbours(same, shape)), rr) << same;
  EXPECT_NE(without_own_statistics(neighbours("bcs", shape)), rr);
}

}  // namespace
}  // namespace heddle::laws::cta
