// PTX libraries that are loaded at run time, kernels as handles, and batches of copies.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>

#include "check.h"

static const char* const kText = R"(.version 7.0
.target sm_50
.address_size 64
.visible .global .align 4 .u32 step = 3;
.visible .entry scale(.param .u64 out, .param .u32 by) {
  .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [by]; mov.u32 %r2, %tid.x; ld.global.u32 %r3, [step];
  mad.lo.u32 %r4, %r2, %r1, %r3; mul.wide.u32 %rd2, %r2, 4;
   add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r4; ret;
}
.visible .entry idle() { ret; }
)";

__global__ void own(int* out, short by) { out[threadIdx.x] = by; }

static void check_library() {
  cudaLibrary_t library = nullptr;
  EXPECT(cudaLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0) ==
         cudaSuccess);
  unsigned count = 0;
  EXPECT(cudaLibraryGetKernelCount(&count, library) == cudaSuccess && count == 2);
  cudaKernel_t kernels[2] = {}, scale = nullptr, none = nullptr;
  EXPECT(cudaLibraryEnumerateKernels(kernels, 2, library) == cudaSuccess);
  EXPECT(cudaLibraryGetKernel(&scale, library, "scale") == cudaSuccess &&
         (scale == kernels[0] || scale == kernels[1]));
  EXPECT(cudaLibraryGetKernel(&none, library, "nowhere") == cudaErrorSymbolNotFound);
  EXPECT(cudaGetLastError() == cudaErrorSymbolNotFound);
  int *out = nullptr, host[32] = {};
  cudaMalloc(&out, sizeof host);
  unsigned by = 5;
  void* arguments[] = {&out, &by};
  EXPECT(cudaLaunchKernel(reinterpret_cast<const void*>(scale), 1, 32, arguments, 0, nullptr) ==
         cudaSuccess);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  EXPECT(host[7] == 38);
  void* step = nullptr;
  size_t bytes = 0;
  EXPECT(cudaLibraryGetGlobal(&step, &bytes, library, "step") == cudaSuccess && bytes == 4);
  const unsigned larger = 100;
  cudaMemcpy(step, &larger, 4, cudaMemcpyHostToDevice);
  cudaLaunchKernel(reinterpret_cast<const void*>(scale), 1, 32, arguments, 0, nullptr);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  EXPECT(host[7] == 135);
  size_t offset = 0;
  EXPECT(cudaFuncGetParamInfo(reinterpret_cast<const void*>(scale), 1, &offset, &bytes) ==
             cudaSuccess &&
         offset == 8 && bytes == 4);
  EXPECT(cudaFuncGetParamInfo(reinterpret_cast<const void*>(scale), 2, &offset, &bytes) ==
         cudaErrorInvalidValue);
  const char* name = nullptr;
  EXPECT(cudaFuncGetName(&name, reinterpret_cast<const void*>(scale)) == cudaSuccess &&
         std::strcmp(name, "scale") == 0);
  EXPECT(cudaKernelSetAttributeForDevice(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024,
                                         0) == cudaSuccess);
  EXPECT(cudaLibraryUnload(library) == cudaSuccess);
  EXPECT(cudaLibraryGetKernelCount(&count, library) != cudaSuccess);
  cudaGetLastError();
  EXPECT(cudaLibraryLoadData(&library, ".version 7.0\n.target sm_50\nfrob", nullptr, nullptr, 0,
                             nullptr, nullptr, 0) == cudaErrorInvalidPtx);
  cudaGetLastError();
  cudaFree(out);
}

static void check_own_kernels() {
  cudaKernel_t kernel = nullptr;
  size_t offset = 0, bytes = 0;
  int *out = nullptr, host = 0;
  cudaMalloc(&out, 128);
  short by = 9;
  void* arguments[] = {&out, &by};
  EXPECT(cudaGetKernel(&kernel, reinterpret_cast<const void*>(own)) == cudaSuccess);
  EXPECT(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 32, arguments, 0, nullptr) ==
         cudaSuccess);
  cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost);
  EXPECT(host == 9);
  cudaFunction_t function = nullptr;
  EXPECT(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(own)) == cudaSuccess &&
         function);
  EXPECT(cudaFuncGetParamInfo(reinterpret_cast<const void*>(own), 1, &offset, &bytes) ==
             cudaSuccess &&
         offset == 8 && bytes == 2);
  cudaFree(out);
}

static void check_batches() {
  int from[3] = {4, 5, 6}, to[3] = {};
  int* device = nullptr;
  cudaMalloc(&device, sizeof from);
  void* in[] = {device, device + 1, device + 2};
  void* host[] = {&from[2], &from[1], &from[0]};
  void* back[] = {&to[0], &to[1], &to[2]};
  size_t sizes[] = {4, 4, 4}, first[] = {0}, wrong[] = {1};
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  EXPECT(cudaMemcpyBatchAsync(in, host, sizes, 3, &attributes, first, 1, stream) == cudaSuccess);
  EXPECT(cudaMemcpyBatchAsync(back, in, sizes, 3, &attributes, first, 1, stream) == cudaSuccess);
  cudaStreamSynchronize(stream);
  EXPECT(to[0] == 6 && to[1] == 5 && to[2] == 4);
  EXPECT(cudaMemcpyBatchAsync(in, host, sizes, 3, &attributes, wrong, 1, stream) ==
         cudaErrorInvalidValue);
  cudaGetLastError();
  int* managed = nullptr;
  cudaMallocManaged(&managed, 4096);
  void* stretches[] = {managed, managed + 512};
  size_t lengths[] = {2048, 2048};
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  EXPECT(cudaMemPrefetchBatchAsync(stretches, lengths, 2, &place, first, 1, 0, stream) ==
         cudaSuccess);
  cudaMemLocation places[] = {place, {}};  // each stretch has its own
  places[1].type = cudaMemLocationTypeHost;
  size_t each[] = {0, 1};
  int last = 0;
  EXPECT(cudaMemPrefetchBatchAsync(stretches, lengths, 2, places, each, 2, 0, stream) ==
         cudaSuccess);
  cudaMemRangeGetAttribute(&last, sizeof last, cudaMemRangeAttributeLastPrefetchLocation,
                           stretches[1], lengths[1]);
  EXPECT(last == cudaCpuDeviceId);
  EXPECT(cudaMemDiscardBatchAsync(stretches, lengths, 2, 0, stream) == cudaSuccess);
  cudaStreamDestroy(stream);
  cudaFree(managed);
  cudaFree(device);
}

int main() {
  check_library();
  check_own_kernels();
  check_batches();
  return report();
}
