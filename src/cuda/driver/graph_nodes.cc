// Nodes of graphs in the driver API: its structures become those of graph/nodes.h.
#include "cuda/graph/nodes.h"

#include "cuda/driver/driver.h"

// The name is a macro for the second signature; the first one is defined here.
#undef cuGraphAddNode

using namespace heddle::cuda;

namespace {

struct Described {
  cudaGraphNodeParams p;
  Describe describe;  // of a copy, whose arrays the session knows
};

Described described(const CUDA_KERNEL_NODE_PARAMS& k) {
  // The structure of CUDA 11 ends before `kern` and always contains a function.
  void* const handle = k.func ? static_cast<void*>(k.func) : static_cast<void*>(k.kern);
  return {node_params(cudaKernelNodeParams{handle, dim3(k.gridDimX, k.gridDimY, k.gridDimZ),
                                           dim3(k.blockDimX, k.blockDimY, k.blockDimZ),
                                           k.sharedMemBytes, k.kernelParams, k.extra}),
          {}};
}
Described described(const CUDA_MEMCPY3D& copy) {
  return {node_params(cudaGraphNodeTypeMemcpy), [copy](Session& session, cudaGraphNodeParams& p) {
            return described_copy(session.memory.arrays, copy, p.memcpy.copyParams);
          }};
}
// CUDA_MEMSET_NODE_PARAMS, and the part of CUgraphNodeParams with the same members.
template <class Fill>
Described described_fill(const Fill& f) {
  return {node_params(
              cudaMemsetParams{pointer(f.dst), f.pitch, f.value, f.elementSize, f.width, f.height}),
          {}};
}
Described described(const CUDA_MEMSET_NODE_PARAMS& fill) { return described_fill(fill); }
Described described(const CUDA_HOST_NODE_PARAMS& h) {
  return {node_params(cudaHostNodeParams{h.fn, h.userData}), {}};
}
Described described(const CUgraphNodeParams& all) {
  const auto type = static_cast<cudaGraphNodeType>(all.type);
  Described one{node_params(type), {}};
  switch (all.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return described(all.kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return described(all.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: return described_fill(all.memset);
    case CU_GRAPH_NODE_TYPE_HOST: return described(all.host);
    case CU_GRAPH_NODE_TYPE_GRAPH: one.p.graph.graph = all.graph.graph; break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: one.p = node_params(type, all.eventRecord.event); break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: one.p.alloc.bytesize = all.alloc.bytesize; break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: one.p.free.dptr = pointer(all.free.dptr); break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      one.p.conditional = {all.conditional.handle,
                           static_cast<cudaGraphConditionalNodeType>(all.conditional.type),
                           all.conditional.size, nullptr};
      break;
    default: break;
  }
  return one;
}

template <class Params>
CUresult add_driver_node(const NewNode& node, const Params* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    Described one = described(*p);
    return add_node(node, one.p, one.describe);
  });
}
template <class Params>
CUresult set_driver_node(CUgraphNode node, const Params* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    const Described one = described(*p);
    return set_node(node, one.p, one.describe);
  });
}
template <class Params>
CUresult set_driver_node(CUgraphExec exec, CUgraphNode node, const Params* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    const Described one = described(*p);
    return set_exec_node(exec, node, one.p, one.describe);
  });
}
// write(p) translates the parameters of the node.
template <class Params, class Write>
CUresult get(CUgraphNode node, cudaGraphNodeType type, const Params* result, Write&& write) {
  if (!result) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    cudaGraphNodeParams p = node_params(type);
    const cudaError_t error = get_node(node, p);
    if (error == cudaSuccess) write(p);
    return error;
  });
}
CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace

#include "cuda/driver/node_calls.inc"

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData*, size_t count, CUgraphNodeParams* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    Described one = described(*p);
    cudaError_t error = require_addable("cuGraphAddNode", one.p);
    if (error != cudaSuccess) return error;
    error = add_node({node, graph, dependencies, count}, one.p, one.describe);
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) p->alloc.dptr = address_of(one.p.alloc.dptr);
    if (p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
      p->conditional.phGraph_out = one.p.conditional.phGraph_out;
    return error;
  });
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    const Described one = described(*p);
    const cudaError_t error = require_replaceable("cuGraphNodeSetParams", one.p);
    return error == cudaSuccess ? set_node(node, one.p, one.describe) : error;
  });
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    const Described one = described(*p);
    const cudaError_t error = require_replaceable("cuGraphExecNodeSetParams", one.p);
    return error == cudaSuccess ? set_exec_node(exec, node, one.p, one.describe) : error;
  });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* p) {
  return get(node, cudaGraphNodeTypeKernel, p, [p](const cudaGraphNodeParams& all) {
    const cudaKernelNodeParams& k = all.kernel;
    p->func = static_cast<CUfunction>(k.func);
    p->gridDimX = k.gridDim.x, p->gridDimY = k.gridDim.y, p->gridDimZ = k.gridDim.z;
    p->blockDimX = k.blockDim.x, p->blockDimY = k.blockDim.y, p->blockDimZ = k.blockDim.z;
    p->sharedMemBytes = k.sharedMemBytes, p->kernelParams = k.kernelParams, p->extra = k.extra;
  });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return driver([&] { return cudaGraphKernelNodeCopyAttributes(from, to); });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* fill) {
  return get(node, cudaGraphNodeTypeMemset, fill, [fill](const cudaGraphNodeParams& all) {
    const cudaMemsetParams& f = all.memset;
    *fill = {address_of(f.dst), f.pitch, f.value, f.elementSize, f.width, f.height};
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* host) {
  return get(node, cudaGraphNodeTypeHost, host,
             [host](const cudaGraphNodeParams& all) { *host = {all.host.fn, all.host.userData}; });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    cudaGraphNodeParams own = node_params(cudaGraphNodeTypeMemAlloc);
    own.alloc.bytesize = p->bytesize;
    const cudaError_t error = add_node({node, graph, dependencies, count}, own);
    p->dptr = address_of(own.alloc.dptr);
    return error;
  });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  return get(node, cudaGraphNodeTypeMemAlloc, p, [p](const cudaGraphNodeParams& all) {
    *p = {};
    p->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p->poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p->bytesize = all.alloc.bytesize;
    p->dptr = address_of(all.alloc.dptr);
  });
}

#pragma GCC visibility push(default)
extern "C" CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count,
                                   CUgraphNodeParams* p) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, p);
}
#pragma GCC visibility pop
