// The measures of a co-run, and how they are read from what the processes write.
#include <gtest/gtest.h>

#include <filesystem>

#include "lab/corun.h"
#include "lab/process.h"
#include "lab/run.h"
#include "lab/store/run_record.h"

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
  try {
    corun(request, 1, {});
    ADD_FAILURE() << "an empty capture was accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find(capture), std::string::npos) << error.what();
  }
}

}  // namespace heddle::lab
