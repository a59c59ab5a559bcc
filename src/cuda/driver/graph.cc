// Graphs of the driver API, but for the calls that are the runtime's (sdk/tables/calls.txt).
#include "cuda/driver/driver.h"

// The names are macros for the second signatures; the first ones are defined here.
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes

using namespace heddle::cuda;

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return driver([&] {
    cudaGraphNodeType found{};
    const cudaError_t error = cudaGraphNodeGetType(node, type ? &found : nullptr);
    if (type) *type = static_cast<CUgraphNodeType>(found);
    return error;
  });
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
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return driver([&] {
    unsigned long long found = 0;
    const cudaError_t error = cudaGraphExecGetFlags(exec, flags ? &found : nullptr);
    if (flags) *flags = found;
    return error;
  });
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
