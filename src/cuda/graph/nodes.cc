#include "cuda/graph/nodes.h"

namespace heddle::cuda {
namespace {

cudaError_t make_operation(Session& session, const NodePlace& at, cudaGraphNodeParams& p,
                           const Describe& describe, Operation& operation) {
  if (describe)
    if (const cudaError_t error = describe(session, p); error != cudaSuccess) return error;
  operation.type = p.type;
  return find_node_type(p.type)->make(session, at, p, operation);
}

cudaError_t replace_operation(Session& session, GraphNode* node, cudaGraphNodeParams& p,
                              const Describe& describe) {
  Operation operation;
  const cudaError_t error = make_operation(session, {}, p, describe, operation);
  if (error != cudaSuccess) return error;
  if (!node || node->operation.type != operation.type) return cudaErrorInvalidValue;
  node->operation = std::move(operation);
  return cudaSuccess;
}

cudaError_t refuse(const char* call, const char* why) {
  explain(call, why);
  return answer(cudaErrorNotSupported);
}

}  // namespace

cudaError_t add_node(const NewNode& node, cudaGraphNodeParams& p, const Describe& describe) {
  return with_graph(node.graph, [&](Session& session, Graph& graph) {
    const NodePlace at{&graph, node.dependencies, node.count};
    Operation operation;
    const cudaError_t error = make_operation(session, at, p, describe, operation);
    if (error != cudaSuccess) return error;
    std::vector<GraphNode*> needs;
    if (!node.node || !find_dependencies(session.graphs, at, needs)) return cudaErrorInvalidValue;
    GraphNode* const added = graph.add(std::move(operation), std::move(needs));
    *node.node = reinterpret_cast<cudaGraphNode_t>(added);
    if (const auto complete = find_node_type(p.type)->complete) complete(added->operation, p);
    return cudaSuccess;
  });
}

cudaError_t set_node(cudaGraphNode_t node, cudaGraphNodeParams p, const Describe& describe) {
  return api([&](Session& session) {
    return replace_operation(session, session.graphs.find_node(node), p, describe);
  });
}

cudaError_t set_exec_node(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraphNodeParams p,
                          const Describe& describe) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    return replace_operation(session, exec->counterpart(reinterpret_cast<const GraphNode*>(node)),
                             p, describe);
  });
}

cudaError_t get_node(cudaGraphNode_t handle, cudaGraphNodeParams& p) {
  return api([&](Session& session) {
    const GraphNode* const node = session.graphs.find_node(handle);
    if (!node || node->operation.type != p.type) return cudaErrorInvalidValue;
    find_node_type(p.type)->read(node->operation, p);
    return cudaSuccess;
  });
}

cudaError_t require_addable(const char* call, const cudaGraphNodeParams& p) {
  return find_node_type(p.type) ? cudaSuccess
                                : refuse(call, "nodes of this type are not supported");
}

cudaError_t require_replaceable(const char* call, const cudaGraphNodeParams& p) {
  const NodeType* const type = find_node_type(p.type);
  if (type && type->replaceable) return cudaSuccess;
  return refuse(call, p.type == cudaGraphNodeTypeConditional
                          ? "a conditional node keeps its handle and its bodies"
                          : "nodes of this type are not supported");
}

cudaGraphNodeParams node_params(cudaGraphNodeType type) {
  cudaGraphNodeParams p{};
  p.type = type;
  return p;
}
cudaGraphNodeParams node_params(const cudaKernelNodeParams& kernel) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeKernel);
  p.kernel = kernel;
  return p;
}
cudaGraphNodeParams node_params(const cudaMemcpy3DParms& copy) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeMemcpy);
  p.memcpy.copyParams = copy;
  return p;
}
cudaGraphNodeParams node_params(const cudaMemsetParams& fill) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeMemset);
  p.memset = fill;
  return p;
}
cudaGraphNodeParams node_params(const cudaHostNodeParams& host) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeHost);
  p.host = host;
  return p;
}
cudaGraphNodeParams node_params(cudaGraphNodeType type, cudaEvent_t event) {
  cudaGraphNodeParams p = node_params(type);
  p.eventRecord.event = event;  // eventWait has the same layout
  return p;
}

}  // namespace heddle::cuda
