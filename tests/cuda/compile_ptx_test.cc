// Properties of the generated PTX on which results and timing depend.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/input_file.h"
#include "cuda/compile/compile.h"
#include "cuda/compile/toolchain.h"
#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

class CompiledPtx : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle-compile-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string ptx_of(const std::string& source, std::vector<std::string> flags = {}) {
    std::ofstream(folder_ / "k.cu") << source;
    flags.insert(flags.end(),
                 {"-ptx", (folder_ / "k.cu").string(), "-o", (folder_ / "k.ptx").string()});
    EXPECT_EQ(compile(parse_arguments(flags)), 0);
    return read_file(folder_ / "k.ptx");
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  fs::path folder_;
};

constexpr const char* kArithmetic =
    "__global__ void k(float* x) {\n"
    "  x[0] = x[1] / x[2];\n"
    "  x[3] = sqrtf(x[4]) + rsqrtf(x[5]);\n"
    "  x[6] = x[7] * x[8] + x[9];\n"
    "}\n";

TEST_F(CompiledPtx, DivisionAndSquareRootAreRoundedAndProductsAndSumsAreFused) {
  const std::string ptx = ptx_of(kArithmetic);
  for (const char* instruction :
       {"div.rn.f32", "sqrt.rn.f32", "rsqrt.approx.f32", "fma.rn.f32", ".target sm_75"}) {
    EXPECT_TRUE(has(ptx, instruction)) << instruction;
  }
}

TEST_F(CompiledPtx, FastMathUsesApproximateInstructionsAndFlushesDenormals) {
  const std::string ptx = ptx_of(
      std::string(kArithmetic) +
          "__global__ void s(float* x) { *x = sinf(*x) + cosf(*x) + expf(*x) + powf(*x, x[1]); }",
      {"-use_fast_math"});
  for (const char* instruction :
       {"div.approx.ftz.f32", "sqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32", "fma.rn.ftz.f32",
        "sin.approx.ftz.f32", "cos.approx.ftz.f32", "ex2.approx.ftz.f32", "lg2.approx.ftz.f32"}) {
    EXPECT_TRUE(has(ptx, instruction)) << instruction;
  }
}

TEST_F(CompiledPtx, ArithmeticOptionsActIndependently) {
  const std::string apart = ptx_of(kArithmetic, {"-fmad=false"});
  EXPECT_FALSE(has(apart, "fma."));
  EXPECT_TRUE(has(apart, "mul.rn.f32") || has(apart, "mul.f32"));
  const std::string flushed = ptx_of(kArithmetic, {"-ftz=true"});
  EXPECT_TRUE(has(flushed, "fma.rn.ftz.f32") && has(flushed, "div.rn.ftz.f32"));
  EXPECT_TRUE(has(ptx_of(kArithmetic, {"-prec-div=false"}), "div.full.f32"));
  EXPECT_TRUE(has(ptx_of(kArithmetic, {"-prec-sqrt=false"}), "sqrt.approx.f32"));
  EXPECT_TRUE(has(ptx_of(kArithmetic, {"-maxrregcount=24"}), ".maxnreg 24\n{"));
}

// ptxas refuses loads that prefetch into the L2 cache before PTX 7.4.
TEST_F(CompiledPtx, HasTheVersionThatInlineCodeForAnA100Needs) {
  const std::string ptx = ptx_of(
      "__global__ void k(int* x) {\n"
      "  asm volatile(\"ld.global.L2::128B.b32 %0, [%1];\" : \"=r\"(x[1]) : \"l\"(x));\n"
      "}\n",
      {"-arch=sm_80"});
  EXPECT_TRUE(has(ptx, ".version 7.4")) << ptx.substr(0, 200);
}

