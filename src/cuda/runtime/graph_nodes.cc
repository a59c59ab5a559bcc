// Nodes of graphs: names of what graph/nodes.h does.
#include "cuda/graph/nodes.h"

#include "cuda/graph/conditions.h"
#include "cuda/objects/handles.h"
#include "cuda/operations/launches.h"
#include "cuda/operations/transfers.h"

using namespace heddle::cuda;

namespace {

// Parameters that the program describes by a structure of their own.
template <class Params>
cudaError_t add_runtime_node(const NewNode& node, const Params* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  cudaGraphNodeParams all = node_params(*p);
  return add_node(node, all);
}
template <class Params>
cudaError_t set_runtime_node(cudaGraphNode_t node, const Params* p) {
  return p ? set_node(node, node_params(*p)) : answer(cudaErrorInvalidValue);
}
template <class Params>
cudaError_t set_runtime_node(cudaGraphExec_t exec, cudaGraphNode_t node, const Params* p) {
  return p ? set_exec_node(exec, node, node_params(*p)) : answer(cudaErrorInvalidValue);
}

// `part` selects the parameters of the type.
template <class Result, class Part>
cudaError_t get_part(cudaGraphNode_t node, cudaGraphNodeType type, Result* result, Part&& part) {
  if (!result) return answer(cudaErrorInvalidValue);
  cudaGraphNodeParams all = node_params(type);
  const cudaError_t error = get_node(node, all);
  if (error == cudaSuccess) *result = part(all);
  return error;
}

cudaError_t add_event(const NewNode& node, cudaGraphNodeType type, cudaEvent_t event) {
  cudaGraphNodeParams all = node_params(type, event);
  return add_node(node, all);
}
cudaError_t get_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* event) {
  return get_part(node, type, event, [](const auto& all) { return all.eventRecord.event; });
}

// A copy between memory and a variable of the device.
Describe symbol_copy(const void* symbol, const void* other, size_t bytes, size_t offset,
                     cudaMemcpyKind kind, bool to_symbol) {
  return [=](Session& session, cudaGraphNodeParams& all) {
    const auto variable = session.program().variable(symbol);
    if (!variable) return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
    void* const place = device_pointer(variable->address + offset);
    all = node_params(to_symbol ? linear_copy(place, other, bytes, kind)
                                : linear_copy(const_cast<void*>(other), place, bytes, kind));
    return cudaSuccess;
  };
}
cudaError_t add_symbol_copy(const NewNode& node, const Describe& copy) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeMemcpy);
  return add_node(node, all, copy);
}

template <class Work>
cudaError_t with_kernel_node(cudaGraphNode_t handle, Work&& work) {
  return api([&](Session& session) {
    GraphNode* const node = session.graphs.find_node(handle);
    return node && node->operation.type == cudaGraphNodeTypeKernel ? work(session, *node)
                                                                   : cudaErrorInvalidValue;
  });
}

}  // namespace

