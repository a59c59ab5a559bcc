// Adding, changing and reading nodes of graphs, for the calls of the runtime and of the driver.
#pragma once

#include "cuda/objects/handles.h"
#include "cuda/operations/launches.h"
#include "cuda/operations/submit.h"
#include "cuda/operations/transfers.h"

namespace heddle::cuda {

// Calls work(session, graph) when the handle is a graph.
template <class Work>
cudaError_t with_graph(cudaGraph_t handle, Work&& work) {
  return api([&](Session& session) {
    const auto graph = session.graphs.find(handle);
    return graph ? work(session, *graph) : cudaErrorInvalidValue;
  });
}

// False when one of them does not belong to the graph.
inline bool find_dependencies(Session& session, const Graph& graph,
                              const cudaGraphNode_t* dependencies, size_t count,
                              std::vector<GraphNode*>& needs) {
  if (count && !dependencies) return false;
  for (size_t i = 0; i < count; ++i) {
    GraphNode* const need = session.graphs.find_node(dependencies[i]);
    if (!need || need->graph != &graph) return false;
    needs.push_back(need);
  }
  return true;
}

inline cudaError_t add_node(Session& session, Graph& graph, cudaGraphNode_t* node,
                            const cudaGraphNode_t* dependencies, size_t count,
                            Operation operation) {
  std::vector<GraphNode*> needs;
  if (!node || !find_dependencies(session, graph, dependencies, count, needs))
    return cudaErrorInvalidValue;
  *node = reinterpret_cast<cudaGraphNode_t>(graph.add(std::move(operation), std::move(needs)));
  return cudaSuccess;
}

inline Operation host_operation(const cudaHostNodeParams& p) {
  Operation operation;
  operation.type = cudaGraphNodeTypeHost;
  operation.host_params = p;
  operation.host = [p] { p.fn(p.userData); };
  return operation;
}

inline Operation event_operation(cudaGraphNodeType type, cudaEvent_t event) {
  Operation operation;
  operation.type = type;
  operation.event = event;
  if (type == cudaGraphNodeTypeEventRecord) {
    operation.run = [event](Session& session) {
      // The program may have destroyed the event meanwhile.
      if (Event* const found = session.events.find(event))
        found->recorded_ms = session.device().elapsed_ms();
      return cudaSuccess;
    };
  }
  return operation;
}

// Replaces a node's operation by another one of the same type.
inline cudaError_t replace_operation(GraphNode* node, Operation operation) {
  if (!node || node->operation.type != operation.type) return cudaErrorInvalidValue;
  node->operation = std::move(operation);
  return cudaSuccess;
}

// make(session, operation) builds the new operation of the node.
template <class Make>
cudaError_t set_node(cudaGraphNode_t node, Make&& make) {
  return api([&](Session& session) {
    Operation operation;
    const cudaError_t error = make(session, operation);
    return error == cudaSuccess
               ? replace_operation(session.graphs.find_node(node), std::move(operation))
               : error;
  });
}

// The same for the node's copy in an executable graph.
template <class Make>
cudaError_t set_exec_node(cudaGraphExec_t handle, cudaGraphNode_t node, Make&& make) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    Operation operation;
    const cudaError_t error = make(session, operation);
    return error == cudaSuccess
               ? replace_operation(exec->counterpart(reinterpret_cast<const GraphNode*>(node)),
                                   std::move(operation))
               : error;
  });
}

// Calls get(operation) when the node has this type.
template <class Get>
cudaError_t get_node(cudaGraphNode_t handle, cudaGraphNodeType type, Get&& get) {
  return api([&](Session& session) {
    const GraphNode* const node = session.graphs.find_node(handle);
    if (!node || node->operation.type != type) return cudaErrorInvalidValue;
    get(node->operation);
    return cudaSuccess;
  });
}

}  // namespace heddle::cuda
