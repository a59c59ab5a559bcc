// Conditions of graphs. Their nodes are added by cudaGraphAddNode.
#include "cuda/operations/graph_conditions.h"
#include "cuda/operations/graph_nodes.h"

using namespace heddle::cuda;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned initial, unsigned flags) {
  if (!handle || flags > cudaGraphCondAssignDefault) return answer(cudaErrorInvalidValue);
  return with_graph(graph, [&](Session& session, Graph& owner) {
    return create_condition(session, owner, initial, flags == cudaGraphCondAssignDefault, handle);
  });
}