#include "cuda/runtime/node_calls.inc"

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  const cudaError_t error = require_addable("cudaGraphAddNode", *p);
  return error == cudaSuccess ? add_node({node, graph, dependencies, count}, *p) : error;
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  const cudaError_t error = require_replaceable("cudaGraphNodeSetParams", *p);
  return error == cudaSuccess ? set_node(node, *p) : error;
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  const cudaError_t error = require_replaceable("cudaGraphExecNodeSetParams", *p);
  return error == cudaSuccess ? set_exec_node(exec, node, *p) : error;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeEmpty);
  return add_node({node, graph, dependencies, count}, all);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return get_part(node, cudaGraphNodeTypeKernel, p, [](const auto& all) { return all.kernel; });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
  return get_part(node, cudaGraphNodeTypeMemcpy, p,
                  [](const auto& all) { return all.memcpy.copyParams; });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = linear_copy(to, from, bytes, kind);
  return add_runtime_node({node, graph, dependencies, count}, &p);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t count, cudaMemcpyKind kind) {
  return set_node(node, node_params(linear_copy(to, from, count, kind)));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t count,
                                               cudaMemcpyKind kind) {
  return set_exec_node(exec, node, node_params(linear_copy(to, from, count, kind)));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add_symbol_copy({node, graph, dependencies, count},
                         symbol_copy(symbol, from, bytes, offset, kind, true));
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return add_symbol_copy({node, graph, dependencies, count},
                         symbol_copy(symbol, to, bytes, offset, kind, false));
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return set_node(node, node_params(cudaGraphNodeTypeMemcpy),
                  symbol_copy(symbol, from, bytes, offset, kind, true));
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return set_node(node, node_params(cudaGraphNodeTypeMemcpy),
                  symbol_copy(symbol, to, bytes, offset, kind, false));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return set_exec_node(exec, node, node_params(cudaGraphNodeTypeMemcpy),
                       symbol_copy(symbol, from, bytes, offset, kind, true));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return set_exec_node(exec, node, node_params(cudaGraphNodeTypeMemcpy),
                       symbol_copy(symbol, to, bytes, offset, kind, false));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
  return get_part(node, cudaGraphNodeTypeMemset, p, [](const auto& all) { return all.memset; });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
  return get_part(node, cudaGraphNodeTypeHost, p, [](const auto& all) { return all.host; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeGraph);
  all.graph.graph = child;
  return add_node({node, graph, dependencies, count}, all);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return get_part(node, cudaGraphNodeTypeGraph, graph,
                  [](const auto& all) { return all.graph.graph; });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return with_exec_node(exec, node, [&](Session& session, GraphNode& twin) {
    const auto inner = session.graphs.find(child);
    if (!inner || !twin.operation.child ||
        inner->nodes.size() != twin.operation.child->nodes.size())
      return cudaErrorInvalidValue;
    twin.operation.child = clone(*inner).first;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add_event({node, graph, dependencies, count}, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event(node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_node(node, node_params(cudaGraphNodeTypeEventRecord, event));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_exec_node(exec, node, node_params(cudaGraphNodeTypeEventRecord, event));
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add_event({node, graph, dependencies, count}, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_node(node, node_params(cudaGraphNodeTypeWaitEvent, event));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_exec_node(exec, node, node_params(cudaGraphNodeTypeWaitEvent, event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* p) {
  if (!p) return answer(cudaErrorInvalidValue);
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeMemAlloc);
  all.alloc = *p;
  const cudaError_t error = add_node({node, graph, dependencies, count}, all);
  p->dptr = all.alloc.dptr;
  return error;
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* p) {
  return get_part(node, cudaGraphNodeTypeMemAlloc, p, [](const auto& all) { return all.alloc; });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeMemFree);
  all.free.dptr = pointer;
  return add_node({node, graph, dependencies, count}, all);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return get_part(node, cudaGraphNodeTypeMemFree, static_cast<void**>(pointer),
                  [](const auto& all) { return all.free.dptr; });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned initial, unsigned flags) {
  if (!handle || flags > cudaGraphCondAssignDefault) return answer(cudaErrorInvalidValue);
  return with_graph(graph, [&](Session& session, Graph& owner) {
    return create_condition(session.device().memory(), owner, initial,
                            flags == cudaGraphCondAssignDefault, handle);
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
  if (!value) return answer(cudaErrorInvalidValue);
  return with_kernel_node(node, [&](Session&, GraphNode& n) {
    const auto found = n.attributes.find(attribute);
    *value = found == n.attributes.end() ? cudaKernelNodeAttrValue{} : found->second;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
  if (!value) return answer(cudaErrorInvalidValue);
  return with_kernel_node(node, [&](Session& session, GraphNode& n) {
    if (attribute == cudaLaunchAttributeClusterDimension) {
      const auto& c = value->clusterDim;
      const cudaError_t error =
          set_cluster(session, n.operation.kernel.func, dim3(c.x, c.y, c.z), n.operation);
      if (error != cudaSuccess) return error;
    }
    n.attributes[attribute] = *value;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
  return with_kernel_node(to, [&](Session& session, GraphNode& n) {
    const GraphNode* const source = session.graphs.find_node(from);
    if (!source || source->operation.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    n.attributes = source->attributes;
    return cudaSuccess;
  });
}

// Signature of CUDA 12.
#pragma GCC visibility push(default)
extern "C" cudaError_t heddle_cudaGraphAddNode_12(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count,
                                                  cudaGraphNodeParams* p) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, p);
}
#pragma GCC visibility pop