TEST_F(CompiledPtx, KernelAttributesBecomeDirectives) {
  const std::string source =
      "template <int n> __global__ void __cluster_dims__(n, 2) __maxnreg__(n * 20) k(int* p) { *p "
      "= "
      "n; }\ntemplate __global__ void k<2>(int*);\n__global__ void plain(int* p) { *p = 1; }\n";
  const std::string ptx = ptx_of(source, {"-arch=sm_90", "-maxrregcount", "50"});
  const auto directives_of = [&](const char* kernel) {
    const std::size_t entry = ptx.find(kernel), end = ptx.find(')', entry);
    return ptx.substr(end + 1, ptx.find('{', entry) - end - 1);
  };
  const std::string own = directives_of(".entry _Z1k");
  EXPECT_TRUE(has(own, ".explicitcluster\n.reqnctapercluster 2, 2\n")) << own;
  EXPECT_TRUE(has(own, ".maxnreg 40\n")) << own;
  EXPECT_FALSE(has(own, ".maxnreg 50")) << own;
  const std::string other = directives_of(".entry _Z5plain");
  EXPECT_TRUE(has(other, ".maxnreg 50\n")) << other;
  EXPECT_FALSE(has(other, "cluster")) << other;
}

TEST_F(CompiledPtx, GridConstantsAreReadWhereTheyAre) {
  const std::string source =
      "template <class A, class B> struct Pair { A a[32]; B b; };\n"
      "__global__ void k(int* p, const __grid_constant__ Pair<int, float> s,\n"
      "                  const __grid_constant__ int n,\n"
      "                  const __grid_constant__ Pair<char, int> t) {\n"
      "  asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(&s));\n"
      "  asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(&t));\n  *p = s.a[1] + n;\n}\n";
  const std::string own = ptx_of(source, {"-arch=sm_90"});
  EXPECT_FALSE(has(own, ".local")) << own;
  EXPECT_TRUE(has(own, "cvta.param.u64")) << own;
}

TEST_F(CompiledPtx, ClustersNeedAnArchitectureThatHasThem) {
  std::ofstream(folder_ / "c.cu") << "\n__global__ void __cluster_dims__(2, 1, 1) k() {}\n";
  const std::string message = message_of([&] {
    (void)compile(parse_arguments(
        {"-ptx", "-arch=sm_80", (folder_ / "c.cu").string(), "-o", (folder_ / "c.ptx").string()}));
  });
  EXPECT_TRUE(has(message, "c.cu:2: __cluster_dims__ needs -arch=sm_90")) << message;
}

TEST_F(CompiledPtx, LaunchesOfOverloadedKernelsFromDeviceCodeAreExplained) {
  std::ofstream(folder_ / "bad.cu")
      << "__global__ void k(int) {}\n__global__ void k(float) {}\n"
         "__global__ void parent(int n) {\n  if (n) k<<<1, 1>>>(n - 1);\n}\n";
  testing::internal::CaptureStderr();
  const int status = compile(
      parse_arguments({"-c", (folder_ / "bad.cu").string(), "-o", (folder_ / "bad.o").string()}));
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, 2);
  EXPECT_TRUE(has(message, "bad.cu:4:") &&
              has(message, "launches kernels from device code (dynamic parallelism)"))
      << message;
}

TEST_F(CompiledPtx, ModulesArchivesAndDeviceLinksAreWritten) {
  std::ofstream(folder_ / "k.cu") << kArithmetic;
  const auto path = [&](const char* name) { return (folder_ / name).string(); };
  ASSERT_EQ(compile(parse_arguments({"-fatbin", path("k.cu"), "-o", path("k.fatbin")})), 0);
  EXPECT_TRUE(has(read_file(folder_ / "k.fatbin"), ".entry"));
  ASSERT_EQ(compile(parse_arguments({"-c", path("k.cu"), "-o", path("k.o")})), 0);
  ASSERT_EQ(compile(parse_arguments({"-lib", path("k.o"), "-o", path("libk.a")})), 0);
  EXPECT_TRUE(has(read_file(folder_ / "libk.a"), "!<arch>"));
  ASSERT_EQ(compile(parse_arguments({"-dlink", path("k.o"), "-o", path("link.o")})), 0);
  EXPECT_TRUE(has(read_file(folder_ / "link.o"), "ELF"));
}

