// Conditional nodes of graphs. A condition's handle is the address of a word in device memory; the
// device function that sets it is a store.
#pragma once

#include "cuda/objects/graph.h"
#include "cuda_runtime_api.h"
#include "exec/state/global_memory.h"

namespace heddle::cuda {

// A node whose condition belongs to the graph, with empty bodies.
cudaError_t conditional_operation(const Graph& graph, const cudaConditionalNodeParams& p,
                                  Operation& operation);
cudaError_t create_condition(exec::GlobalMemory& memory, Graph& owner, unsigned initial,
                             bool resets, cudaGraphConditionalHandle* handle);

// Whether the graph, or a graph in it, has a condition that every launch resets.
bool has_conditions(const Graph& graph);
// Before a launch: resets the conditions of the graph and of the graphs in it.
void reset_conditions(exec::GlobalMemory& memory, const Graph& graph);

}  // namespace heddle::cuda
