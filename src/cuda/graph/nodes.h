// Adding, changing and reading nodes of graphs: the calls of both APIs are names of these. The
// parameters are those of the runtime API; node_types.h knows what each type makes of them.
#pragma once

#include <functional>

#include "cuda/graph/node_types.h"

namespace heddle::cuda {

// Calls work(session, graph) when the handle is a graph.
template <class Work>
cudaError_t with_graph(cudaGraph_t handle, Work&& work) {
  return api([&](Session& session) {
    const auto graph = session.graphs.find(handle);
    return graph ? work(session, *graph) : cudaErrorInvalidValue;
  });
}
// Calls work(session, node) with the node's copy in the executable graph.
template <class Work>
cudaError_t with_exec_node(cudaGraphExec_t handle, cudaGraphNode_t node, Work&& work) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    GraphNode* const twin =
        exec ? exec->counterpart(reinterpret_cast<const GraphNode*>(node)) : nullptr;
    return twin ? work(session, *twin) : cudaErrorInvalidValue;
  });
}

// Completes parameters that depend on objects of the session; an error ends the call.
using Describe = std::function<cudaError_t(Session&, cudaGraphNodeParams&)>;

struct NewNode {
  cudaGraphNode_t* node = nullptr;  // receives its handle
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
};
// Adds a node of the type p.type. What the node returns, such as an address, is written to p.
cudaError_t add_node(const NewNode& node, cudaGraphNodeParams& p, const Describe& describe = {});
// Replaces the parameters of a node of the type p.type.
cudaError_t set_node(cudaGraphNode_t node, cudaGraphNodeParams p, const Describe& describe = {});
// The same for the node's copy in an executable graph.
cudaError_t set_exec_node(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams p,
                          const Describe& describe = {});
// The parameters of a node that has the type p.type.
cudaError_t get_node(cudaGraphNode_t node, cudaGraphNodeParams& p);

// For calls that take nodes of all types. cudaSuccess when the call accepts p.type; otherwise the
// reason is printed.
cudaError_t require_addable(const char* call, const cudaGraphNodeParams& p);
cudaError_t require_replaceable(const char* call, const cudaGraphNodeParams& p);

// Parameters of one type, as those of all types.
cudaGraphNodeParams node_params(cudaGraphNodeType type);
cudaGraphNodeParams node_params(const cudaKernelNodeParams& kernel);
cudaGraphNodeParams node_params(const cudaMemcpy3DParms& copy);
cudaGraphNodeParams node_params(const cudaMemsetParams& fill);
cudaGraphNodeParams node_params(const cudaHostNodeParams& host);
cudaGraphNodeParams node_params(cudaGraphNodeType type, cudaEvent_t event);

}  // namespace heddle::cuda
