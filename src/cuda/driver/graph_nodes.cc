// Graph nodes of the driver API.
#include "cuda/operations/graph_nodes.h"
#include "cuda/operations/graph_conditions.h"

#include "cuda/driver/driver.h"

// The names are macros for the second signatures; the first ones are defined here.
#undef cuGraphAddNode
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes

using namespace heddle::cuda;

namespace {

cudaError_t kernel_of_handle(Session& session, const CUDA_KERNEL_NODE_PARAMS* p,
                             Operation& operation) {
  if (!p) return cudaErrorInvalidValue;
  // The structure of CUDA 11 ends before `kern` and always contains a function.
  void* const handle = p->func ? static_cast<void*>(p->func) : static_cast<void*>(p->kern);
  const cudaKernelNodeParams own{handle,
                                 dim3(p->gridDimX, p->gridDimY, p->gridDimZ),
                                 dim3(p->blockDimX, p->blockDimY, p->blockDimZ),
                                 p->sharedMemBytes,
                                 p->kernelParams,
                                 p->extra};
  return kernel_operation(session, static_cast<const heddle::ptx::Kernel*>(handle), own, operation);
}

cudaError_t copy_of(Session& session, const CUDA_MEMCPY3D* c, Operation& operation) {
  if (!c) return cudaErrorInvalidValue;
  cudaMemcpy3DParms p{};
  if (const cudaError_t error = described_copy(session, *c, p); error != cudaSuccess) return error;
  operation = copy_operation("a graph's copy", p);
  return cudaSuccess;
}

cudaMemsetParams fill_of(const CUDA_MEMSET_NODE_PARAMS& f) {
  return {pointer(f.dst), f.pitch, f.value, f.elementSize, f.width, f.height};
}
cudaHostNodeParams host_of(const CUDA_HOST_NODE_PARAMS& h) { return {h.fn, h.userData}; }

// Adds a node with the operation that `make` builds.
template <class Make>
CUresult add_made(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                  Make&& make) {
  return driver([&] {
    return with_graph(graph, [&](Session& session, Graph& into) {
      Operation operation;
      const cudaError_t error = make(session, operation);
      return error == cudaSuccess
                 ? add_node(session, into, node, dependencies, count, std::move(operation))
                 : error;
    });
  });
}

CUresult add_conditional(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                         size_t count, CUDA_CONDITIONAL_NODE_PARAMS& p) {
  return driver([&] {
    cudaConditionalNodeParams own{p.handle, static_cast<cudaGraphConditionalNodeType>(p.type),
                                  p.size, nullptr};
    const cudaError_t error = add_conditional_node(node, graph, dependencies, count, own);
    p.phGraph_out = own.phGraph_out;
    return error;
  });
}

CUresult refuse_node(const char* call) {
  explain(call, "nodes of this type are not supported");
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS* p) {
  return add_made(node, graph, dependencies, count,
                  [&](Session& session, Operation& o) { return kernel_of_handle(session, p, o); });
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return get_node(node, cudaGraphNodeTypeKernel, [&](const Operation& o) {
      const cudaKernelNodeParams& k = o.kernel;
      p->func = static_cast<CUfunction>(k.func);
      p->gridDimX = k.gridDim.x, p->gridDimY = k.gridDim.y, p->gridDimZ = k.gridDim.z;
      p->blockDimX = k.blockDim.x, p->blockDimY = k.blockDim.y, p->blockDimZ = k.blockDim.z;
      p->sharedMemBytes = k.sharedMemBytes, p->kernelParams = k.kernelParams, p->extra = k.extra;
    });
  });
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* p) {
  return driver([&] {
    return set_node(
        node, [&](Session& session, Operation& o) { return kernel_of_handle(session, p, o); });
  });
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* p) {
  return driver([&] {
    return set_exec_node(exec, node, [&](Session& session, Operation& o) {
      return kernel_of_handle(session, p, o);
    });
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* copy, CUcontext) {
  return add_made(node, graph, dependencies, count,
                  [&](Session& session, Operation& o) { return copy_of(session, copy, o); });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy) {
  return driver([&] {
    return set_node(node,
                    [&](Session& session, Operation& o) { return copy_of(session, copy, o); });
  });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D* copy, CUcontext) {
  return driver([&] {
    return set_exec_node(exec, node,
                         [&](Session& session, Operation& o) { return copy_of(session, copy, o); });
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext) {
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemsetParams own = fill_of(*fill);
  return driver([&] { return cudaGraphAddMemsetNode(node, graph, dependencies, count, &own); });
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* fill) {
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    cudaMemsetParams own{};
    const cudaError_t error = cudaGraphMemsetNodeGetParams(node, &own);
    if (error == cudaSuccess)
      *fill = {reinterpret_cast<CUdeviceptr>(own.dst),
               own.pitch,
               own.value,
               own.elementSize,
               own.width,
               own.height};
    return error;
  });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* fill) {
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemsetParams own = fill_of(*fill);
  return driver([&] { return cudaGraphMemsetNodeSetParams(node, &own); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext) {
  if (!fill) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemsetParams own = fill_of(*fill);
  return driver([&] { return cudaGraphExecMemsetNodeSetParams(exec, node, &own); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* host) {
  if (!host) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return get_node(node, cudaGraphNodeTypeHost, [&](const Operation& o) {
      *host = {o.host_params.fn, o.host_params.userData};
    });
  });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* host) {
  if (!host) return CUDA_ERROR_INVALID_VALUE;
  const cudaHostNodeParams own = host_of(*host);
  return driver([&] { return cudaGraphHostNodeSetParams(node, &own); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* host) {
  if (!host) return CUDA_ERROR_INVALID_VALUE;
  const cudaHostNodeParams own = host_of(*host);
  return driver([&] { return cudaGraphExecHostNodeSetParams(exec, node, &own); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    cudaMemAllocNodeParams own{};
    own.bytesize = p->bytesize;
    const cudaError_t error = cudaGraphAddMemAllocNode(node, graph, dependencies, count, &own);
    p->dptr = reinterpret_cast<CUdeviceptr>(own.dptr);
    return error;
  });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr address) {
  return driver(
      [&] { return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer(address)); });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned initial, unsigned flags) {
  return driver([&] { return cudaGraphConditionalHandleCreate(handle, graph, initial, flags); });
}

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData*, size_t count, CUgraphNodeParams* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const auto& f = p->memset;
  const CUDA_MEMSET_NODE_PARAMS fill{f.dst, f.pitch, f.value, f.elementSize, f.width, f.height};
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return cuGraphAddKernelNode(node, graph, dependencies, count, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphAddMemcpyNode(node, graph, dependencies, count, &p->memcpy.copyParams,
                                  p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return cuGraphAddMemsetNode(node, graph, dependencies, count, &fill, f.ctx);
    case CU_GRAPH_NODE_TYPE_HOST:
      return cuGraphAddHostNode(node, graph, dependencies, count, &p->host);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return cuGraphAddChildGraphNode(node, graph, dependencies, count, p->graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY: return cuGraphAddEmptyNode(node, graph, dependencies, count);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return cuGraphAddEventWaitNode(node, graph, dependencies, count, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return cuGraphAddEventRecordNode(node, graph, dependencies, count, p->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return cuGraphAddMemAllocNode(node, graph, dependencies, count, &p->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return cuGraphAddMemFreeNode(node, graph, dependencies, count, p->free.dptr);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return add_conditional(node, graph, dependencies, count, p->conditional);
    default: return refuse_node("cuGraphAddNode");
  }
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const auto& f = p->memset;
  const CUDA_MEMSET_NODE_PARAMS fill{f.dst, f.pitch, f.value, f.elementSize, f.width, f.height};
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cuGraphKernelNodeSetParams(node, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return cuGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: return cuGraphMemsetNodeSetParams(node, &fill);
    case CU_GRAPH_NODE_TYPE_HOST: return cuGraphHostNodeSetParams(node, &p->host);
    default: return refuse_node("cuGraphNodeSetParams");
  }
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  const auto& f = p->memset;
  const CUDA_MEMSET_NODE_PARAMS fill{f.dst, f.pitch, f.value, f.elementSize, f.width, f.height};
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cuGraphExecKernelNodeSetParams(exec, node, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams, p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET: return cuGraphExecMemsetNodeSetParams(exec, node, &fill, f.ctx);
    case CU_GRAPH_NODE_TYPE_HOST: return cuGraphExecHostNodeSetParams(exec, node, &p->host);
    default: return refuse_node("cuGraphExecNodeSetParams");
  }
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
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result) {
  return driver([&] { return cudaGraphExecUpdate(exec, graph, result); });
}

#pragma GCC visibility push(default)
extern "C" {
CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                        size_t count, CUgraphNodeParams* p) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, p);
}
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
