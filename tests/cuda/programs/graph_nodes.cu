// Graphs whose nodes are described by one structure for all types. Prints PASS or the failed check.
#include <cuda_runtime.h>

#include "check.h"

__global__ void scale(int* data, int factor) { data[threadIdx.x] *= factor; }

int main() {
  int *data = nullptr, host[32] = {}, calls = 0, factor = 3;
  OK(cudaMalloc(&data, sizeof host));
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));

  cudaGraphNode_t filled, launched, copied, called;
  cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset};
  fill.memset.dst = data, fill.memset.value = 7, fill.memset.elementSize = 4,
  fill.memset.width = 32, fill.memset.height = 1;
  OK(cudaGraphAddNode(&filled, graph, nullptr, nullptr, 0, &fill));

  void* arguments[] = {&data, &factor};
  cudaGraphNodeParams launch = {cudaGraphNodeTypeKernel};
  launch.kernel.func = reinterpret_cast<void*>(scale);
  launch.kernel.gridDim = dim3(1), launch.kernel.blockDim = dim3(32);
  launch.kernel.kernelParams = arguments;
  OK(cudaGraphAddNode(&launched, graph, &filled, nullptr, 1, &launch));

  cudaGraphNodeParams copy = {cudaGraphNodeTypeMemcpy};
  copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(data, sizeof host, 32, 1);
  copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(host, sizeof host, 32, 1);
  copy.memcpy.copyParams.extent = make_cudaExtent(sizeof host, 1, 1);
  copy.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  OK(cudaGraphAddNode(&copied, graph, &launched, nullptr, 1, &copy));

  cudaGraphNodeParams call = {cudaGraphNodeTypeHost};
  call.host.fn = [](void* n) { ++*static_cast<int*>(n); };
  call.host.userData = &calls;
  OK(cudaGraphAddNode(&called, graph, &copied, nullptr, 1, &call));

  size_t found = 0;
  OK(cudaGraphNodeGetDependentNodes(launched, nullptr, nullptr, &found));
  EXPECT(found == 1);

  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaDeviceSynchronize());
  EXPECT(host[9] == 21 && calls == 1);
  factor = 5;
  OK(cudaGraphExecNodeSetParams(exec, launched, &launch));
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaDeviceSynchronize());
  EXPECT(host[9] == 35 && calls == 2);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
  return report();
}
