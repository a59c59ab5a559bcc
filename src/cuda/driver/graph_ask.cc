// Asking graphs by the driver API: the runtime's answers.
#include "cuda/driver/driver.h"

using namespace heddle::cuda;

// CUDA 11's signature.
CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* error_node, char* log, size_t bytes) {
  if (error_node) *error_node = nullptr;
  if (log && bytes) *log = 0;
  return cuGraphInstantiateWithFlags(exec, graph, 0);
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = cuGraphInstantiateWithFlags(exec, graph, p->flags);
  p->hErrNode_out = nullptr;
  p->result_out = result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return driver([&] {
    unsigned long long found = 0;
    const cudaError_t error = cudaGraphExecGetFlags(exec, flags ? &found : nullptr);
    if (flags) *flags = found;
    return error;
  });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) { return driver([&] { return cudaGraphDebugDotPrint(graph, path, flags); }); }
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) { return driver([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); }); }
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return driver([&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) { return driver([&] { return cudaGraphEventRecordNodeGetEvent(node, event); }); }
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) { return driver([&] { return cudaGraphEventRecordNodeSetEvent(node, event); }); }
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return driver([&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) { return driver([&] { return cudaGraphEventWaitNodeGetEvent(node, event); }); }
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) { return driver([&] { return cudaGraphEventWaitNodeSetEvent(node, event); }); }
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return driver([&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) { return driver([&] { return cudaGraphMemFreeNodeGetParams(node, address); }); }
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  return driver([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
  return driver([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}
CUresult cuDeviceGraphMemTrim(CUdevice device) { return driver([&] { return cudaDeviceGraphMemTrim(device); }); }
