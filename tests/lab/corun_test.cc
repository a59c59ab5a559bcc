// The measures of a co-run, and how they are read from what the processes write.
#include <gtest/gtest.h>

#include <filesystem>

#include "config/config.h"
#include "gpu/results_json.h"
#include "lab/corun.h"
#include "lab/run.h"
#include "lab/store/run_record.h"
#include "tests/error_message.h"
#include "tests/lab/sampled_launch.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// So many thread instructions in so many cycles, over some repetitions.
ordered_json program(std::uint64_t instructions, std::uint64_t cycles, int repetitions) {
  ordered_json kernels = ordered_json::array();
  if (instructions > 0) kernels.push_back({{"name", "k"}, {"cycles", cycles}});
  return {{"repetitions", repetitions},
          {"cycles", cycles},
          {"totals", {{"thread_instructions", instructions}}},
          {"kernels", kernels}};
}

ordered_json run_of(std::vector<ordered_json> programs) {
  return {{"cycles", 1000}, {"programs", std::move(programs)}, {"host", {{"kernel_seconds", 2.0}}}};
}

}  // namespace

TEST(CorunMetrics, FollowEyermanAndEeckhout) {
  // Progress 1/2 and 1/4: STP 0.75, ANTT (2 + 4) / 2, fairness 0.5.
  const double progress[] = {0.5, 0.25};
  const CorunMetrics metrics = metrics_of(progress);
  EXPECT_DOUBLE_EQ(metrics.stp, 0.75);
  EXPECT_DOUBLE_EQ(metrics.antt, 3.0);
  EXPECT_DOUBLE_EQ(metrics.fairness, 0.5);
}

TEST(Corun, ProgressIsTheIpcBesideTheIpcAlone) {
  Corun corun;
  corun.request.shares = {"even"};
  // Alone: IPC 8 and 4. Together: 4 (half) and 1 (a quarter), the second in two repetitions.
  read_corun({{run_of({program(8000, 1000, 1)}), run_of({program(4000, 1000, 1)})},
              {run_of({program(8000, 2000, 1), program(8000, 8000, 2)})}},
             corun);
  ASSERT_EQ(corun.shared.size(), 1u);
  EXPECT_DOUBLE_EQ(corun.shared[0].programs[0].progress, 0.5);
  EXPECT_DOUBLE_EQ(corun.shared[0].programs[1].progress, 0.25);
  EXPECT_DOUBLE_EQ(corun.shared[0].programs[1].cycles, 4000);
  EXPECT_DOUBLE_EQ(corun.shared[0].metrics.stp, 0.75);
  EXPECT_DOUBLE_EQ(corun.alone_host_seconds, 4.0);
}

TEST(Corun, AProgramWithoutLaunchesDoesNotCount) {
  Corun corun;
  corun.request.shares = {"even"};
  read_corun({{run_of({program(8000, 1000, 1)}), run_of({program(0, 0, 1)})},
              {run_of({program(8000, 1000, 1), program(0, 0, 1)})}},
             corun);
  EXPECT_TRUE(corun.shared[0].programs[1].idle());
  EXPECT_DOUBLE_EQ(corun.shared[0].metrics.stp, 1.0);
  EXPECT_DOUBLE_EQ(corun.shared[0].metrics.fairness, 1.0);
}