TEST_F(CompiledPtx, SourceLinesAreRecordedAndDoNotChangeTheCode) {
  const std::string ptx = ptx_of(kArithmetic);
  EXPECT_TRUE(has(ptx, "k.cu\""));
  EXPECT_TRUE(has(ptx, ".loc\t1 2 "));
  EXPECT_TRUE(has(ptx, ".loc\t1 4 "));
}

TEST_F(CompiledPtx, AnAtomicHasTheLineOfItsCall) {
  const std::string ptx =
      ptx_of("__global__ void k(int* x) {\n  atomicAdd(x + threadIdx.x, 1);\n}\n");
  const auto at = ptx.find("atom.global.add.u32");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(ptx.substr(ptx.rfind(".loc", at), 9), ".loc\t1 2 ");
}

TEST_F(CompiledPtx, MathematicsIsInlined) {
  const std::string ptx = ptx_of(
      "__global__ void k(double* x) { *x = sin(*x) + pow(*x, 3.3) + erf(*x) + tanf(x[1]) + "
      "powf(x[2], x[3]); }");
  EXPECT_FALSE(has(ptx, "call")) << ptx;
  EXPECT_FALSE(has(ptx, ".extern")) << ptx;
}

TEST_F(CompiledPtx, ALoopEndsInOneBranch) {
  const std::string ptx = ptx_of(
      "__global__ void k(float* x, int n) {\n#pragma unroll 1\n  for (int i = 0; i < n; ++i) x[i] "
      "*= 2; }");
  EXPECT_FALSE(has(ptx.substr(ptx.find("st.global"),
                              ptx.find("bra", ptx.find("st.global")) - ptx.find("st.global") + 8),
                   "bra.uni"))
      << ptx;
}

TEST_F(CompiledPtx, AnErrorOfTheProgramHasExitCodeTwo) {
  std::ofstream(folder_ / "bad.cu") << "__global__ void k(float* x) { *x = undeclared; }\n";
  testing::internal::CaptureStderr();
  const int status = compile(
      parse_arguments({"-c", (folder_ / "bad.cu").string(), "-o", (folder_ / "bad.o").string()}));
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, 2);
}

TEST_F(CompiledPtx, BesselFunctionsAreInlinedWithTheirCoefficients) {
  const std::string ptx = ptx_of(
      "__global__ void k(double* x, float* y) { x[0] = jn(3, x[1]) + y1(x[2]) + "
      "cyl_bessel_i0(x[3]); y[0] = ynf(2, y[1]) + cyl_bessel_i1f(y[2]); "
      "}\n");
  EXPECT_FALSE(has(ptx, "__nv_"));
  EXPECT_FALSE(has(ptx, "heddle_bessel_far"));
  EXPECT_FALSE(has(ptx, "polynomial"));
}

TEST_F(CompiledPtx, AnMtgp32GeneratorIsAnErrorAtItsLine) {
  std::ofstream(folder_ / "bad.cu")
      << "#include <curand_kernel.h>\n__global__ void k(curandStateMtgp32_t* s) {}\n";
  testing::internal::CaptureStderr();
  const int status = compile(
      parse_arguments({"-c", (folder_ / "bad.cu").string(), "-o", (folder_ / "bad.o").string()}));
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, 2);
  EXPECT_TRUE(has(
      message,
      "bad.cu:2:19: error: 'curandStateMtgp32_t' is unavailable: Heddle has no MTGP32 generators"))
      << message;
}

// Programs ask whether the header exists and do without the library.
TEST_F(CompiledPtx, AnAbsentLibraryHasNoHeader) {
  const std::string source = (folder_ / "k.cu").string(), ptx = (folder_ / "k.ptx").string();
  ptx_of("#if __has_include(<nvml.h>)\n#include <nvml.h>\n#endif\n");
  std::ofstream(source) << "#include <nvml.h>\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(compile(parse_arguments({"-ptx", source, "-o", ptx})), 2);
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(has(message, "k.cu uses NVML, which Heddle does not have")) << message;
}

