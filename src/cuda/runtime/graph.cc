// Building graphs, and executing them.
#include <algorithm>
#include <cstring>

#include "cuda/operations/device_graphs.h"
#include "cuda/operations/graph_allocations.h"
#include "cuda/operations/graph_conditions.h"
#include "cuda/operations/graph_nodes.h"
#include "cuda/process/stream_progress.h"

using namespace heddle::cuda;

namespace {

cudaError_t kernel_of_function(Session& session, const cudaKernelNodeParams* p,
                               Operation& operation) {
  return p ? kernel_operation(session, session.program().kernel(p->func), *p, operation)
           : cudaErrorInvalidValue;
}

// count: the capacity of `into` before, the number of nodes after the call.
cudaError_t list(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* into, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  for (size_t i = 0; into && i < *count; ++i)
    into[i] = i < nodes.size() ? reinterpret_cast<cudaGraphNode_t>(nodes[i]) : nullptr;
  if (!into || *count > nodes.size()) *count = nodes.size();
  return cudaSuccess;
}

cudaError_t instantiate_graph(cudaGraphExec_t* handle, cudaGraph_t graph,
                              unsigned long long flags = 0) {
  return with_graph(graph, [&](Session& session, Graph& source) {
    if (!handle) return cudaErrorInvalidValue;
    auto exec = instantiate(source);
    if (!exec) return cudaErrorInvalidValue;
    exec->flags = flags;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
      if (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) return cudaErrorInvalidValue;
      Operation upload;
      const cudaError_t error = upload_operation(session, *exec, upload);
      if (error != cudaSuccess) return error;
    }
    *handle =
        reinterpret_cast<cudaGraphExec_t>(session.graphs.execs.emplace_back(std::move(exec)).get());
    return cudaSuccess;
  });
}

