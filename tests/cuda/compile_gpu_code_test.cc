#include "cuda/compile/gpu_code.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/temporary_folder.h"
#include "cuda/compile/compile.h"
#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

// Stand-ins for NVIDIA's programs, first in PATH: they write what they were asked for.
class GpuCode : public testing::Test {
 protected:
  GpuCode() : path_(std::getenv("PATH")) {
    write("ptxas", "case \"$*\" in *sm_99*) exit 1;; esac\necho \"cubin $2 of $(cat $5)\" > $4\n");
    write("fatbinary",
          "for word; do case $word in --create=*) to=${word#--create=};; esac; done\n"
          "for word; do echo ${word%%,file=*} >> $to; done\n");
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~GpuCode() override { setenv("PATH", path_.c_str(), 1); }

  void write(const char* name, const std::string& text) {
    const fs::path file = folder_.path() / name;
    std::ofstream(file) << "#!/bin/sh\n" << text;
    fs::permissions(file, fs::perms::owner_all);
  }
  std::string made(const std::vector<int>& architectures) {
    return fat_binary_of("the PTX", 75, architectures, CommandRunner(false, false), folder_.path());
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(GpuCode, AFatBinaryHasMachineCodeOfEachArchitectureAndThePtx) {
  const std::string fat = made({80, 90});
  EXPECT_NE(fat.find("--image3=kind=elf,sm=80\n--image3=kind=elf,sm=90\n--image3=kind=ptx,sm=75\n"),
            std::string::npos)
      << fat;
  EXPECT_EQ(read_file(folder_.path() / "gpu_code.90.cubin"), "cubin -arch=sm_90 of the PTX\n");
}

TEST_F(GpuCode, AFailureOfPtxasEndsTheCompilation) { EXPECT_THROW(made({80, 99}), UserError); }

TEST_F(GpuCode, AMissingProgramIsNamedWithThePlacesWhereItWasLookedFor) {
  const std::string message = message_of([&] { find_cuda_tool("ptxas-that-nobody-has"); });
  EXPECT_NE(message.find("needs ptxas-that-nobody-has of NVIDIA's CUDA toolkit"), std::string::npos)
      << message;
}

TEST_F(GpuCode, TheOptionTakesAListOfArchitectures) {
  EXPECT_EQ(parse_arguments({"--gpu-code", "sm_80,sm_90", "a.cu"}).gpu_code,
            (std::vector<int>{80, 90}));
  EXPECT_THROW(parse_arguments({"--gpu-code", "ampere", "a.cu"}), UserError);
}

}  // namespace
}  // namespace heddle::cuda
