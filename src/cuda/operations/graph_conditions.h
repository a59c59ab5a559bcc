// Conditional nodes of graphs. A condition's handle is the address of a word in device memory; the
// device function that sets it is a store.
#pragma once

#include "cuda/process/api_call.h"

namespace heddle::cuda {

cudaError_t add_conditional_node(cudaGraphNode_t* node, cudaGraph_t handle,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 cudaConditionalNodeParams& p);
cudaError_t create_condition(Session& session, Graph& owner, unsigned initial, bool resets,
                             cudaGraphConditionalHandle* handle);

// Whether the graph, or a graph in it, has a condition that every launch resets.
bool has_conditions(const Graph& graph);
// Before a launch: resets the conditions of the graph and of the graphs in it.
void reset_conditions(Session& session, const Graph& graph);

}  // namespace heddle::cuda