// Replaces the operations by those of a graph with the same nodes and dependencies.
cudaGraphExecUpdateResult update(GraphExec& exec, const Graph& graph) {
  const auto fresh = instantiate(graph);
  if (!fresh || fresh->order.size() != exec.order.size())
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < exec.order.size(); ++i) {
    if (fresh->order[i]->dependencies.size() != exec.order[i]->dependencies.size())
      return cudaGraphExecUpdateErrorTopologyChanged;
    if (fresh->order[i]->operation.type != exec.order[i]->operation.type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
  }
  for (size_t i = 0; i < exec.order.size(); ++i)
    exec.order[i]->operation = std::move(fresh->order[i]->operation);
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return api([&](Session& session) {
    if (!graph) return cudaErrorInvalidValue;
    *graph = reinterpret_cast<cudaGraph_t>(
        session.graphs.all.emplace_back(std::make_shared<Graph>()).get());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api([&](Session& session) {
    auto& graphs = session.graphs.all;
    return std::erase_if(graphs,
                         [&](const auto& g) { return handle_of(g.get()) == handle_of(graph); })
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  return with_graph(original, [&](Session& session, Graph& graph) {
    if (!copy) return cudaErrorInvalidValue;
    *copy =
        reinterpret_cast<cudaGraph_t>(session.graphs.all.emplace_back(clone(graph).first).get());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t copy) {
  return with_graph(copy, [&](Session& session, Graph& graph) {
    const GraphNode* const node = session.graphs.find_node(original);
    if (!found || !node || node->graph->nodes.size() != graph.nodes.size())
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (node->graph->nodes[i].get() == node)
        *found = reinterpret_cast<cudaGraphNode_t>(graph.nodes[i].get());
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    return add_node(session, into, node, dependencies, count, {});
  });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* p) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    Operation operation;
    const cudaError_t error = kernel_of_function(session, p, operation);
    return error == cudaSuccess
               ? add_node(session, into, node, dependencies, count, std::move(operation))
               : error;
  });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* p) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    return p ? add_node(session, into, node, dependencies, count,
                        copy_operation("a graph's copy", *p))
             : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = linear_copy(to, from, bytes, kind);
  return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* p) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    return p ? add_node(session, into, node, dependencies, count,
                        fill_operation("a graph's memset", *p))
             : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* p) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    return p && p->fn ? add_node(session, into, node, dependencies, count, host_operation(*p))
                      : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    const auto inner = session.graphs.find(child);
    if (!inner) return cudaErrorInvalidValue;
    Operation operation;
    operation.type = cudaGraphNodeTypeGraph;
    operation.child = clone(*inner).first;
    return add_node(session, into, node, dependencies, count, std::move(operation));
  });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    return add_node(session, into, node, dependencies, count,
                    event_operation(cudaGraphNodeTypeEventRecord, event));
  });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    return add_node(session, into, node, dependencies, count,
                    event_operation(cudaGraphNodeTypeWaitEvent, event));
  });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return with_graph(graph, [&](Session& session, Graph&) {
    for (size_t i = 0; i < count; ++i) {
      GraphNode *const need = session.graphs.find_node(from[i]), *const node =
                                                                     session.graphs.find_node(
                                                                         to[i]);
      if (!need || !node) return cudaErrorInvalidValue;
      node->dependencies.push_back(need);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return with_graph(graph, [&](Session& session, Graph&) {
    for (size_t i = 0; i < count; ++i) {
      GraphNode *const need = session.graphs.find_node(from[i]), *const node =
                                                                     session.graphs.find_node(
                                                                         to[i]);
      if (!need || !node) return cudaErrorInvalidValue;
      std::erase(node->dependencies, need);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return api([&](Session& session) {
    GraphNode* const node = session.graphs.find_node(handle);
    if (!node) return cudaErrorInvalidValue;
    node->graph->remove(node);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return api([&](Session& session) {
    const GraphNode* const node = session.graphs.find_node(handle);
    if (!node || !type) return cudaErrorInvalidValue;
    *type = node->operation.type;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(graph, [&](Session&, Graph& of) {
    std::vector<GraphNode*> all;
    for (const auto& node : of.nodes) all.push_back(node.get());
    return list(all, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return with_graph(graph, [&](Session&, Graph& of) {
    std::vector<GraphNode*> roots;
    for (const auto& node : of.nodes)
      if (node->dependencies.empty()) roots.push_back(node.get());
    return list(roots, nodes, count);
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData*, size_t* count) {
  return with_graph(graph, [&](Session&, Graph& of) {
    std::vector<GraphNode*> needs, nodes;
    for (const auto& node : of.nodes) {
      for (GraphNode* need : node->dependencies) {
        needs.push_back(need);
        nodes.push_back(node.get());
      }
    }
    size_t room = count ? *count : 0;
    const cudaError_t error = list(needs, from, count);
    if (error == cudaSuccess && to) list(nodes, to, &room);
    return error;
  });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData*, size_t* count) {
  return api([&](Session& session) {
    const GraphNode* const node = session.graphs.find_node(handle);
    return node ? list(node->dependencies, dependencies, count) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData*, size_t* count) {
  return api([&](Session& session) {
    GraphNode* const node = session.graphs.find_node(handle);
    if (!node) return cudaErrorInvalidValue;
    std::vector<GraphNode*> found;
    for (const auto& other : node->graph->nodes) {
      if (std::find(other->dependencies.begin(), other->dependencies.end(), node) !=
          other->dependencies.end())
        found.push_back(other.get());
    }
    return list(found, dependents, count);
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return p ? get_node(node, cudaGraphNodeTypeKernel, [&](const Operation& o) { *p = o.kernel; })
           : answer(cudaErrorInvalidValue);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return set_node(
      node, [&](Session& session, Operation& o) { return kernel_of_function(session, p, o); });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return set_exec_node(exec, node, [&](Session& session, Operation& o) {
    return kernel_of_function(session, p, o);
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
  return p ? get_node(node, cudaGraphNodeTypeMemcpy, [&](const Operation& o) { *p = o.copy; })
           : answer(cudaErrorInvalidValue);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  return set_node(node, [&](Session&, Operation& o) {
    return p ? (o = copy_operation("a graph's copy", *p), cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return set_exec_node(exec, node, [&](Session&, Operation& o) {
    return p ? (o = copy_operation("a graph's copy", *p), cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t count,
                                               cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = linear_copy(to, from, count, kind);
  return cudaGraphExecMemcpyNodeSetParams(exec, node, &p);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
  return p ? get_node(node, cudaGraphNodeTypeMemset, [&](const Operation& o) { *p = o.fill; })
           : answer(cudaErrorInvalidValue);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  return set_node(node, [&](Session&, Operation& o) {
    return p ? (o = fill_operation("a graph's memset", *p), cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return set_exec_node(exec, node, [&](Session&, Operation& o) {
    return p ? (o = fill_operation("a graph's memset", *p), cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
  return p ? get_node(node, cudaGraphNodeTypeHost, [&](const Operation& o) { *p = o.host_params; })
           : answer(cudaErrorInvalidValue);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  return set_node(node, [&](Session&, Operation& o) {
    return p && p->fn ? (o = host_operation(*p), cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return set_exec_node(exec, node, [&](Session&, Operation& o) {
    return p && p->fn ? (o = host_operation(*p), cudaSuccess) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return instantiate_graph(exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate_graph(exec, graph, flags);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    if (!(exec->flags & cudaGraphInstantiateFlagDeviceLaunch)) return cudaSuccess;
    Operation upload;
    const cudaError_t error = upload_operation(session, *exec, upload);
    return error == cudaSuccess ? submit(session, {stream}, std::move(upload)) : error;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return api([&](Session& session) {
    GraphExec* const exec = session.graphs.find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    if (!session.streams.exists(stream)) return cudaErrorInvalidResourceHandle;
    if (session.streams.capture_of(stream)) {
      Operation child;  // a captured launch becomes a child graph
      child.type = cudaGraphNodeTypeGraph;
      child.child = clone(*exec->graph).first;
      return submit(session, stream, std::move(child));
    }
    if (allocates(*exec->graph) || has_conditions(*exec->graph)) {
      // Earlier work uses this memory and these conditions.
      if (const cudaError_t error = wait_for_all(session); error != cudaSuccess) return error;
      const cudaError_t reserved = reserve_graph_memory(
          session, *exec->graph, exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
      if (reserved != cudaSuccess) return reserved;
      reset_conditions(session, *exec->graph);
    }
    return submit_graph(session, stream, *exec);
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return with_graph(graph, [&](Session& session, Graph& from) {
    GraphExec* const exec = session.graphs.find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    const cudaGraphExecUpdateResult result = update(*exec, from);
    if (info) *info = {result, nullptr, nullptr};
    return result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api([&](Session& session) {
    if (const GraphExec* const ends = session.graphs.find_exec(exec)) forget_upload(session, *ends);
    auto& execs = session.graphs.execs;
    return std::erase_if(execs,
                         [&](const auto& e) { return handle_of(e.get()) == handle_of(exec); })
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

// Signatures of CUDA 11 and 12.
#pragma GCC visibility push(default)
extern "C" {
cudaError_t heddle_cudaGraphInstantiate_11(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphNode_t* error_node, char* log, size_t bytes) {
  if (error_node) *error_node = nullptr;
  if (log && bytes) *log = 0;
  return instantiate_graph(exec, graph);
}
cudaError_t heddle_cudaGraphExecUpdate_11(cudaGraphExec_t exec, cudaGraph_t graph,
                                          cudaGraphNode_t* error_node,
                                          cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (error_node) *error_node = nullptr;
  if (result) *result = info.result;
  return error;
}
cudaError_t heddle_cudaGraphAddDependencies_12(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
cudaError_t heddle_cudaGraphRemoveDependencies_12(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                  const cudaGraphNode_t* to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
cudaError_t heddle_cudaGraphGetEdges_12(cudaGraph_t graph, cudaGraphNode_t* from,
                                        cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
cudaError_t heddle_cudaGraphNodeGetDependencies_12(cudaGraphNode_t node,
                                                   cudaGraphNode_t* dependencies, size_t* count) {
  return cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}
cudaError_t heddle_cudaGraphNodeGetDependentNodes_12(cudaGraphNode_t node,
                                                     cudaGraphNode_t* dependents, size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
cudaError_t heddle_cudaGraphAddNode_12(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraphNodeParams* p) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, p);
}
cudaError_t heddle_cudaStreamGetCaptureInfo_11(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id) {
  return cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t heddle_cudaStreamGetCaptureInfo_12(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** dependencies,
                                               size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
cudaError_t heddle_cudaStreamUpdateCaptureDependencies_12(cudaStream_t stream,
                                                          cudaGraphNode_t* dependencies,
                                                          size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}
}
#pragma GCC visibility pop