// Helper headers of the samples test these names before they declare texts of statuses.
TEST_F(CompiledPtx, HostCodeHasTheStatesOfGeneratorsAndTheGuardsOfLibraries) {
  const std::string source = (folder_ / "host.cpp").string();
  std::ofstream(source) << "#include <curand_kernel.h>\n#include <cufft.h>\n"
                           "#include <cusolverDn.h>\n#include <cusparse.h>\n"
                           "#include <cublasXt.h>\n#include <cusolverRf.h>\n"
                           "#include <cusolverSp_LOWLEVEL_PREVIEW.h>\n"
                           "#if !defined(CUBLAS_API_H_) || !defined(_CUFFT_H_) || "
                           "!defined(CUSPARSEAPI) || !defined(CUSOLVER_COMMON_H_) || "
                           "!defined(CURAND_H_)\n#error\n#endif\n"
                           "unsigned size() { return sizeof(curandState); }\n"
                           "int refused(cublasXtHandle_t h) { return cublasXtDestroy(h); }\n"
                           "int refused(cusolverRfHandle_t h) { return cusolverRfSolve(h); }\n";
  EXPECT_EQ(compile(parse_arguments({"-c", source, "-o", (folder_ / "host.o").string()})), 0);
}

TEST_F(CompiledPtx, ACallThatALibraryLacksIsRefusedWhenItIsCalled) {
  const std::string object = (folder_ / "k.o").string(), source = (folder_ / "k.cu").string();
  std::ofstream(source)
      << "#include <cublas_v2.h>\n#include <nvrtc.h>\nstruct Context {\n"
         "  cublasHandle_t handle;\n"
         "  cublasHandle_t get() { cublasCreate(&handle); return handle; }\n"
         "  const char* why(cublasStatus_t s) { return cublasGetStatusString(s); }\n};\n"
         "__global__ void k() {}\n"
         "int f(nvrtcProgram* p) { return nvrtcDestroyProgram(p) == NVRTC_ERROR_INTERNAL_ERROR; "
         "}\n";
  EXPECT_EQ(compile(parse_arguments({"-c", source, "-o", object})), 0);
}

TEST_F(CompiledPtx, CublasDeclaresTheSmallTypesOfItsOperands) {
  EXPECT_TRUE(has(ptx_of("#include <cublas_v2.h>\n"
                         "extern \"C\" __global__ void k(__nv_bfloat16*, __half*) {}\n"),
                  ".entry k"));
}

TEST_F(CompiledPtx, AnArchitectureWithItsOwnFeaturesHasTheirMacro) {
  const std::string source =
      "#ifdef __CUDA_ARCH_FEAT_SM90_ALL\n#define NAME own\n#else\n#define NAME common\n#endif\n"
      "extern \"C\" __global__ void NAME() {}\n";
  EXPECT_TRUE(has(ptx_of(source, {"-arch=sm_90a"}), ".entry own"));
  EXPECT_TRUE(has(ptx_of(source, {"-arch=sm_90"}), ".entry common"));
  EXPECT_TRUE(has(ptx_of(source, {"-gencode", "arch=compute_90a,code=sm_90a"}), ".entry own"));
}

// CUDA 12 removed these names.
TEST_F(CompiledPtx, CusparseKeepsTheAlgorithmsOfCuda11) {
  EXPECT_TRUE(has(ptx_of("#include <cusparse.h>\n"
                         "static_assert(CUSPARSE_MV_ALG_DEFAULT == CUSPARSE_SPMV_ALG_DEFAULT);\n"
                         "static_assert(CUSPARSE_CSRMV_ALG2 == CUSPARSE_SPMV_CSR_ALG2);\n"
                         "static_assert(CUSPARSE_CSRMM_ALG1 == CUSPARSE_SPMM_CSR_ALG1);\n"
                         "extern \"C\" __global__ void k(cusparseSpMVAlg_t) {}\n"),
                  ".entry k"));
}