// Two repetitions, 100 cycles apart within each.
TEST(Corun, FiguresOfASampledProgramAreEstimates) {
  Corun corun;
  corun.request.shares = {"even"};
  corun.names = {"P0 k"};
  corun.spec.gpu = config::load_gpu("gtx480");
  const auto launches = [&](std::uint64_t first) {
    ordered_json list = ordered_json::array();
    for (const std::uint64_t start : {first, first + 5100})
      list.push_back(gpu::kernel_json(test::sampled_launch(start), corun.spec.gpu));
    return list;
  };
  const ordered_json sampled{{"repetitions", 2},
                             {"cycles", 20'200},
                             {"totals", {{"simulated", {{"timed_share", 0.33}}}}},
                             {"kernels", launches(0)},
                             {"repeated", launches(20'000)}};
  read_corun({{run_of({program(96'000, 15'000, 1)})}, {run_of({sampled})}}, corun);
  const CorunUnderPolicy& shared = corun.shared[0];
  const CorunProgram& one = shared.programs[0];
  EXPECT_TRUE(corun.guesses());
  EXPECT_DOUBLE_EQ(one.cycles, 30'100);
  EXPECT_EQ(one.results["totals"]["thread_instructions"], 4 * 48'000);
  EXPECT_EQ(one.results["totals"]["simulated"]["timed_share"], 0.33);
  EXPECT_EQ(one.results["kernels"][0]["cycles"], 5000) << "launches are as they were measured";
  EXPECT_DOUBLE_EQ(one.ipc, 4 * 48'000 / 60'200.0);
  EXPECT_EQ(shared.cycles, 1000 + 40'000u);
  // Of four launches that are alike, with 2 degrees of freedom: 4 * (4.303 * 65.83 + 100).
  EXPECT_NEAR(shared.cycles_bar, 4.303 * 4 * 65.83 + 400, 0.1);
  EXPECT_DOUBLE_EQ(one.cycles_bar, shared.cycles_bar / 2);
  EXPECT_DOUBLE_EQ(one.progress, one.ipc / 6.4);
  EXPECT_DOUBLE_EQ(one.progress_bar, one.progress * one.cycles_bar / one.cycles);
  EXPECT_DOUBLE_EQ(shared.bars.stp, one.progress_bar);
  EXPECT_TRUE(corun.json()["shared"][0].contains("bars"));
}

TEST(Corun, MeasuredFiguresHaveNoBars) {
  Corun corun;
  corun.names = {"P0 k"};
  corun.request.shares = {"even"};
  read_corun({{run_of({program(8000, 1000, 1)})}, {run_of({program(8000, 2000, 1)})}}, corun);
  EXPECT_FALSE(corun.guesses());
  EXPECT_FALSE(corun.json()["shared"][0].contains("bars"));
}

TEST(CorunMetrics, BarsOfProgramsOfOneRunAddUp) {
  const double progress[] = {0.5, 0.25}, bars[] = {0.01, 0.01};
  const CorunMetrics sum = bars_of(progress, bars);
  EXPECT_DOUBLE_EQ(sum.stp, 0.02);
  EXPECT_DOUBLE_EQ(sum.antt, (0.01 / 0.25 + 0.01 / 0.0625) / 2);
  EXPECT_DOUBLE_EQ(sum.fairness, 0.5 * (0.01 / 0.25 + 0.01 / 0.5));
}

TEST(Corun, TooManyProgramsAreRefused) {
  CorunRequest request;
  EXPECT_THROW(corun(request, 1, {}), UserError);
  request.programs.assign(17, {"a.hcap"});
  EXPECT_THROW(corun(request, 1, {}), UserError);
}

// A capture is of the functional run, whatever policies the co-run has: an empty file in its place
// is found, and refused.
TEST(Corun, ACaptureIsKeptForEveryPolicy) {
  const TemporaryFolder folder;
  const std::string program = folder.file("program");
  write_file_atomically(program, "#!/bin/sh\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  RunRequest captured;
  captured.program = {program};
  captured.functional = true;
  const std::string capture = folder.file(
      "program-" + content_hash(PreparedRun(captured).spec().to_json() + file_hash(program)) +
      ".hcap");
  write_file_atomically(capture, "");
  CorunRequest request;
  request.run.scheduler = "lrr";
  request.run.cta_scheduler = "bcs";
  request.programs = {{program}};
  request.kept = folder.path().string();
  const std::string message = message_of([&] { corun(request, 1, {}); });
  EXPECT_NE(message.find(capture), std::string::npos) << message;
}

}  // namespace heddle::lab
