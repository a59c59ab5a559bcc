// Graph nodes that allocate and free memory, and what graphs have reserved.
#include <cstring>

#include "cuda/operations/graph_allocations.h"
#include "cuda/operations/graph_nodes.h"

using namespace heddle::cuda;

namespace {

// A maximum that can be reset; null for a current figure.
std::size_t* max_figure(GraphMemory& memory, cudaGraphMemAttributeType which) {
  if (which == cudaGraphMemAttrUsedMemHigh) return &memory.max_used;
  return which == cudaGraphMemAttrReservedMemHigh ? &memory.figures.max_reserved : nullptr;
}

template <class Work>
cudaError_t with_figure(int device, cudaGraphMemAttributeType which, const void* value,
                        Work&& work) {
  return api([&](Session& session) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!value || which < cudaGraphMemAttrUsedMemCurrent || which > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    session.device();
    return work(session.graphs.memory);
  });
}

}  // namespace

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* p) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    std::vector<GraphNode*> needs;
    if (!p || !find_dependencies(session, into, dependencies, count, needs))
      return cudaErrorInvalidValue;
    Operation operation;
    const cudaError_t error = allocation_operation(session, into, needs, p->bytesize, operation);
    if (error != cudaSuccess) return error;
    p->dptr = operation.block->address;
    return add_node(session, into, node, dependencies, count, std::move(operation));
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    Operation operation;
    const cudaError_t error =
        free_operation(session, into, "cudaGraphAddMemFreeNode", pointer, operation);
    return error == cudaSuccess
               ? add_node(session, into, node, dependencies, count, std::move(operation))
               : error;
  });
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  return get_node(node, cudaGraphNodeTypeMemAlloc, [&](const Operation& o) {
    *p = {};
    p->poolProps.allocType = cudaMemAllocationTypePinned;
    p->poolProps.location.type = cudaMemLocationTypeDevice;
    p->dptr = o.block->address;
    p->bytesize = o.block->bytes;
  });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  if (!pointer) return answer(cudaErrorInvalidValue);
  return get_node(node, cudaGraphNodeTypeMemFree, [&](const Operation& o) {
    std::memcpy(pointer, &o.block->address, sizeof o.block->address);
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&](Session& session) {
    if (device != 0) return cudaErrorInvalidDevice;
    session.graphs.memory.figures.trim();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return with_figure(device, which, value, [&](GraphMemory& memory) {
    const std::size_t* const max = max_figure(memory, which);
    const std::uint64_t bytes = max ? *max : memory.figures.reserved;
    std::memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return with_figure(device, which, value, [&](GraphMemory& memory) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, value, sizeof bytes);
    std::size_t* const max = max_figure(memory, which);
    if (!max || bytes != 0) return cudaErrorInvalidValue;  // a maximum can only be reset to 0
    *max = memory.figures.reserved;
    return cudaSuccess;
  });
}