// CMake and gcc-style Makefiles give these without -Xcompiler.
TEST_F(CompiledPtx, InstructionSetsOfTheHostAreDeclaredOnBothSides) {
  const std::string source =
      "#ifdef __AVX2__\n#define NAME with_avx2\n#else\n#define NAME without\n#endif\n"
      "extern \"C\" __global__ void NAME() {}\n";
  EXPECT_TRUE(has(ptx_of(source, {"-mavx2"}), ".entry with_avx2"));
  EXPECT_TRUE(has(ptx_of(source), ".entry without"));
}

TEST_F(CompiledPtx, AnOutputFolderReceivesOutputsWithoutAName) {
  std::ofstream(folder_ / "k.cu") << "__global__ void k() {}\n";
  const std::string source = (folder_ / "k.cu").string();
  EXPECT_EQ(compile(parse_arguments({"-ptx", source, "-odir", folder_.string()})), 0);
  EXPECT_TRUE(fs::exists(folder_ / "k.ptx"));
}

TEST_F(CompiledPtx, DependenciesOfPtxAreThoseOfTheFileThatIsWritten) {
  std::ofstream(folder_ / "part.h") << "";
  const std::string source = "#include \"part.h\"\n__global__ void k() {}\n";
  ptx_of(source, {"-MD"});
  const std::string rule = read_file(folder_ / "k.d");
  EXPECT_TRUE(rule.starts_with((folder_ / "k.ptx").string() + ":")) << rule;
  EXPECT_TRUE(has(rule, "part.h")) << rule;
  ptx_of(source, {"-MMD", "-MF", (folder_ / "own.d").string(), "-MT", "own"});
  EXPECT_TRUE(read_file(folder_ / "own.d").starts_with("own:"));
}

TEST_F(CompiledPtx, ADryRunPrintsTheCommandsAndWritesNothing) {
  std::ofstream(folder_ / "k.cu") << "__global__ void k() {}\n";
  const std::string source = (folder_ / "k.cu").string(), out = (folder_ / "k").string();
  testing::internal::CaptureStderr();
  const int status = compile(parse_arguments({"--dryrun", source, "-o", out, "-DX=a b"}));
  const std::string commands = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(std::count(commands.begin(), commands.end(), '\n'), 4) << commands;
  EXPECT_TRUE(commands.starts_with("#$ ") && has(commands, "'-DX=a b'")) << commands;
}

TEST_F(CompiledPtx, TheHeaderOfOpenGlCompiles) {
  EXPECT_TRUE(has(ptx_of("#include <cuda_gl_interop.h>\n__global__ void k(GLuint* x) { *x = "
                         "cudaGLMapFlagsNone; }\n"
                         "void f(GLuint b) { cudaGLRegisterBufferObject(b); }\n"),
                  ".entry"));
}

TEST_F(CompiledPtx, AVariableOfAKernelMayBeDeviceAndShared) {
  const std::string ptx = ptx_of(
      "#define TILE __device__ __shared__\n"
      "__global__ void k(float* x) { TILE float s[8]; __shared__ __device__ int n; s[0] = *x; n = "
      "1; __syncthreads(); *x = s[n]; }\n");
  EXPECT_TRUE(has(ptx, ".shared")) << ptx;
}

TEST_F(CompiledPtx, TheBuiltInVariablesMayBeCopied) {
  const std::string ptx = ptx_of(
      "template <class T> __device__ int f(T t) { return t.x; }\n"
      "__global__ void k(int* x) { auto t = threadIdx; *x = t.y + f(blockIdx) + f(gridDim); }\n");
  EXPECT_TRUE(has(ptx, "%tid.y") && has(ptx, "%ctaid.x") && has(ptx, "%nctaid.x")) << ptx;
  EXPECT_FALSE(has(ptx, "threadIdx") || has(ptx, "blockIdx")) << ptx;
}

TEST_F(CompiledPtx, OverloadsOfTheStandardLibraryAreDefined) {
  const std::string ptx = ptx_of(
      "#include <cmath>\n__global__ void k(float* x) { x[0] = std::hypot(x[1], x[2]) + "
      "std::tgamma(x[3]) + std::log2(x[4]) + "
      "std::fdim(x[5], x[6]); }\n");
  EXPECT_FALSE(has(ptx, ".extern")) << ptx;
}

