// Executable graphs.
#include "cuda/graph/device_graphs.h"
#include "cuda/graph/launch.h"
#include "cuda/graph/nodes.h"
#include "cuda/objects/handles.h"
#include "cuda/operations/submit.h"

using namespace heddle::cuda;

namespace {

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
    return exec ? launch_graph(session, *exec, stream) : cudaErrorInvalidValue;
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
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, p->flags);
  p->errNode_out = nullptr;
  p->result_out = error == cudaSuccess             ? cudaGraphInstantiateSuccess
                  : error == cudaErrorNotSupported ? cudaGraphInstantiateNodeOperationNotSupported
                                                   : cudaGraphInstantiateError;
  if (error == cudaSuccess && p->flags & cudaGraphInstantiateFlagUpload)
    error = cudaGraphUpload(*exec, p->uploadStream);
  return error;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    return exec && flags ? (*flags = exec->flags, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return with_exec_node(exec, node, [&](Session&, GraphNode& twin) {
    const cudaGraphNodeType type = twin.operation.type;
    if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemcpy &&
        type != cudaGraphNodeTypeMemset)
      return cudaErrorInvalidValue;
    twin.enabled = enabled != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return with_exec_node(exec, node, [&](Session&, const GraphNode& twin) {
    return enabled ? (*enabled = twin.enabled, cudaSuccess) : cudaErrorInvalidValue;
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
}
#pragma GCC visibility pop
