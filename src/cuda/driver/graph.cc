// Graphs of the driver API, translated to the runtime's calls.
#include "cuda/driver/driver.h"

// The names are macros for the second signatures; the first ones are defined here.
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes

using namespace heddle::cuda;

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return driver([&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return driver([&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphClone(CUgraph* copy, CUgraph graph) {
  return driver([&] { return cudaGraphClone(copy, graph); });
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
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
  return driver([&] { return cudaGraphAddDependencies(graph, from, to, edges, count); });
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
  return driver([&] { return cudaGraphRemoveDependencies(graph, from, to, edges, count); });
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* edges, size_t* count) {
  return driver([&] { return cudaGraphGetEdges(graph, from, to, edges, count); });
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies,
                                       CUgraphEdgeData* edges, size_t* count) {
  return driver([&] { return cudaGraphNodeGetDependencies(node, dependencies, edges, count); });
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependents,
                                         CUgraphEdgeData* edges, size_t* count) {
  return driver([&] { return cudaGraphNodeGetDependentNodes(node, dependents, edges, count); });
}
CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph copy) {
  return driver([&] { return cudaGraphNodeFindInClone(found, original, copy); });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return driver([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

// Executable graphs.
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
// CUDA 11's signature.
CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* error_node, char* log,
                               size_t bytes) {
  if (error_node) *error_node = nullptr;
  if (log && bytes) *log = 0;
  return cuGraphInstantiateWithFlags(exec, graph, 0);
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = cuGraphInstantiateWithFlags(exec, graph, p->flags);
  p->hErrNode_out = nullptr;
  p->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result) {
  return driver([&] { return cudaGraphExecUpdate(exec, graph, result); });
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return driver([&] {
    unsigned long long found = 0;
    const cudaError_t error = cudaGraphExecGetFlags(exec, flags ? &found : nullptr);
    if (flags) *flags = found;
    return error;
  });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  return driver([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
  return driver([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}

// Memory of graphs.
CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return driver([&] { return cudaDeviceGraphMemTrim(device); });
}
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return driver([&] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return driver([&] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* pointer, CUhostFn destroy,
                            unsigned references, unsigned flags) {
  return driver([&] { return cudaUserObjectCreate(object, pointer, destroy, references, flags); });
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return driver([&] { return cudaUserObjectRetain(object, count); });
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return driver([&] { return cudaUserObjectRelease(object, count); });
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) {
  return driver([&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return driver([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}

#pragma GCC visibility push(default)
extern "C" {
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, dependents, nullptr, count);
}
}
#pragma GCC visibility pop
