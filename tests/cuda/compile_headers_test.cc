// The precompiled headers of heddle cc.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/input_file.h"
#include "cuda/compile/compile.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

class PrecompiledHeaders : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle-headers-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    setenv("HEDDLE_HEADER_CACHE", (folder_ / "headers").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("HEDDLE_HEADER_CACHE");
    fs::remove_all(folder_);
  }

  // The PTX, or an empty text after an error.
  std::string ptx_of(const std::string& source, std::vector<std::string> flags = {}) const {
    std::ofstream(folder_ / "k.cu") << source;
    fs::remove(folder_ / "k.ptx");
    flags.insert(flags.end(),
                 {"-ptx", (folder_ / "k.cu").string(), "-o", (folder_ / "k.ptx").string()});
    if (compile(parse_arguments(flags)) != 0) return "";
    return read_file(folder_ / "k.ptx");
  }
  std::vector<fs::path> headers() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_ / "headers"))
      found.push_back(entry.path());
    return found;
  }

  fs::path folder_;
};

constexpr const char* kKernel =
    "__global__ void k(float* x) { x[threadIdx.x] = sqrtf(x[0]) + __shfl_sync(~0u, x[1], 3); }\n";

TEST_F(PrecompiledHeaders, GiveThePtxOfTheHeadersThemselves) {
  setenv("HEDDLE_HEADER_CACHE", "", 1);
  const std::string plain = ptx_of(kKernel), fast = ptx_of(kKernel, {"-use_fast_math"});
  ASSERT_NE(plain, "");
  ASSERT_NE(plain, fast);
  setenv("HEDDLE_HEADER_CACHE", (folder_ / "headers").c_str(), 1);
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(ptx_of(kKernel), plain);
    EXPECT_EQ(ptx_of(kKernel, {"-use_fast_math"}), fast);
    EXPECT_EQ(headers().size(), 2u);  // one for each set of flags
  }
}

TEST_F(PrecompiledHeaders, ADamagedOneIsReplaced) {
  const std::string first = ptx_of(kKernel);
  ASSERT_EQ(headers().size(), 1u);
  const fs::path header = headers().front();
  const auto size = fs::file_size(header);
  std::ofstream(header, std::ios::trunc) << "damaged";
  EXPECT_EQ(ptx_of(kKernel), first);
  EXPECT_EQ(ptx_of(kKernel), first);
  ASSERT_EQ(headers(), std::vector<fs::path>{header});
  EXPECT_EQ(fs::file_size(header), size);
}

TEST_F(PrecompiledHeaders, MacrosAndFoldersOfTheProgramAreNotPrecompiled) {
  const std::string source = "__global__ void k(int* x) { *x = N; }\n";
  EXPECT_NE(ptx_of(source, {"-DN=41"}).find("41"), std::string::npos);
  EXPECT_NE(ptx_of(source, {"-DN=42", "-I" + folder_.string()}).find("42"), std::string::npos);
  EXPECT_TRUE(headers().empty());
}

TEST_F(PrecompiledHeaders, StayAfterAnErrorOfTheProgram) {
  EXPECT_EQ(ptx_of("__global__ void k(int* x) { *x = undeclared; }\n"), "");
  EXPECT_EQ(headers().size(), 1u);
}

}  // namespace
}  // namespace heddle::cuda
