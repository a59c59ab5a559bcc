// What the patches of heddle cc repair, asked of the clang that is found. A patch is needed as long
// as this clang alone rejects the text, or compiles it to what nvcc does not; and it works as long
// as heddle cc accepts the text. docs/compile.md says what to do when a test fails.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/input_file.h"
#include "cuda/compile/compile.h"
#include "cuda/compile/patches/tidy_branches.h"
#include "cuda/compile/process.h"
#include "cuda/compile/toolchain.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLateMember =
    "template <class T> struct M { T v; M f(M a) { a.none(v); return a; } };\n"
    "__global__ void k(int* x) { *x = M<int>{2}.v; }\n";

class Clang : public testing::Test {
 protected:
  Clang() { fs::create_directories(folder_); }
  ~Clang() override { fs::remove_all(folder_); }

  // The PTX of clang alone, with Heddle's headers and the flags of heddle cc that programs need;
  // empty when it rejects the text.
  std::string alone(const std::string& source, const Command& flags = {}) const {
    const Toolchain tools = find_toolchain();
    std::ofstream(folder_ / "k.cu") << source;
    fs::remove(folder_ / "k.ptx");
    Command command{tools.clang,
                    "-xcuda",
                    "-nocudainc",
                    "-nocudalib",
                    "--cuda-path=" + folder_.string(),
                    "-Wno-unknown-cuda-version",
                    "--cuda-gpu-arch=sm_75",
                    "--cuda-device-only",
                    "-D__CUDACC__",
                    "-isystem",
                    tools.include,
                    "-include",
                    "cuda_runtime.h",
                    "-std=c++17",
                    "-O2",
                    "-S",
                    folder_ / "k.cu",
                    "-o",
                    folder_ / "k.ptx"};
    command.insert(command.end(), flags.begin(), flags.end());
    return run(command, "/dev/null") == 0 ? read_file(folder_ / "k.ptx") : "";
  }
  std::string of_heddle(const std::string& source) const {
    std::ofstream(folder_ / "k.cu") << source;
    fs::remove(folder_ / "k.ptx");
    const int status = compile(parse_arguments(
        {"-ptx", "-O2", (folder_ / "k.cu").string(), "-o", (folder_ / "k.ptx").string()}));
    return status == 0 ? read_file(folder_ / "k.ptx") : "";
  }
  // Clang alone rejects every text, heddle cc accepts all of them.
  void check_patched(const std::vector<const char*>& texts) const {
    std::string all;
    int number = 0;
    for (const char* text : texts) {
      EXPECT_EQ(alone(text), "") << "this clang accepts the text, so its patch is not needed:\n"
                                 << text;
      all += "namespace n" + std::to_string(++number) + " {\n" + text + "}\n";
    }
    EXPECT_NE(of_heddle(all), "") << "a message of this clang is not the one of the patch";
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }

  const fs::path folder_ = fs::temp_directory_path() / ("clang_test_" + std::to_string(getpid()));
};

TEST_F(Clang, RejectsTextThatSourcePatchesCorrect) {
  check_patched({
      "__global__ void k(int* x) { asm(\"mov.u32 %0, %laneid;\" : \"=r\"(*x)); }\n",
      "template <int N> __global__ void k(int* x) { asm(\"mov.u32 %0, %smid;\" : \"=r\"(*x)); }\n"
      "template __global__ void k<1>(int*);\ntemplate __global__ void k<2>(int*);\n",
      "__global__ void k(int* x) { __shared__ alignas(16) int s[4]; *x = s[*x]; }\n",
      "struct S { int x; };\n"
      "__global__ void k(int* x) { extern __shared__ S s; s.x = *x; x[1] = s.x; }\n",
      "__global__ void k();\nvoid f() { k<< <1, 32>> >(); }\n",
      "__global__ void k();\nvoid f() { k<<<1, {8, 4}>>>(); }\n",
      "#define UNROLL #pragma unroll\n__global__ void k(int* x) {\n  UNROLL\n"
      "  for (int i = 0; i < 4; ++i) x[i] = i;\n}\n",
      "__global__ void k(int* x) { asm(\"add.s32 %0, %1, %2;\" : \"=r\"(*x)\n"
      "  : \"r\"(x[1]) \"r\"(x[2])); }\n",
  });
}

