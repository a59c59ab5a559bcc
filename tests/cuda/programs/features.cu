// Uses the runtime API beyond malloc, memcpy and launches. Prints PASS or the failed check.
#include <cooperative_groups.h>
#include <cstring>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

__managed__ int total = 5;
__constant__ int addend;

__global__ void add(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += addend;
  if (i == 0) total += n;
}
__global__ void arrive(unsigned* count, unsigned* seen) {
  if (threadIdx.x == 0) atomicAdd(count, 1u);
  auto token = cg::this_grid().barrier_arrive();
  cg::this_grid().barrier_wait(static_cast<decltype(token)&&>(token));
  if (threadIdx.x == 0) seen[blockIdx.x] = *(volatile unsigned*)count;
  cg::this_grid().sync();
}

void managed_and_mapped_memory() {
  int one = 1;
  OK(cudaMemcpyToSymbol(addend, &one, sizeof one));
  int* data = nullptr;
  OK(cudaMallocManaged(&data, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) data[i] = i;
  add<<<4, 32>>>(data, 100);
  OK(cudaDeviceSynchronize());
  EXPECT(data[99] == 100 && total == 105);

  int *mapped = nullptr, *device = nullptr;
  OK(cudaHostAlloc(&mapped, 400, cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer(&device, mapped, 0));
  std::memset(mapped, 0, 400);
  add<<<4, 32>>>(device, 100);
  OK(cudaDeviceSynchronize());
  EXPECT(mapped[7] == 1);

  std::vector<int> own(100, 3);
  OK(cudaHostRegister(own.data(), 400, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(&device, own.data() + 10, 0));
  add<<<1, 32>>>(device, 1);
  EXPECT(own[9] == 3 && own[10] == 4);
  OK(cudaHostUnregister(own.data()));
  EXPECT(own[10] == 4);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, data));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT(cudaFree(mapped) == cudaErrorInvalidValue);
  OK(cudaFreeHost(mapped));
  OK(cudaFree(data));
  cudaGetLastError();
}

void arrays() {
  float in[12], out[12] = {};
  for (int i = 0; i < 12; ++i) in[i] = static_cast<float>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, 4, 3));
  OK(cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(out, 8, array, 8, 1, 8, 2, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 6 && out[1] == 7 && out[2] == 10 && out[3] == 11);
  EXPECT(cudaMemcpy2DToArray(array, 8, 0, in, 16, 16, 1, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  cudaGetLastError();
  cudaArray_t volume;
  OK(cudaMalloc3DArray(&volume, &format, make_cudaExtent(2, 2, 3)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in, 8, 2, 2);
  copy.dstArray = volume;
  copy.extent = make_cudaExtent(2, 2, 3);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms back = {};
  back.srcArray = volume;
  back.srcPos = make_cudaPos(1, 0, 2);
  back.dstPtr = make_cudaPitchedPtr(out, 4, 1, 2);
  back.extent = make_cudaExtent(1, 2, 1);
  back.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&back));
  EXPECT(out[0] == 9 && out[1] == 11);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  cudaResourceDesc asked = {};
  OK(cudaGetTextureObjectResourceDesc(&asked, object));
  EXPECT(asked.res.array.array == array);
  OK(cudaDestroyTextureObject(object));
  EXPECT(cudaDestroyTextureObject(object) == cudaErrorInvalidValue);
  cudaGetLastError();
  OK(cudaFreeArray(array));
  OK(cudaFreeArray(volume));
}

void count_call(void* calls) { ++*static_cast<int*>(calls); }

void graphs() {
  int *data, calls = 0, result = 0;
  OK(cudaMalloc(&data, 400));
  OK(cudaMemset(data, 0, 400));
  cudaStream_t stream, helper;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreate(&helper));
  cudaEvent_t fork, join;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  cudaGraph_t graph;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<4, 32, 0, stream>>>(data, 100);
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(helper, fork, 0));
  OK(cudaLaunchHostFunc(helper, count_call, &calls));
  OK(cudaEventRecord(join, helper));
  OK(cudaStreamWaitEvent(stream, join, 0));
  OK(cudaMemcpyAsync(&result, data + 5, 4, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(result == 0 && calls == 0);
  size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 3);
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(result == 3 && calls == 3);

  cudaGraph_t built;
  OK(cudaGraphCreate(&built, 0));
  cudaGraphNode_t clear, kernel;
  cudaMemsetParams fill = {data, 0, 7, 4, 100, 1};
  OK(cudaGraphAddMemsetNode(&clear, built, nullptr, 0, &fill));
  int n = 50;
  void* arguments[] = {&data, &n};
  cudaKernelNodeParams parameters = {(void*)add, dim3(4), dim3(32), 0, arguments, nullptr};
  OK(cudaGraphAddKernelNode(&kernel, built, &clear, 1, &parameters));
  cudaGraphExec_t second;
  OK(cudaGraphInstantiate(&second, built, nullptr, nullptr, 0));
  OK(cudaGraphLaunch(second, stream));
  int values[2];
  OK(cudaMemcpy(values, data + 49, 8, cudaMemcpyDeviceToHost));
  EXPECT(values[0] == 8 && values[1] == 7);
  n = 60;
  OK(cudaGraphExecKernelNodeSetParams(second, kernel, &parameters));
  OK(cudaGraphLaunch(second, stream));
  OK(cudaMemcpy(values, data + 59, 8, cudaMemcpyDeviceToHost));
  EXPECT(values[0] == 8 && values[1] == 7);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphExecDestroy(second));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(built));
  OK(cudaStreamDestroy(stream));
  OK(cudaStreamDestroy(helper));
  OK(cudaFree(data));
}

void cooperative() {
  unsigned* counts;
  OK(cudaMalloc(&counts, 64));
  OK(cudaMemset(counts, 0, 64));
  unsigned* seen = counts + 1;
  void* arguments[] = {&counts, &seen};
  OK(cudaLaunchCooperativeKernel(arrive, dim3(10), dim3(64), arguments));
  unsigned host[11];
  OK(cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 10 && host[1] == 10 && host[10] == 10);
  EXPECT(cudaLaunchCooperativeKernel(arrive, dim3(100000), dim3(64), arguments) ==
         cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  OK(cudaFree(counts));
}

int main() {
  managed_and_mapped_memory();
  arrays();
  graphs();
  cooperative();
  return report();
}
