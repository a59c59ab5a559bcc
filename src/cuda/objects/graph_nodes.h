// Making, changing and asking about nodes of graphs, for the calls of the runtime and of the
// driver.
#pragma once

#include "cuda/objects/launches.h"
#include "cuda/objects/streams.h"
#include "cuda/objects/transfers.h"

namespace heddle::cuda {

// A launch as a node keeps it. p.func is only what CUDA knows the kernel by.
cudaError_t kernel_operation(Session& session, const ptx::Kernel* kernel,
                             const cudaKernelNodeParams& p, Operation& operation);

// runtime/graph_conditional.cc
cudaError_t add_conditional_node(cudaGraphNode_t* node, cudaGraph_t handle,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 cudaConditionalNodeParams& p);

template <class Work>
cudaError_t with_graph(cudaGraph_t handle, Work&& work) {
  return api([&](Session& session) {
    const auto graph = session.graphs.find(handle);
    return graph ? work(session, *graph) : cudaErrorInvalidValue;
  });
}

// False when one of them is not of the graph.
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

inline cudaError_t add(Session& session, Graph& graph, cudaGraphNode_t* node,
                       const cudaGraphNode_t* dependencies, size_t count, Operation operation) {
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
      const auto found = session.events.find(handle_of(event));
      if (found == session.events.end()) return cudaErrorInvalidResourceHandle;
      found->second.recorded_ms = session.device().elapsed_ms();
      return cudaSuccess;
    };
  }
  return operation;
}

inline cudaMemcpy3DParms linear(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(from), count, count, 1};
  p.dstPtr = {to, count, count, 1};
  p.extent = {count, 1, 1};
  p.kind = kind;
  return p;
}

// Replaces the work of a node, or of its counterpart in an executable graph, by other work of the
// same type.
inline cudaError_t replace(GraphNode* node, Operation operation) {
  if (!node || node->operation.type != operation.type) return cudaErrorInvalidValue;
  node->operation = std::move(operation);
  return cudaSuccess;
}

template <class Make>
cudaError_t set_node(cudaGraphNode_t node, Make&& make) {
  return api([&](Session& session) {
    Operation operation;
    const cudaError_t error = make(session, operation);
    return error == cudaSuccess ? replace(session.graphs.find_node(node), std::move(operation))
                                : error;
  });
}

template <class Make>
cudaError_t set_exec_node(cudaGraphExec_t handle, cudaGraphNode_t node, Make&& make) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    Operation operation;
    const cudaError_t error = make(session, operation);
    return error == cudaSuccess
               ? replace(exec->counterpart(reinterpret_cast<const GraphNode*>(node)),
                         std::move(operation))
               : error;
  });
}

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
