// Laws of the warp scheduler ps with marks in PTX: it never hangs, and computes the same results
// with every CTA scheduler, order, limiter and number of threads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "gpu/cta/catalogue.h"
#include "gpu/results_json.h"
#include "tests/laws/device_bench.h"

namespace heddle::laws {
namespace {

// Five warps per CTA sum columns in a marked loop with a barrier in each iteration.
constexpr const char* kColumns = R"(
.visible .entry columns(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[640];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r11, %ctaid.y;
  mov.u32 %r3, %nctaid.x;
  mad.lo.u32 %r2, %r11, %r3, %r2;
  mad.lo.u32 %r4, %r2, 160, %r1;
  mul.wide.u32 %rd3, %r4, 32;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r5, tile;
  shl.b32 %r6, %r1, 2;
  add.u32 %r7, %r5, %r6;
  mov.u32 %r8, 0;
  mov.u32 %r9, 0;
  .pragma "heddle_ps_begin 2";
LOOP:
  ld.global.u32 %r10, [%rd4];
  st.shared.u32 [%r7], %r10;
  bar.sync 0;
  ld.shared.u32 %r10, [%r5];
  add.u32 %r8, %r8, %r10;
  bar.sync 0;
  add.s64 %rd4, %rd4, 4;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, 8;
  @%p1 bra LOOP;
  .pragma "heddle_ps_end";
  mul.wide.u32 %rd5, %r4, 4;
  add.s64 %rd6, %rd2, %rd5;
  st.global.u32 [%rd6], %r8;
  ret;
}
)";

// In one marked loop warp 0 spins until warp 1, which loads, has written a flag.
constexpr const char* kSpin = R"(
.visible .entry spin(.param .u64 in, .param .u64 flag)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [flag];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  mov.u32 %r2, 0;
LOOP:
  .pragma "heddle_ps_loop 1";
  add.u32 %r2, %r2, 1;
  @%p1 bra WAIT;
  ld.global.u32 %r3, [%rd1];
  add.s64 %rd1, %rd1, 256;
  setp.ge.u32 %p2, %r2, 4;
  bra NEXT;
WAIT:
  ld.volatile.global.u32 %r3, [%rd2];
  setp.ne.u32 %p2, %r3, 0;
NEXT:
  @!%p2 bra LOOP;
  @%p1 bra DONE;
  mov.u32 %r4, 1;
  st.global.u32 [%rd2], %r4;
DONE:
  ret;
}
)";

struct PsOutcome {
  std::string results, memory;
};

config::RunSpec ps_spec(const std::string& scheduler, const std::string& ctas = "rr",
                        std::uint32_t threads = 1) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480", {"clusters=4"});
  spec.scheduler = scheduler;
  spec.cta_scheduler = ctas;
  spec.threads = threads;
  spec.share_always = true;
  return spec;
}

PsOutcome run_columns(const config::RunSpec& spec) {
  constexpr std::size_t kThreads = 6 * 5 * 160;
  DeviceBench bench(spec);
  std::vector<std::uint32_t> in(kThreads * 8);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<std::uint32_t>(i * 2654435761u >> 8);
  const auto from = bench.copy(in), to = bench.zeros<std::uint32_t>(kThreads);
  bench.run(kColumns, "columns", {6, 5, 1}, {160, 1, 1}, from, to);
  return {gpu::results_text(bench.device), bench.memory()};
}

std::uint64_t ps_counter(const std::string& results, const char* name) {
  return nlohmann::json::parse(results)["totals"]["policy"]["ps"][name];
}

}  // namespace

TEST(PsLaws, BarriersInMarkedLoopsArePassedUnderEveryCompositionAndCtaScheduler) {
  const std::string expected = run_columns(ps_spec("gto")).memory;
  for (const char* policy : {"ps", "ps:mode=prioritize", "ps:members=rank+lrr", "ps:patience=0",
                             "ps+ccws", "ccws+ps+oldest", "ps+swl:warps=3", "ps+daws"}) {
    const PsOutcome outcome = run_columns(ps_spec(policy));
    EXPECT_TRUE(outcome.memory == expected) << policy;
    EXPECT_EQ(ps_counter(outcome.results, "regions"), 150u) << policy;  // 30 CTAs of five warps
  }
  for (const auto& info : gpu::list_cta_policies())
    EXPECT_TRUE(run_columns(ps_spec("ps", info.name)).memory == expected) << info.name;
  EXPECT_TRUE(run_columns(ps_spec("ps", "mapped:direction=y")).memory == expected);
}

TEST(PsLaws, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const char* ctas : {"rr", "mapped:direction=y"}) {
    const std::string alone = run_columns(ps_spec("ps:patience=300", ctas)).results;
    EXPECT_GT(ps_counter(alone, "vetoed_loads"), 0u);
    for (const std::uint32_t threads : {2u, 3u, 8u})
      EXPECT_EQ(run_columns(ps_spec("ps:patience=300", ctas, threads)).results, alone)
          << threads << " threads, " << ctas;
  }
}

TEST(PsLaws, AWarpThatSpinsUntilAVetoedWarpHasLoadedMakesProgress) {
  for (const char* policy : {"ps:patience=2000", "ps:patience=2000,mode=prioritize", "ps"}) {
    DeviceBench bench(ps_spec(policy));
    const auto in = bench.zeros<std::uint32_t>(1024), flag = bench.zeros<std::uint32_t>(1);
    bench.run(kSpin, "spin", {1, 1, 1}, {64, 1, 1}, in, flag);
    EXPECT_EQ(bench.memory().back(), '\0');
    EXPECT_EQ(bench.memory()[4096], '\1') << policy;
  }
}

}  // namespace heddle::laws
