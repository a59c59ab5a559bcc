// Which context is current, what host functions of streams may call, and the blocks that a kernel
// accepts.
#include "driver_program.h"

#include <cuda_runtime_api.h>

#include <initializer_list>
#include <thread>

namespace {

CUdeviceptr data;

void the_primary_context_follows_the_runtime() {
  CUcontext current = nullptr, of_stream = nullptr, of_default = nullptr, popped = nullptr;
  CUdevice device = 7;
  int active = 7;
  unsigned flags = 7;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 0);
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == nullptr);
  EXPECT(cuCtxGetDevice(&device) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuStreamGetCtx(nullptr, &current) == CUDA_ERROR_INVALID_CONTEXT);

  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 1);
  OK(cuCtxGetCurrent(&current));
  OK(cuStreamGetCtx(stream, &of_stream));
  OK(cuStreamGetCtx(nullptr, &of_default));
  EXPECT(current && of_stream == current && of_default == current);
  OK(cuStreamGetCtx(CU_STREAM_PER_THREAD, &of_default));
  EXPECT(of_default == current);
  OK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  CUcontext retained = nullptr;
  OK(cuDevicePrimaryCtxRetain(&retained, 0));
  EXPECT(retained == current);
  OK(cuDevicePrimaryCtxRelease(0));
  OK(cuCtxPushCurrent(of_stream));
  OK(cuCtxPopCurrent(&popped));
  EXPECT(popped == of_stream);
  void* memory = nullptr;
  CUcontext of_memory = nullptr;
  EXPECT(cudaMalloc(&memory, 256) == cudaSuccess);
  data = reinterpret_cast<CUdeviceptr>(memory);
  OK(cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_CONTEXT, data));
  EXPECT(of_memory == current);

  CUcontext in_thread = current;
  std::thread([&] { cuCtxGetCurrent(&in_thread); }).join();
  EXPECT(in_thread == nullptr);
}

void contexts_of_the_driver_are_a_stack() {
  CUcontext primary = nullptr, made = nullptr, current = nullptr;
  CUstream stream;
  OK(cuCtxGetCurrent(&primary));
  OK(cuCtxCreate(&made, CU_CTX_SCHED_YIELD, 0));
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == made && made != primary);
  unsigned flags = 0;
  OK(cuCtxGetFlags(&flags));
  EXPECT(flags == CU_CTX_SCHED_YIELD);
  unsigned long long id = 0, other = 0;
  OK(cuCtxGetId(nullptr, &id));
  OK(cuCtxGetId(primary, &other));
  EXPECT(id != other);
  OK(cuStreamCreate(&stream, 0));
  OK(cuCtxSetCurrent(primary));
  OK(cuStreamGetCtx(stream, &current));
  EXPECT(current == made);
  OK(cuCtxDestroy(made));
  EXPECT(cuCtxDestroy(made) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxPushCurrent(made) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxSetCurrent(made) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxPushCurrent(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
}

int called = 0;

void refuse_everything_that_needs_a_context() {
  CUdeviceptr base;
  CUcontext context;
  CUdevice device;
  CUevent event;
  CUfunction function = nullptr;
  size_t bytes, total;
  unsigned type;
  void* host;
  EXPECT(cuMemGetAddressRange(&base, &bytes, data) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuCtxGetDevice(&device) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuStreamQuery(nullptr) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuMemGetInfo(&bytes, &total) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data) ==
         CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuMemAlloc(&base, 4) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuMemFree(data) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuMemAllocHost(&host, 8) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuMemsetD8(data, 0, 1) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuEventCreate(&event, 0) == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_NOT_PERMITTED);
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) != CUDA_SUCCESS);
  EXPECT(cudaMalloc(&host, 4) == cudaErrorNotPermitted);
  EXPECT(cudaDeviceSynchronize() == cudaErrorNotPermitted);
  EXPECT(cudaGetLastError() == cudaErrorNotPermitted);
  int value = 0;
  const char* name = nullptr;
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  EXPECT(value == 32);
  OK(cuDriverGetVersion(&value));
  OK(cuGetErrorName(CUDA_ERROR_NOT_PERMITTED, &name));
  ++called;
}

void host_functions_must_not_call_cuda() {
  CUstream stream;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuMemsetD8Async(data, 1, 256, stream));
  OK(cuStreamAddCallback(
      stream, [](CUstream, CUresult, void*) { refuse_everything_that_needs_a_context(); }, nullptr,
      0));
  OK(cuLaunchHostFunc(stream, [](void*) { refuse_everything_that_needs_a_context(); }, nullptr));
  OK(cuStreamSynchronize(stream));
  EXPECT(called == 2);
  EXPECT(cudaGetLastError() == cudaSuccess);  // of this thread
  OK(cuMemFree(data));
}

const char* const kBounds = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry exactly() .reqntid 8, 4 { ret; }
.visible .entry at_most() .maxntid 8, 4 { ret; }
)";

CUresult launch(CUfunction function, unsigned x, unsigned y, unsigned z) {
  return cuLaunchKernel(function, 1, 1, 1, x, y, z, 0, nullptr, nullptr, nullptr);
}

void kernels_have_the_blocks_that_they_were_compiled_for() {
  CUmodule module;
  CUfunction exactly, at_most;
  OK(cuModuleLoadData(&module, kBounds));
  OK(cuModuleGetFunction(&exactly, module, "exactly"));
  OK(cuModuleGetFunction(&at_most, module, "at_most"));
  OK(launch(exactly, 8, 4, 1));
  EXPECT(launch(exactly, 32, 1, 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(launch(exactly, 8, 2, 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchCooperativeKernel(exactly, 1, 1, 1, 4, 8, 1, 0, nullptr, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  CUDA_KERNEL_NODE_PARAMS node = {};
  node.func = exactly;
  node.gridDimX = node.gridDimY = node.gridDimZ = 1;
  node.blockDimX = 16, node.blockDimY = node.blockDimZ = 1;
  CUgraph graph;
  CUgraphNode added;
  OK(cuGraphCreate(&graph, 0));
  EXPECT(cuGraphAddKernelNode(&added, graph, nullptr, 0, &node) == CUDA_ERROR_INVALID_VALUE);
  OK(launch(at_most, 32, 1, 1));
  EXPECT(launch(at_most, 33, 1, 1) == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  for (CUfunction function : {exactly, at_most}) {
    int threads = 0;
    OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    EXPECT(threads == 32);
  }
}

}  // namespace

int main() {
  the_primary_context_follows_the_runtime();
  contexts_of_the_driver_are_a_stack();
  host_functions_must_not_call_cuda();
  kernels_have_the_blocks_that_they_were_compiled_for();
  return report();
}
