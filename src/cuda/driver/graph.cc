// Stream capture and graphs of the driver API, translated to the runtime's calls.
#include "cuda/driver/driver.h"

// The name is a macro for the second signature; both are defined here.
#undef cuStreamUpdateCaptureDependencies

using namespace heddle::cuda;

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return driver(
      [&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return driver([&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return driver([&] {
    cudaStreamCaptureStatus found{};
    const cudaError_t error = cudaStreamIsCapturing(stream, status ? &found : nullptr);
    if (status) *status = static_cast<CUstreamCaptureStatus>(found);
    return error;
  });
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode) {
  return driver([&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count,
                                         static_cast<cudaStreamCaptureMode>(mode));
  });
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* count) {
  return driver([&] {
    cudaStreamCaptureStatus found{};
    unsigned long long number = 0;
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, status ? &found : nullptr, &number,
                                                       graph, dependencies, edges, count);
    if (status) *status = static_cast<CUstreamCaptureStatus>(found);
    if (id) *id = number;
    return error;
  });
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData* edges, size_t count,
                                              unsigned flags) {
  return driver([&] {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, edges, count, flags);
  });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver([&] {
    if (!mode) return cudaErrorInvalidValue;
    auto exchanged = static_cast<cudaStreamCaptureMode>(*mode);
    const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&exchanged);
    *mode = static_cast<CUstreamCaptureMode>(exchanged);
    return error;
  });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return driver([&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return driver([&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphClone(CUgraph* copy, CUgraph graph) {
  return driver([&] { return cudaGraphClone(copy, graph); });
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return driver([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return driver([&] { return cudaGraphUpload(exec, stream); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return driver([&] { return cudaGraphLaunch(exec, stream); });
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return driver([&] { return cudaGraphExecDestroy(exec); });
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return driver([&] { return cudaGraphGetNodes(graph, nodes, count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return driver([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return driver([&] {
    cudaGraphNodeType found{};
    const cudaError_t error = cudaGraphNodeGetType(node, type ? &found : nullptr);
    if (type) *type = static_cast<CUgraphNodeType>(found);
    return error;
  });
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
  return driver([&] { return cudaGraphDestroyNode(node); });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return driver([&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  return driver(
      [&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* host) {
  return driver([&] {
    if (!host) return cudaErrorInvalidValue;
    const cudaHostNodeParams parameters{host->fn, host->userData};
    return cudaGraphAddHostNode(node, graph, dependencies, count, &parameters);
  });
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  return driver(
      [&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return driver([&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}

#pragma GCC visibility push(default)
extern "C" CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                      size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}
#pragma GCC visibility pop
