#include "cuda/compile/missing_parts.h"

#include <cstdio>
#include <utility>

namespace heddle::cuda {

void print_absent_libraries(const std::string& source, const std::string& messages) {
  constexpr std::pair<const char*, const char*> absent[] = {
      {"'cutlass/", "CUTLASS"},
      {"'cuda/", "this part of libcu++"},
      {"identifier 'cublas", "cuBLAS"},
      {"identifier 'cufft", "cuFFT"},
      {"identifier 'cusparse", "cuSPARSE"},
      {"identifier 'cusolver", "cuSOLVER"},
      {"identifier 'nvrtc", "NVRTC"},
      {"identifier 'curand", "cuRAND's host API"},
      {"'cudaGL.h' file", "OpenGL"},
      {"'cudnn.h' file", "cuDNN"},
      {"'cudpp.h' file", "CUDPP"},
      {"'cufftw.h' file", "cuFFTW"},
      {"'nccl.h' file", "NCCL"},
      {"'npp.h' file", "NPP"},
      {"'nvml.h' file", "NVML"},
      {"'cusolverMg.h' file", "cuSOLVER"},
      {"'cusparseLt.h' file", "cuSPARSELt"},
      {"'cutensor.h' file", "cuTENSOR"},
      {"'nvjpeg.h' file", "nvJPEG"},
      {"'nvgraph.h' file", "nvGRAPH"},
      {"'cupti.h' file", "CUPTI"},
      {"'nvJitLink.h' file", "nvJitLink"},
      {"'nvshmem.h' file", "NVSHMEM"}};
  for (const auto& [mark, name] : absent) {
    if (messages.find(mark) != std::string::npos)
      std::fprintf(stderr, "heddle cc: %s uses %s, which Heddle does not have\n", source.c_str(),
                   name);
  }
}

void print_missing_packages(const std::string& messages) {
  for (const char* folder : {"'thrust/", "'cub/"}) {
    const std::size_t at = messages.find(folder);
    if (at == std::string::npos || messages.find("file not found", at) == std::string::npos)
      continue;
    std::fputs(
        "heddle cc: Thrust and CUB are missing; install the Debian packages libthrust-dev and "
        "libcub-dev\n",
        stderr);
    return;
  }
}

bool is_absent_library(const std::string& flag) {
  constexpr const char* libraries[] = {"-lcufftw",    "-lcusolverMg", "-lcudnn",      "-lnvrtc",
                                       "-lnpp",       "-lcudpp",      "-lnvToolsExt", "-lculibos",
                                       "-lnvJitLink", "-lcusparseLt", "-lnvidia-ml"};
  for (const char* library : libraries)
    if (flag.starts_with(library)) return true;
  return false;
}

}  // namespace heddle::cuda
