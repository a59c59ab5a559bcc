#include "lab/parts/join.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"
#include "gpu/kernel_result.h"
#include "gpu/launch_lines.h"
#include "gpu/results_json.h"
#include "lab/measured_run.h"
#include "lab/process.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

gpu::KernelResult launch(std::uint64_t start, std::uint64_t cycles, bool functional = false) {
  gpu::KernelResult result;
  result.name = "k";
  result.start.value = start;
  result.cycles = cycles;
  result.functional = functional;
  result.warp_instructions = 10;
  result.thread_instructions = 320;
  return result;
}

std::vector<LaunchFacts> launches(std::size_t count) {
  return std::vector<LaunchFacts>(count, LaunchFacts::of(gpu::kernel_json(launch(0, 1), {})));
}

// The record of a part that took one second.
std::string record_of(const std::vector<gpu::KernelResult>& launches) {
  const TemporaryFolder folder;
  const std::string file = folder.file("results.json");
  std::string lines;
  gpu::LaunchTotals totals;
  for (const gpu::KernelResult& one : launches) {
    totals.add(one);
    lines += gpu::kernel_json(one, {}).dump() + "\n";
  }
  write_file_atomically(gpu::launch_lines_path(file, 7), lines);
  const ordered_json head{
      {"totals", totals.json({})},
      {"status", "completed"},
      {"elapsed_times", launches.size()},
      {"host", {{"wall_seconds", 1.0}, {"kernel_seconds", 0.5}, {"user_seconds", 1.0}}},
      {gpu::kLaunchesProcess, 7}};
  write_file_atomically(file, head.dump() + "\n");
  return part_record(file, {});
}

struct Joined {
  TemporaryFolder folder;
  JoinedParts parts{folder.file("results.json"), {}};
  MeasuredRun finish() {
    parts.finish(ordered_json::array({1, 2}));
    return MeasuredRun(folder.file("results.json"), {});
  }
};

TEST(JoinedParts, AreResultsWithAllTimedLaunches) {
  Joined joined;
  joined.parts.add(record_of({launch(100, 50), launch(200, 60)}), launches(2), 0);
  joined.parts.add(record_of({launch(0, 0, true), launch(0, 0, true), launch(700, 30)}),
                   launches(1), 0);
  MeasuredRun run = joined.finish();
  EXPECT_EQ(run.launches(), 3u);
  EXPECT_EQ(run.head().at("status"), "completed");
  EXPECT_EQ(run.head().at("parts").size(), 2u);
  EXPECT_EQ(run.head().at("elapsed_times"), 3u) << "of the last part, which has all";
  const ordered_json& totals = run.head().at("totals");
  EXPECT_EQ(totals.at("cycles"), 140u);
  EXPECT_EQ(totals.at("thread_instructions"), 960u);
  EXPECT_EQ(totals.at("simulated").at("functional"), 0u);
  EXPECT_EQ(totals.at("simulated").at("timed_share"), 1.0);
  EXPECT_EQ(run.head().at("host").at("wall_seconds"), 2.0);
  EXPECT_EQ(run.head().at("host").at("kernel_seconds"), 1.0);
}

// The first part ends at 260, where the second one begins.
TEST(JoinedParts, FollowEachOther) {
  Joined joined;
  joined.parts.add(record_of({launch(100, 50), launch(200, 60)}), launches(2), 0);
  joined.parts.add(record_of({launch(700, 30), launch(740, 10)}), launches(2), 0);
  MeasuredRun run = joined.finish();
  std::vector<std::uint64_t> starts;
  for (ordered_json line; run.read_launch(line);) starts.push_back(line.at("start_cycle"));
  EXPECT_EQ(starts, (std::vector<std::uint64_t>{100, 200, 260, 300}));
}

// The second part begins after a launch that ends at 690 and is not counted, with the distance of
// 10 cycles to its first launch.
TEST(JoinedParts, DoNotCountLaunchesThatWarmTheCaches) {
  Joined joined;
  joined.parts.add(record_of({launch(100, 50)}), launches(1), 0);
  joined.parts.add(record_of({launch(0, 0, true), launch(600, 90), launch(700, 30)}), launches(2),
                   1);
  MeasuredRun run = joined.finish();
  EXPECT_EQ(run.head().at("totals").at("cycles"), 80u);
  ordered_json line;
  ASSERT_TRUE(run.read_launch(line) && run.read_launch(line));
  EXPECT_EQ(line.at("start_cycle"), 160u);
}

// Launches that run at once count their common cycles once.
TEST(JoinedParts, CountOverlappingCyclesOnce) {
  Joined joined;
  joined.parts.add(record_of({launch(0, 100), launch(50, 100)}), launches(2), 0);
  joined.parts.add(record_of({launch(10, 100), launch(10, 100)}), launches(2), 0);
  EXPECT_EQ(joined.finish().head().at("totals").at("cycles"), 250u);
}

TEST(JoinedParts, RefuseAPartWithOtherLaunches) {
  Joined joined;
  std::vector<LaunchFacts> other = launches(1);
  other[0].kernel = "another";
  EXPECT_THROW(joined.parts.add(record_of({launch(0, 1)}), other, 0), UserError);
  EXPECT_THROW(joined.parts.add(record_of({launch(0, 1)}), launches(2), 0), UserError);
}

}  // namespace
}  // namespace heddle::lab