TEST_F(CompiledPtx, FilesAreLinkedAndKeepWritesThePtx) {
  std::ofstream(folder_ / "one.cu")
      << "template <class T> __global__ void twice(T* x) { *x += *x; }\n"
         "void start() { twice<float><<<1, 1>>>(nullptr); twice<int><<<1, 1>>>(nullptr); }\n";
  std::ofstream(folder_ / "two.cc")
      << "void start();\nint main(int n, char**) { if (n > 5) start(); }\n";
  const auto path = [&](const char* name) { return (folder_ / name).string(); };
  ASSERT_EQ(compile(parse_arguments({"-c", path("two.cc"), "-o", path("two.o")})), 0);
  ASSERT_TRUE(fs::exists(find_toolchain().library / "libcudart.so.13"))
      << "the target cudart comes first";
  ASSERT_EQ(
      compile(parse_arguments({"--keep", path("one.cu"), path("two.o"), "-o", path("program")})),
      0);
  const std::string ptx = read_file(folder_ / "one.ptx");
  EXPECT_TRUE(has(ptx, "_Z5twiceIfEvPT_"));
  EXPECT_TRUE(has(ptx, "_Z5twiceIiEvPT_"));
  EXPECT_TRUE(fs::exists(folder_ / "program"));
}

TEST_F(CompiledPtx, AnObjectContainsTheGivenPtxAndAZeroByte) {
  std::ofstream(folder_ / "k.cu") << kArithmetic;
  const std::string text = ".version 6.3\n.target sm_75\n.address_size 64\n// the given text\n";
  std::ofstream(folder_ / "given.ptx") << text;
  ASSERT_EQ(compile(parse_arguments({"-c", (folder_ / "k.cu").string(), "--device-ptx",
                                     (folder_ / "given.ptx").string(), "-o",
                                     (folder_ / "k.o").string()})),
            0);
  EXPECT_TRUE(has(read_file(folder_ / "k.o"), text + '\0'));
}

// Programs define these names as macros before they include CUDA's headers, or with -D. NVIDIA's
// headers do not use them.
constexpr const char* kMacros[] = {
    "A",    "B",      "C",     "D",    "E",          "F",         "G",    "H",    "I",     "J",
    "K",    "L",      "M",     "N",    "O",          "P",         "Q",    "R",    "S",     "U",
    "V",    "W",      "X",     "Y",    "Z",          "m",         "k",    "bits", "block", "grid",
    "lane", "stride", "WIDTH", "SIZE", "BLOCK_SIZE", "WARP_SIZE", "TILE", "PI",   "EPS"};

TEST_F(CompiledPtx, HeadersDoNotUseShortNames) {
  std::vector<std::string> flags = {"-arch=sm_80"};
  for (const char* name : kMacros) {
    if (std::string(name) != "k") flags.push_back(std::string("-D") + name + "=7+*[");
  }
  EXPECT_TRUE(has(ptx_of("extern \"C\" __global__ void kernel() {}\n", flags), ".entry kernel"));

  std::string before, after;
  for (const char* name : kMacros) {
    const std::string word = name;
    if (word == "m" || word == "k" || word == "bits")
      continue;  // NVIDIA's mma.h has the first two, cuda_fp16.h the last
    before += std::string("#define ") + name + " 7 + * [\n",
        after += std::string("#undef ") + name + "\n";
  }
  for (const char* header :
       {"cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h", "mma.h",
        "cuda_pipeline.h", "cuComplex.h", "cuda.h"}) {
    const std::string source = before + "#include <" + header + ">\n" + after +
                               "extern \"C\" __global__ void kernel() {}\n";
    EXPECT_TRUE(has(ptx_of(source, {"-arch=sm_80"}), ".entry kernel")) << header;
  }
}

}  // namespace
}  // namespace heddle::cuda
