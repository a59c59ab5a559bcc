#include "cuda/graph/allocations.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cuda/objects/handles.h"
#include "cuda/operations/submit.h"

namespace heddle::cuda {
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

// A block that the graph has allocated and freed before a node that follows `dependencies`.
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

}  // namespace

cudaError_t allocation_operation(GraphMemory& graphs, exec::GlobalMemory& memory,
                                 const Graph& graph, const std::vector<GraphNode*>& dependencies,
                                 std::size_t bytes, Operation& operation) {
  if (bytes == 0) return cudaErrorInvalidValue;
  Block block = freed_before(graph, dependencies, bytes);
  if (!block) block = graphs.reserve(memory, bytes);
  if (!block) return cudaErrorMemoryAllocation;
  operation.type = cudaGraphNodeTypeMemAlloc;
  operation.block = block;
  operation.run = [block](Session& at) {
    at.graphs.memory.allocate(block);
    at.notify_allocation(device_address(block->address), block->bytes);
    return cudaSuccess;
  };
  return cudaSuccess;
}

cudaError_t free_operation(const GraphMemory& graphs, const Graph& graph, const char* call,
                           const void* pointer, Operation& operation) {
  const Block block = graphs.find(pointer);
  const std::size_t allocations = block ? count_nodes(graph, cudaGraphNodeTypeMemAlloc, block) : 0;
  if (!block || count_nodes(graph, cudaGraphNodeTypeMemFree, block) >=
                    std::max<std::size_t>(1, allocations)) {
    explain(call, fmt::format("{:#x} {}", device_address(pointer).value,
                              block ? "is already freed by this graph"
                                    : "was not allocated by a graph node"));
    return cudaErrorInvalidValue;
  }
  operation.type = cudaGraphNodeTypeMemFree;
  operation.block = block;
  operation.run = [block](Session& at) {
    return at.graphs.memory.free(block) ? cudaSuccess : cudaErrorInvalidValue;
  };
  return cudaSuccess;
}

cudaError_t capture_allocation(Session& session, cudaStream_t stream, void** pointer,
                               std::size_t bytes) {
  if (!pointer) return cudaErrorInvalidValue;
  const Capturing& capturing = session.streams.all.find(stream)->capturing;
  Operation operation;
  const cudaError_t error =
      allocation_operation(session.graphs.memory, session.device().memory(),
                           *capturing.capture->graph, capturing.frontier, bytes, operation);
  if (error != cudaSuccess) return error;
  *pointer = operation.block->address;
  return submit(session, stream, std::move(operation));
}

cudaError_t capture_free(Session& session, cudaStream_t stream, const void* pointer) {
  Operation operation;
  const cudaError_t error =
      free_operation(session.graphs.memory, *session.streams.all.capture_of(stream)->graph,
                     "cudaFreeAsync", pointer, operation);
  return error == cudaSuccess ? submit(session, stream, std::move(operation)) : error;
}

bool allocates(const Graph& graph) {
  std::set<Block> blocks;
  collect_allocated(graph, blocks);
  return !blocks.empty();
}

cudaError_t reserve_graph_memory(GraphMemory& memory, const Graph& graph, bool frees) {
  std::set<Block> blocks;
  collect_allocated(graph, blocks);
  for (const Block& block : blocks) {
    if (memory.is_allocated(block) && !frees) {
      explain("cudaGraphLaunch",
              fmt::format(
                  "{} bytes at {:#x}, allocated by an earlier launch of the graph, are not freed. "
                  "Free them, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch",
                  block->bytes, device_address(block->address).value));
      return cudaErrorInvalidValue;
    }
    memory.free(block);
  }
  memory.reserve_all(blocks);
  return cudaSuccess;
}

}  // namespace heddle::cuda
