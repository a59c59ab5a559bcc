#include "lab/measured_run.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"
#include "gpu/kernel_result.h"
#include "gpu/launch_lines.h"
#include "gpu/results_json.h"
#include "lab/process.h"

namespace heddle::lab {
namespace {

std::string line_of(const std::string& name) {
  gpu::KernelResult launch;
  launch.name = name;
  return gpu::kernel_json(launch, {}).dump() + "\n";
}

// A process that ended before its results were written has left these lines.
MeasuredRun run_with(const TemporaryFolder& folder, const std::string& lines) {
  write_file_atomically(gpu::launch_lines_path(folder.file("run.json"), 7), lines);
  return MeasuredRun(folder.file("run.json"), {});
}

TEST(MeasuredRun, IsTheTotalOfTheLaunchesThatAProcessLeft) {
  const TemporaryFolder folder;
  MeasuredRun run = run_with(folder, line_of("first") + line_of("second"));
  EXPECT_TRUE(run.written());
  EXPECT_TRUE(run.of_launches_only());
  EXPECT_EQ(run.launches(), 2u);
  nlohmann::ordered_json launch;
  ASSERT_TRUE(run.read_launch(launch));
  EXPECT_EQ(launch.at("name"), "first");
}

TEST(MeasuredRun, EndsAtALineThatWasWrittenInPart) {
  for (const std::string& part : {line_of("second").substr(0, 20), std::string(20, '\0')}) {
    const TemporaryFolder folder;
    EXPECT_EQ(run_with(folder, line_of("first") + part).launches(), 1u);
  }
}

TEST(MeasuredRun, RefusesDamagedLaunches) {
  for (const std::string damage :
       {R"({})", R"({"name": 5})", R"({"name": "k", "cycles": "many"})", R"({"grid": [1]})"}) {
    const TemporaryFolder folder;
    EXPECT_THROW(run_with(folder, line_of("first") + damage + "\n"), UserError) << damage;
  }
  for (const std::string repeated : {"7", "[1]", R"(["a", "b"])"}) {
    const TemporaryFolder folder;
    std::string line = line_of("first");
    line.insert(1, "\"" + std::string(gpu::kRepeatedCycles) + "\": " + repeated + ", ");
    EXPECT_THROW(run_with(folder, line), UserError) << repeated;
  }
}

TEST(MeasuredRun, IsWrittenWithAllItsLaunches) {
  const TemporaryFolder folder;
  MeasuredRun run = run_with(folder, line_of("first") + line_of("second"));
  const std::string path = folder.file("written.json");
  write_run_json(path, {{"kernels", nlohmann::ordered_json::array()}}, run);
  std::ifstream file(path);
  const auto json = nlohmann::ordered_json::parse(file);
  ASSERT_EQ(json.at("kernels").size(), 2u);
  EXPECT_EQ(json.at("kernels")[0].at("name"), "first");
  EXPECT_EQ(json.at("kernels")[1].at("name"), "second");
}

TEST(MeasuredRun, IsWrittenAsTheLaunchesThatAreRead) {
  const TemporaryFolder folder;
  std::string line = line_of("first");
  line.replace(
      line.rfind('}'), 1,
      ",\"" + std::string(gpu::kRepeatedCycles) + "\":{\"cycles\":4,\"cycles_without_issue\":3}}");
  MeasuredRun read = run_with(folder, line);
  nlohmann::ordered_json launch;
  ASSERT_TRUE(read.read_launch(launch));
  MeasuredRun run = run_with(folder, line);
  nlohmann::ordered_json results{{"kernels", nlohmann::ordered_json::array()}};
  write_run_json(folder.file("written.json"), results, run);
  results["kernels"].push_back(launch);
  EXPECT_EQ(read_file(folder.file("written.json")), results.dump(1) + "\n");
}

}  // namespace
}  // namespace heddle::lab