TEST_F(Clang, RejectsMeaningsThatSourcePatchesCorrect) {
  check_patched({
      "__global__ void k(int* x) { __device__ __shared__ int s[4]; *x = s[*x]; }\n",
      "__global__ void child(int* x) { *x = 1; }\n"
      "__global__ void k(int* x) { child<<<1, 1>>>(x); }\n",
      "template <class T> __global__ void child(T* x) { *x = 1; }\n"
      "__global__ void k(int* x) { child<int><<<1, 1>>>(x); }\n",
      "template <class T> struct Cast {\n"
      "  template <int N> static __device__ T to(T x) { return x + N; }\n};\n"
      "template <class T> __global__ void k(T* x) { *x = Cast<T>::to<2>(*x); }\n"
      "template __global__ void k<int>(int*);\n",
      "template <class T> struct Cast {\n"
      "  template <class U> static __device__ T from() { return T(U(1)); }\n};\n"
      "template <class T> __global__ void k(T* x) { *x = Cast<T>::from<int>(); }\n"
      "template __global__ void k<int>(int*);\n",
      "template <class T> struct Cast {\n"
      "  template <int N> __device__ T to(T x) { return x + N; }\n};\n"
      "template <class T, int N> __global__ void k(T* x) {\n  Cast<T> c;\n  *x = c.to<N>(*x);\n}\n"
      "template __global__ void k<int, 2>(int*);\n",
      "__device__ int of_all;\n"
      "__global__ void k(size_t* x) { *x = __cvta_generic_to_shared(&of_all); }\n",
      "struct texture { int x; };\n__global__ void k(texture* t) { t->x = 1; }\n",
      kLateMember,
  });
}

TEST_F(Clang, RejectsAProgramsOwnWarpSize) {
  for (const char* words : {"inline constexpr", "const"}) {
    const std::string source = std::string(words) +
                               " int warpSize = 32;\n"
                               "__global__ void k(int* x) { *x = warpSize; }\n";
    EXPECT_EQ(alone(source), "") << "the option of the patch is not needed";
    EXPECT_NE(of_heddle(source), "") << words;
  }
}

TEST_F(Clang, AcceptsALateMemberWithItsOption) {
  EXPECT_NE(alone(kLateMember, {"-fdelayed-template-parsing"}), "");
}

TEST_F(Clang, MergesAsmStatementsThatReadTheClock) {
  const char* const source =
      "static __inline__ __device__ unsigned now() {\n"
      "  unsigned t; asm(\"mov.u32 %0, %%clock;\" : \"=r\"(t)); return t;\n}\n"
      "__global__ void k(unsigned* x) { x[0] = now(); x[1] = now(); }\n";
  EXPECT_EQ(count(alone(source), "%clock;"), 1u) << "asm_order is not needed";
  EXPECT_EQ(count(of_heddle(source), "%clock;"), 2u);
}

// Its option saturates to the type of the result.
TEST_F(Clang, ConvertsFloatsTo16Bits) {
  const char* const source =
      "__global__ void k(unsigned char* x, const float* y) { *x = (unsigned char)*y; }\n";
  EXPECT_EQ(count(alone(source), "cvt.rzi.s16.f32"), 1u) << "narrow_conversions is not needed";
  EXPECT_EQ(count(of_heddle(source), "cvt.rzi.s16.f32"), 0u);
  EXPECT_NE(alone(source, {"-fno-strict-float-cast-overflow"}).find("min"), std::string::npos)
      << "-fno-strict-float-cast-overflow may convert as nvcc does";
}

TEST_F(Clang, AlignsLocalDataForItsOwnType) {
  const char* const source =
      "__device__ __noinline__ int f(const int* x) { return x[0] + x[3]; }\n"
      "__global__ void k(int* x) { int s[4] = {x[0], x[1], x[2], x[3]}; *x = f(s); }\n";
  EXPECT_NE(alone(source).find(".local .align 4 .b8 \t__local_depot"), std::string::npos)
      << "local_data is not needed:\n"
      << alone(source);
  EXPECT_NE(of_heddle(source).find(".local .align 16 .b8 \t__local_depot"), std::string::npos);
}

TEST_F(Clang, DoesNotInvertBranches) {
  const char* const source =
      "__global__ void k(int* x, int n) { for (int i = n; i != 1; i = i & 1 ? 3 * i + 1 : i / 2) "
      "*x += i; }\n";
  const std::string plain = alone(source, {"-mllvm", "-disable-block-placement"});
  EXPECT_NE(tidy_branches(plain), plain) << "tidy_branches is not needed";
}

TEST_F(Clang, KnowsNoAttributesOfKernels) {
  for (const char* attribute : {"maxnreg(64)", "cluster_dims(2, 1, 1)"})
    EXPECT_EQ(alone("__global__ void __attribute__((" + std::string(attribute) + ")) k() {}\n",
                    {"-Werror=unknown-attributes", "-Werror=ignored-attributes"}),
              "")
        << "kernel_attributes is not needed for " << attribute;
}

TEST_F(Clang, KnowsNoGridConstants) {
  EXPECT_EQ(alone("struct S { int x[4]; };\n"
                  "__global__ void k(const __attribute__((grid_constant)) S s) {}\n",
                  {"-Werror=unknown-attributes"}),
            "")
      << "grid_constants is not needed";
}

}  // namespace
}  // namespace heddle::cuda
