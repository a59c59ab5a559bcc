// Everything that runs can report stays what it is: results with details, intervals and findings,
// and timelines.
#include <gtest/gtest.h>

#include "base/fnv.h"
#include "gpu/results_json.h"
#include "tests/gpu/watched_runs.h"
#include "tests/recorded.h"

namespace heddle::gpu {
namespace {

void check(const std::string& name, const config::RunSpec& spec) {
  DeviceBench bench(spec);
  run_watched(bench);
  const auto record = [&name](const std::string& what, const std::string& text) {
    check_recorded_text("gpu/recorded_results.txt", name + ", " + what,
                        fmt::format("{:016x}", fnv64(text)));
  };
  record("results", results_text(bench.device));
  const std::string timeline = stats::to_text(bench.device.timeline());
  record("timeline", timeline);
  EXPECT_EQ(stats::to_text(stats::timeline_from_text(timeline)), timeline);
}

TEST(RecordedResults, OfWatchedRuns) {
  for (const char* scheduler : {"gto", "ccws", "daws", "ipaws", "kaws", "swl:warps=4+lrr"})
    check(std::string("gtx480, ") + scheduler, watched("gtx480", scheduler));
  for (const char* gpu : {"h200", "h200_guided", "rtx3070"}) check(gpu, watched(gpu, "gto"));
  for (const char* share : {"spatial", "smk", "even"}) {
    config::RunSpec spec = watched("gtx480", "lrr");
    spec.share = share;
    check(share, spec);
  }
}

TEST(RecordedResults, OfCheckedRuns) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.functional = spec.check.enabled = spec.check.strict = spec.check.leaks = true;
  DeviceBench bench(spec);
  // Reads what was not written, races for one word, and skips a barrier.
  constexpr const char* kFaulty = R"(
.visible .entry faulty(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<4>;
  .shared .b32 tile[64];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, 4;
  mov.u32 %r3, tile;
  add.u32 %r3, %r3, %r2;
  ld.shared.u32 %r4, [%r3];
  st.shared.u32 [tile], %r1;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bar.sync 0, 32;
  st.global.u32 [%rd1], %r4;
  ret;
}
)";
  bench.run(kFaulty, "faulty", {2, 1, 1}, {64, 1, 1}, bench.zeros<int>(1));
  check_recorded_text("gpu/recorded_results.txt", "checked",
                      fmt::format("{:016x}", fnv64(results_text(bench.device))));
}

}  // namespace
}  // namespace heddle::gpu
