// Graphs that allocate and free memory.
#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "cuda/objects/graph_nodes.h"
#include "exec/check/checker.h"

using namespace heddle::cuda;

namespace {

using Block = std::shared_ptr<GraphBlock>;

void collect_before(const std::vector<GraphNode*>& nodes, std::set<const GraphNode*>& found) {
  for (const GraphNode* node : nodes) {
    if (found.insert(node).second) collect_before(node->dependencies, found);
  }
}

std::size_t count_nodes(const Graph& graph, cudaGraphNodeType type, const Block& block) {
  return static_cast<std::size_t>(
      std::count_if(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
        return node->operation.type == type && node->operation.block == block;
      }));
}

// A block that the graph has allocated and that is free again where a node after `dependencies`
// runs: CUDA reuses its addresses.
Block freed_before(const Graph& graph, const std::vector<GraphNode*>& dependencies,
                   std::size_t bytes) {
  std::set<const GraphNode*> before;
  collect_before(dependencies, before);
  for (const GraphNode* node : before) {
    const Block& block = node->operation.block;
    if (node->operation.type != cudaGraphNodeTypeMemFree || block->bytes < bytes) continue;
    const auto frees = static_cast<std::size_t>(
        std::count_if(before.begin(), before.end(), [&](const GraphNode* other) {
          return other->operation.type == cudaGraphNodeTypeMemFree &&
                 other->operation.block == block;
        }));
    if (frees == count_nodes(graph, cudaGraphNodeTypeMemAlloc, block) &&
        frees == count_nodes(graph, cudaGraphNodeTypeMemFree, block))
      return block;
  }
  return nullptr;
}

void collect_allocated(const Graph& graph, std::set<Block>& blocks) {
  for (const auto& node : graph.nodes) {
    if (node->operation.type == cudaGraphNodeTypeMemAlloc) blocks.insert(node->operation.block);
    for (const auto& inner : inner_graphs(node->operation)) collect_allocated(*inner, blocks);
  }
}

cudaError_t allocation_after(Session& session, const Graph& graph,
                             const std::vector<GraphNode*>& dependencies, std::size_t bytes,
                             Operation& operation) {
  if (bytes == 0) return cudaErrorInvalidValue;
  Block block = freed_before(graph, dependencies, bytes);
  if (!block) block = session.graphs.memory.reserve(session.device().memory(), bytes);
  if (!block) return cudaErrorMemoryAllocation;
  operation.type = cudaGraphNodeTypeMemAlloc;
  operation.block = block;
  operation.run = [block](Session& at) {
    at.graphs.memory.take(block);
    if (auto* const checker = at.device().checker())
      checker->allocated(device_address(block->address), block->bytes);
    return cudaSuccess;
  };
  return cudaSuccess;
}

cudaError_t free_of(Session& session, const Graph& graph, const char* call, const void* pointer,
                    Operation& operation) {
  const Block block = session.graphs.memory.find(pointer);
  const std::size_t allocations = block ? count_nodes(graph, cudaGraphNodeTypeMemAlloc, block) : 0;
  if (!block || count_nodes(graph, cudaGraphNodeTypeMemFree, block) >=
                    std::max<std::size_t>(1, allocations)) {
    explain(call, fmt::format("{:#x} {}", device_address(pointer).value,
                              block ? "is freed by this graph already"
                                    : "was not allocated by a node of a graph"));
    return cudaErrorInvalidValue;
  }
  operation.type = cudaGraphNodeTypeMemFree;
  operation.block = block;
  operation.run = [block](Session& at) {
    return at.graphs.memory.give(block) ? cudaSuccess : cudaErrorInvalidValue;
  };
  return cudaSuccess;
}

// One of the two highest figures; null for the current ones.
std::size_t* highest(GraphMemory& memory, cudaGraphMemAttributeType which) {
  if (which == cudaGraphMemAttrUsedMemHigh) return &memory.most_used;
  return which == cudaGraphMemAttrReservedMemHigh ? &memory.figures.most_held : nullptr;
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

namespace heddle::cuda {

cudaError_t capture_allocation(Session& session, cudaStream_t stream, void** pointer,
                               std::size_t bytes) {
  if (!pointer) return cudaErrorInvalidValue;
  const Capturing& capturing = find_stream(session, stream)->capturing;
  Operation operation;
  const cudaError_t error =
      allocation_after(session, *capturing.capture->graph, capturing.frontier, bytes, operation);
  if (error != cudaSuccess) return error;
  *pointer = operation.block->address;
  return submit(session, stream, std::move(operation));
}

cudaError_t capture_free(Session& session, cudaStream_t stream, const void* pointer) {
  Operation operation;
  const cudaError_t error =
      free_of(session, *capture_of(session, stream)->graph, "cudaFreeAsync", pointer, operation);
  return error == cudaSuccess ? submit(session, stream, std::move(operation)) : error;
}

cudaError_t prepare_memory(Session& session, const Graph& graph, bool frees) {
  std::set<Block> blocks;
  collect_allocated(graph, blocks);
  GraphMemory& memory = session.graphs.memory;
  for (const Block& block : blocks) {
    if (memory.taken(block) && !frees) {
      explain("cudaGraphLaunch",
              fmt::format("{} bytes at {:#x} that an earlier launch allocated are not freed",
                          block->bytes, device_address(block->address).value));
      return cudaErrorInvalidValue;
    }
    memory.give(block);
  }
  memory.hold(blocks);
  return cudaSuccess;
}

}  // namespace heddle::cuda

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* p) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    std::vector<GraphNode*> needs;
    if (!p || !find_dependencies(session, into, dependencies, count, needs))
      return cudaErrorInvalidValue;
    Operation operation;
    const cudaError_t error = allocation_after(session, into, needs, p->bytesize, operation);
    if (error != cudaSuccess) return error;
    p->dptr = operation.block->address;
    return add(session, into, node, dependencies, count, std::move(operation));
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    Operation operation;
    const cudaError_t error = free_of(session, into, "cudaGraphAddMemFreeNode", pointer, operation);
    return error == cudaSuccess
               ? add(session, into, node, dependencies, count, std::move(operation))
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
    const std::size_t* const most = highest(memory, which);
    const std::uint64_t bytes = most ? *most : memory.figures.held;
    std::memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return with_figure(device, which, value, [&](GraphMemory& memory) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, value, sizeof bytes);
    std::size_t* const most = highest(memory, which);
    if (!most || bytes != 0)
      return cudaErrorInvalidValue;  // a highest figure can be reset, and no more
    *most = memory.figures.held;
    return cudaSuccess;
  });
}
