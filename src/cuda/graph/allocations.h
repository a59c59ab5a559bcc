// Nodes of graphs that allocate and free memory.
#pragma once

#include <vector>

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// An allocation node after `dependencies`. It reuses the addresses of a block that the graph has
// freed before that point, as CUDA does.
cudaError_t allocation_operation(GraphMemory& graphs, exec::GlobalMemory& memory,
                                 const Graph& graph, const std::vector<GraphNode*>& dependencies,
                                 std::size_t bytes, Operation& operation);
cudaError_t free_operation(const GraphMemory& graphs, const Graph& graph, const char* call,
                           const void* pointer, Operation& operation);

// Allocation and free in a stream that is being captured.
cudaError_t capture_allocation(Session& session, cudaStream_t stream, void** pointer,
                               std::size_t bytes);
cudaError_t capture_free(Session& session, cudaStream_t stream, const void* pointer);

// Whether a launch of the graph, or of a graph in it, allocates memory.
bool allocates(const Graph& graph);
// Before a launch: reserves the memory that the launch needs. Memory that an earlier launch
// allocated and that was not freed is freed now if `frees`, and is an error otherwise.
cudaError_t reserve_graph_memory(GraphMemory& memory, const Graph& graph, bool frees);

}  // namespace heddle::cuda
