// heddle-replay is the process of a described kernel, so the tests run it through heddle.
#include "cuda/replay/kernel_host.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

class KernelHosts : public testing::Test {
 protected:
  KernelHosts() {
    fs::copy(HEDDLE_SOURCE_DIR "/tests/golden/kernels", folder_.path(),
             fs::copy_options::recursive);
    saxpy_ = read_file(folder_.file("saxpy.toml"));
  }
  // Returns what the run prints.
  std::string run(const std::string& description, const std::string& options = "") {
    const std::string command = "cd " + folder_.path().string() +
                                " && exec " HEDDLE_BINARY_DIR
                                "/bin/heddle run --quiet --functional " +
                                options + " " + description + " > printed 2>&1";
    exit_code_ = WEXITSTATUS(std::system(command.c_str()));
    return read_file(folder_.file("printed"));
  }
  // saxpy.toml with another text in the place of one.
  std::string run_with(const std::string& text, const std::string& other) {
    std::string changed = saxpy_;
    const std::size_t at = changed.find(text);
    EXPECT_NE(at, std::string::npos);
    write_file_atomically(folder_.file("changed.toml"), changed.replace(at, text.size(), other));
    return run("changed.toml");
  }
  void check_refusal(const std::string& printed, const std::string& message) const {
    EXPECT_NE(printed.find("heddle: error: changed.toml:" + message), std::string::npos) << printed;
    EXPECT_EQ(exit_code_, static_cast<int>(ExitCode::usage));
  }

  TemporaryFolder folder_;
  std::string saxpy_;
  int exit_code_ = 0;
};

TEST_F(KernelHosts, LaunchesShareBuffers) {
  EXPECT_EQ(run("saxpy.toml"),
            "y: 1,000 elements equal the expected ones within rtol 1e-05 and atol 0, the largest "
            "difference is 0\nPASS\n");
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(read_npy_header(folder_.file("y.npy")).shape, (Shape{{1000}, false}));
}

TEST_F(KernelHosts, OtherElementsThanExpectedFail) {
  const std::string printed = run_with("step = 5", "step = 4");
  EXPECT_EQ(printed,
            "y: 999 of 1,000 elements do not equal the expected ones within rtol 1e-05 and atol 0; "
            "the first is [1]: 6, expected 5\nFAIL\n");
  EXPECT_EQ(exit_code_, 1);
}

TEST_F(KernelHosts, LaunchesThatDoNotFitTheKernelAreRefused) {
  check_refusal(run_with("\"saxpy\"", "\"axpy\""),
                "16:1: saxpy.ptx has no kernel axpy; it has saxpy");
  check_refusal(run_with(", \"x\", \"y\"]", ", \"x\"]"),
                "16:1: kernel saxpy has 4 parameters, and there are 3 arguments");
  check_refusal(run_with("{i32 = 1000}", "{i64 = 1000}"),
                "20:14: argument 1 has 8 bytes, the kernel's parameter 4");
  check_refusal(run_with("block = 128", "block = 4096"),
                "16:1: launch of saxpy: invalid configuration argument");
  check_refusal(run_with("shape = 1000", "shape = 1000000000000"), " buffer x of 4000000000000");
}

TEST_F(KernelHosts, AFaultEndsTheRunAsThatOfAProgram) {
  const std::string printed =
      run_with("{i32 = 1000}, {f32 = 2}, \"x\"", "{i32 = 1000}, {f32 = 2}, {u64 = 64}");
  EXPECT_NE(printed.find("out-of-bounds load of 4 bytes\n  kernel   saxpy  (saxpy.ptx:36)"),
            std::string::npos)
      << printed;
  EXPECT_EQ(exit_code_, static_cast<int>(ExitCode::simulation));
}

TEST_F(KernelHosts, TritonsCacheIsLaunchedAsItIs) {
  EXPECT_NE(run("triton").find("PASS"), std::string::npos);
}

TEST_F(KernelHosts, MachineCodeOfFatBinariesRuns) {
  fs::copy(HEDDLE_SOURCE_DIR "/tests/golden/machine_code/vecadd.fatbin", folder_.path());
  write_file_atomically(folder_.file("fat.toml"), R"(module = "vecadd.fatbin"
[buffers.x]
type = "f32"
shape = 256
fill = "arange"
[buffers.sum]
type = "f32"
shape = 256
fill = 7
expected = {fill = "arange", step = 2}
[[launches]]
kernel = "add"
grid = 2
block = 128
arguments = ["x", "x", "sum", {i32 = 256}]
)");
  EXPECT_NE(run("fat.toml", "--gpu rtx2060").find("PASS"), std::string::npos);
}

TEST_F(KernelHosts, DamagedModulesAreRefusedByName) {
  write_file_atomically(folder_.file("saxpy.ptx"), "\177ELF");
  const std::string printed = run("saxpy.toml");
  EXPECT_NE(printed.find("saxpy.ptx: "), std::string::npos) << printed;
  EXPECT_EQ(exit_code_, static_cast<int>(ExitCode::usage));
}

}  // namespace
}  // namespace heddle::cuda
