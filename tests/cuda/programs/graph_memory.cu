// Memory of graphs: its owner between launches, its reuse, and the reported sizes.
#include <cstdint>

#include "check.h"

static void ok(cudaError_t error, const char* what) { check(error == cudaSuccess, what); }

__global__ void fill(int* cells, int value) { cells[threadIdx.x] = value + threadIdx.x; }

constexpr std::uint64_t kPage = 2 << 20;

static std::uint64_t figure(cudaGraphMemAttributeType which) {
  std::uint64_t bytes = 77;
  ok(cudaDeviceGetGraphMemAttribute(0, which, &bytes), "a figure");
  return bytes;
}

static cudaMemAllocNodeParams bytes_of(size_t bytes) {
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  return p;
}

// allocate, fill, copy out, free; then the same in the freed memory.
static void addresses_are_reused_within_a_graph() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, filled, copied, freed, second, apart, ends[2];
  int host[32] = {}, value = 5;
  ok(cudaGraphCreate(&graph, 0), "a graph");
  cudaMemAllocNodeParams memory = bytes_of(kPage);
  ok(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &memory), "an allocation");
  void* const address = memory.dptr;
  void* arguments[] = {&memory.dptr, &value};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(fill), launch.gridDim = dim3(1), launch.blockDim = dim3(32),
  launch.kernelParams = arguments;
  ok(cudaGraphAddKernelNode(&filled, graph, &first, 1, &launch), "a kernel");
  ok(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host, address, sizeof host,
                              cudaMemcpyDeviceToHost),
     "a copy");
  ok(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, address), "its end");
  check(cudaGraphAddMemFreeNode(&ends[0], graph, &freed, 1, address) == cudaErrorInvalidValue,
        "freeing twice");
  int somewhere;
  check(cudaGraphAddMemFreeNode(&ends[0], graph, nullptr, 0, &somewhere) == cudaErrorInvalidValue,
        "freeing what is none");
  ok(cudaGraphAddMemAllocNode(&second, graph, &freed, 1, &memory), "a second allocation");
  check(memory.dptr == address, "the reused address");
  ok(cudaGraphAddMemFreeNode(&ends[0], graph, &second, 1, memory.dptr), "its end");
  memory = bytes_of(kPage);
  ok(cudaGraphAddMemAllocNode(&apart, graph, &copied, 1, &memory), "an allocation in parallel");
  check(memory.dptr != address, "the address in parallel");
  ok(cudaGraphAddMemFreeNode(&ends[1], graph, &apart, 1, memory.dptr), "its end");
  cudaMemAllocNodeParams stored = {};
  ok(cudaGraphMemAllocNodeGetParams(apart, &stored), "what the node says");
  check(stored.dptr == memory.dptr && stored.bytesize == kPage, "the node's answer");
  ok(cudaGraphInstantiate(&exec, graph, 0), "an executable graph");
  ok(cudaGraphDestroy(graph), "the graph's end");
  check(figure(cudaGraphMemAttrReservedMemCurrent) == 0, "the figure before the launch");
  for (int i = 0; i < 2; ++i) ok(cudaGraphLaunch(exec, nullptr), "a launch");
  ok(cudaDeviceSynchronize(), "the launches");
  check(host[0] == 5 && host[31] == 36, "the answer");
  check(figure(cudaGraphMemAttrReservedMemCurrent) == 2 * kPage, "the figure after the launch");
  ok(cudaGraphExecDestroy(exec), "the end");
  ok(cudaDeviceGraphMemTrim(0), "a trim");
  check(figure(cudaGraphMemAttrUsedMemCurrent) == 0 &&
            figure(cudaGraphMemAttrUsedMemHigh) == 2 * kPage,
        "the figures after the trim");
  std::uint64_t zero = 0, one = 1;
  check(
      cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one) == cudaErrorInvalidValue,
      "a high figure that is not reset");
  check(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero) ==
            cudaErrorInvalidValue,
        "a current figure that is set");
  ok(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero), "a reset");
  check(figure(cudaGraphMemAttrUsedMemHigh) == 0 &&
            figure(cudaGraphMemAttrReservedMemHigh) == 2 * kPage,
        "the high figures");
}

// Memory that a launch has allocated and not freed belongs to the program until it frees it.
static void the_program_frees_what_a_launch_left() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec, second;
  int *left = nullptr, host[32] = {};
  ok(cudaStreamCreate(&stream), "a stream");
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "a capture");
  ok(cudaMallocAsync(reinterpret_cast<void**>(&left), 3 * kPage - 100, stream),
     "a captured allocation");
  fill<<<1, 32, 0, stream>>>(left, 40);
  int* other;
  ok(cudaMalloc(reinterpret_cast<void**>(&other), 64), "other memory");
  check(cudaFreeAsync(other, stream) == cudaErrorInvalidValue,
        "freeing memory of no graph while capturing");
  ok(cudaStreamEndCapture(stream, &graph), "the capture's end");
  ok(cudaGraphInstantiateWithFlags(&exec, graph, 0), "an executable graph");
  check(cudaFree(left) == cudaErrorInvalidValue, "freeing before the launch");
  ok(cudaGraphLaunch(exec, stream), "a launch");
  ok(cudaMemcpy(host, left, sizeof host, cudaMemcpyDeviceToHost), "what it left");
  check(host[0] == 40 && host[31] == 71, "the memory that it left");
  check(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue,
        "a launch whose memory is not freed");
  ok(cudaDeviceGraphMemTrim(0), "a trim");
  check(figure(cudaGraphMemAttrReservedMemCurrent) == 3 * kPage, "a trim of what is in use");
  ok(cudaFreeAsync(left, stream), "the program's end of it");
  check(cudaFree(left) == cudaErrorInvalidValue, "the second end");
  check(figure(cudaGraphMemAttrReservedMemCurrent) == 3 * kPage, "the figure after the end");
  ok(cudaGraphLaunch(exec, stream), "a launch once more");
  ok(cudaFree(left), "its end");
  ok(cudaGraphInstantiateWithFlags(&second, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch),
     "one that frees by itself");
  for (int i = 0; i < 3; ++i) ok(cudaGraphLaunch(second, stream), "its launch");
  ok(cudaGraphExecDestroy(second), "an end");
  ok(cudaGraphExecDestroy(exec), "an end");
  ok(cudaGraphDestroy(graph), "an end");
  host[0] = 0;
  ok(cudaMemcpy(host, left, sizeof host, cudaMemcpyDeviceToHost), "memory that outlives its graph");
  check(host[0] == 40, "the memory that outlives its graph");
  ok(cudaFree(left), "the last end");
  check(cudaMemcpy(host, left, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess,
        "memory after its end");
  ok(cudaDeviceGraphMemTrim(0), "the last trim");
  check(figure(cudaGraphMemAttrReservedMemCurrent) == 0, "the last figure");
}

int main() {
  size_t before = 0, after = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  addresses_are_reused_within_a_graph();
  cudaMemGetInfo(&after, &total);
  check(before == after, "the memory that is free again");
  the_program_frees_what_a_launch_left();
  return report();
}
