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

// Before a launch: resets the conditions of the graph and of the graphs in it.
void reset_conditions(Session& session, const Graph& graph);
// Runs the body that the node's condition selects; of a while node, again until none is selected.
cudaError_t run_branches(const Branches& branches);

}  // namespace heddle::cuda
