// libnvvm: IR becomes PTX that runs, with NVVM's own intrinsics, the device mathematics and the
// options; mistakes have NVIDIA's results and a log.
#include "driver_program.h"

#include <dlfcn.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// out[lane] = shfl_xor(lane, 1) + 100 * ballot(lane < 3); floats[lane] = exp(in) * 2^-130
const char* const kKernel = R"(
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %out, ptr %floats, float %x, float %tiny) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %exchanged = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %lane, i32 1, i32 31)
  %other = extractvalue {i32, i1} %exchanged, 0
  %low = icmp ult i32 %lane, 3
  %voted = call {i32, i1} @llvm.nvvm.vote.sync(i32 -1, i32 3, i1 %low)
  %votes = extractvalue {i32, i1} %voted, 0
  %scaled = mul i32 %votes, 100
  %sum = add i32 %other, %scaled
  %place = getelementptr i32, ptr %out, i32 %lane
  store i32 %sum, ptr %place
  %e = call float @__nv_expf(float %x)
  %product = fmul float %e, %tiny
  %fplace = getelementptr float, ptr %floats, i32 %lane
  store float %product, ptr %fplace
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.vote.sync(i32, i32, i1)
declare float @__nv_expf(float)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)";

using Program = void*;
template <class Signature>
Signature* call(const char* name) {
  static void* const library =
      dlopen((std::string(std::getenv("CUDA_HOME")) + "/nvvm/lib64/libnvvm.so").c_str(), RTLD_NOW);
  void* const address = library ? dlsym(library, name) : nullptr;
  if (!address) std::printf("FAIL: no %s\n", name);
  return reinterpret_cast<Signature*>(address);
}

std::string device_mathematics() {
  std::ifstream file(std::string(std::getenv("CUDA_HOME")) + "/nvvm/libdevice/libdevice.10.bc",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The result of the compilation, and the PTX or the log.
int compiled(const std::string& ir, std::vector<const char*> options, std::string& text) {
  static const std::string mathematics = device_mathematics();
  Program program = nullptr;
  call<int(Program*)>("nvvmCreateProgram")(&program);
  const auto add = [&](const char* name, const std::string& module) {
    return call<int(Program, const char*, size_t, const char*)>(name)(program, module.data(),
                                                                      module.size(), "module");
  };
  EXPECT(ir.empty() || add("nvvmAddModuleToProgram", ir) == 0);
  EXPECT(add("nvvmLazyAddModuleToProgram", mathematics) == 0);
  const int result = call<int(Program, int, const char**)>("nvvmCompileProgram")(
      program, static_cast<int>(options.size()), options.data());
  const bool good = result == 0;
  size_t size = 0;
  call<int(Program, size_t*)>(good ? "nvvmGetCompiledResultSize" : "nvvmGetProgramLogSize")(program,
                                                                                            &size);
  text.resize(size);
  call<int(Program, char*)>(good ? "nvvmGetCompiledResult" : "nvvmGetProgramLog")(program,
                                                                                  text.data());
  EXPECT(call<int(Program*)>("nvvmDestroyProgram")(&program) == 0 && !program);
  return result;
}

void runs(const char* flush, float expected) {
  std::string ptx;
  EXPECT(compiled(kKernel, {"-arch=compute_70", "-opt=3", flush}, ptx) == 0);
  CUmodule module;
  CUfunction k;
  OK(cuModuleLoadData(&module, ptx.c_str()));
  OK(cuModuleGetFunction(&k, module, "k"));
  CUdeviceptr out, floats;
  OK(cuMemAlloc(&out, 128));
  OK(cuMemAlloc(&floats, 128));
  float x = 1, tiny = 0x1p-130F;
  void* arguments[] = {&out, &floats, &x, &tiny};
  OK(cuLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  std::array<int, 32> words{};
  std::array<float, 32> numbers{};
  OK(cuMemcpyDtoH(words.data(), out, 128));
  OK(cuMemcpyDtoH(numbers.data(), floats, 128));
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT(words[lane] == (lane ^ 1) + 700);
    EXPECT(numbers[lane] == expected);
  }
  OK(cuModuleUnload(module));
}

}  // namespace

int main() {
  CUcontext context;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  runs("-ftz=0", std::exp(1.0F) * 0x1p-130F);
  runs("-ftz=1", 0);
  std::string log;
  EXPECT(compiled("define void @k( {", {}, log) == 6);  // invalid IR
  EXPECT(log.find("module:1:") != std::string::npos);
  EXPECT(compiled(kKernel, {"-nonsense"}, log) == 7);  // invalid option
  EXPECT(log.find("-nonsense") != std::string::npos);
  EXPECT(compiled("", {}, log) == 8);  // no module
  EXPECT(compiled(R"(
define i32 @f(i32 %x) {
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %x)
  ret i32 %same
}
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
)",
                  {"-arch=compute_61"}, log) != 0);
  EXPECT(log.find("llvm.nvvm.match.any.sync.i32 does not exist on compute_61") !=
         std::string::npos);
  return report();
}
