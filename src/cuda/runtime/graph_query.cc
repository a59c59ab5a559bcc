// Queries of graphs and their nodes, disabling nodes, copies of symbols as nodes, drawings of
// graphs, and user objects.
#include <cstring>
#include <fstream>

#include "cuda/operations/graph_nodes.h"

using namespace heddle::cuda;

namespace {

template <class Work>
cudaError_t with_node(cudaGraphNode_t handle, cudaGraphNodeType type, Work&& work) {
  return api([&](Session& session) {
    GraphNode* const node = session.graphs.find_node(handle);
    return node && node->operation.type == type ? work(*node) : cudaErrorInvalidValue;
  });
}

// Calls work with the node's copy in the executable graph.
template <class Work>
cudaError_t with_exec_node(cudaGraphExec_t handle, cudaGraphNode_t node, Work&& work) {
  return api([&](Session& session) {
    const GraphExec* const exec = session.graphs.find_exec(handle);
    GraphNode* const twin =
        exec ? exec->counterpart(reinterpret_cast<const GraphNode*>(node)) : nullptr;
    return twin ? work(session, *twin) : cudaErrorInvalidValue;
  });
}

cudaError_t event_of(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* event) {
  if (!event) return answer(cudaErrorInvalidValue);
  return get_node(node, type, [&](const Operation& o) { *event = o.event; });
}
cudaError_t set_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t event) {
  return set_node(
      node, [&](Session&, Operation& o) { return o = event_operation(type, event), cudaSuccess; });
}
cudaError_t set_exec_event(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                           cudaEvent_t event) {
  return set_exec_node(exec, node, [&](Session&, Operation& o) {
    return o = event_operation(type, event), cudaSuccess;
  });
}

// A copy to or from a variable of the device.
struct SymbolCopy {
  const void* symbol;
  const void* other;
  size_t bytes, offset;
  cudaMemcpyKind kind;
  bool to_symbol;
};
cudaError_t symbol_operation(Session& session, const SymbolCopy& c, Operation& operation) {
  const auto variable = session.program().variable(c.symbol);
  if (!variable) return cudaErrorInvalidSymbol;
  if (c.offset > variable->bytes || c.bytes > variable->bytes - c.offset)
    return cudaErrorInvalidValue;
  void* const place = device_pointer(variable->address + c.offset);
  const cudaMemcpy3DParms p = c.to_symbol
                                  ? linear_copy(place, c.other, c.bytes, c.kind)
                                  : linear_copy(const_cast<void*>(c.other), place, c.bytes, c.kind);
  operation = copy_operation("a graph's copy", p);
  return cudaSuccess;
}
cudaError_t add_symbol_copy(cudaGraphNode_t* node, cudaGraph_t graph,
                            const cudaGraphNode_t* dependencies, size_t count,
                            const SymbolCopy& c) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    Operation operation;
    const cudaError_t error = symbol_operation(session, c, operation);
    return error == cudaSuccess
               ? add_node(session, into, node, dependencies, count, std::move(operation))
               : error;
  });
}

const char* kind_name(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel: return "KERNEL";
    case cudaGraphNodeTypeMemcpy: return "MEMCPY";
    case cudaGraphNodeTypeMemset: return "MEMSET";
    case cudaGraphNodeTypeHost: return "HOST";
    case cudaGraphNodeTypeGraph: return "GRAPH";
    case cudaGraphNodeTypeWaitEvent: return "EVENT_WAIT";
    case cudaGraphNodeTypeEventRecord: return "EVENT_RECORD";
    case cudaGraphNodeTypeMemAlloc: return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree: return "MEM_FREE";
    default: return "EMPTY";
  }
}

void draw(const Graph& graph, const std::string& name, bool verbose, std::ostream& out) {
  std::map<const GraphNode*, std::size_t> numbers;
  for (const auto& node : graph.nodes) numbers.emplace(node.get(), numbers.size());
  const auto node_name = [&](const GraphNode* node) {
    return "\"" + name + "_node_" + std::to_string(numbers.at(node)) + "\"";
  };
  out << "subgraph \"cluster_" << name << "\" {\nlabel=\"" << name << "\"\n";
  for (const auto& node : graph.nodes) {
    const Operation& o = node->operation;
    out << node_name(node.get()) << " [shape=\"box\" label=\"" << numbers.at(node.get()) << "\\n"
        << kind_name(o.type);
    if (o.type == cudaGraphNodeTypeKernel) out << "\\n" << o.kernel_name;
    if (verbose && o.type == cudaGraphNodeTypeKernel) {
      out << "\\ngrid " << o.kernel.gridDim.x << "," << o.kernel.gridDim.y << ","
          << o.kernel.gridDim.z << " block " << o.kernel.blockDim.x << "," << o.kernel.blockDim.y
          << "," << o.kernel.blockDim.z;
    }
    if (verbose && o.type == cudaGraphNodeTypeMemcpy)
      out << "\\n" << o.copy.extent.width << " bytes";
    out << "\"];\n";
    for (const GraphNode* need : node->dependencies)
      out << node_name(need) << " -> " << node_name(node.get()) << ";\n";
    if (o.child) draw(*o.child, name + "_" + std::to_string(numbers.at(node.get())), verbose, out);
  }
  out << "}\n";
}

}  // namespace

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
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return with_graph(graph, [&](Session&, Graph& of) {
    if (!path) return cudaErrorInvalidValue;
    std::ofstream out(path);
    out << "digraph dot {\n";
    draw(of, "graph_1",
         flags & (cudaGraphDebugDotFlagsVerbose | cudaGraphDebugDotFlagsKernelNodeParams |
                  cudaGraphDebugDotFlagsMemcpyNodeParams),
         out);
    out << "}\n";
    return out.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  if (!graph) return answer(cudaErrorInvalidValue);
  return get_node(node, cudaGraphNodeTypeGraph, [&](const Operation& o) {
    *graph = reinterpret_cast<cudaGraph_t>(o.child.get());
  });
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
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event(node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_exec_event(exec, node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_exec_event(exec, node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t count, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms p = linear_copy(to, from, count, kind);
  return cudaGraphMemcpyNodeSetParams(node, &p);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add_symbol_copy(node, graph, dependencies, count,
                         {symbol, from, bytes, offset, kind, true});
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return add_symbol_copy(node, graph, dependencies, count,
                         {symbol, to, bytes, offset, kind, false});
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return set_node(node, [&](Session& session, Operation& o) {
    return symbol_operation(session, {symbol, from, bytes, offset, kind, true}, o);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return set_node(node, [&](Session& session, Operation& o) {
    return symbol_operation(session, {symbol, to, bytes, offset, kind, false}, o);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return set_exec_node(exec, node, [&](Session& session, Operation& o) {
    return symbol_operation(session, {symbol, from, bytes, offset, kind, true}, o);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return set_exec_node(exec, node, [&](Session& session, Operation& o) {
    return symbol_operation(session, {symbol, to, bytes, offset, kind, false}, o);
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

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
  if (!value) return answer(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeKernel, [&](GraphNode& n) {
    const auto found = n.attributes.find(attribute);
    *value = found == n.attributes.end() ? cudaKernelNodeAttrValue{} : found->second;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
  if (!value) return answer(cudaErrorInvalidValue);
  return with_node(node, cudaGraphNodeTypeKernel,
                   [&](GraphNode& n) { return n.attributes[attribute] = *value, cudaSuccess; });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
  return with_node(to, cudaGraphNodeTypeKernel, [&](GraphNode& n) {
    const GraphNode* const source = Session::get().graphs.find_node(from);
    if (!source || source->operation.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    n.attributes = source->attributes;
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned references, unsigned) {
  return api([&](Session& session) {
    if (!object || !destroy || references == 0) return cudaErrorInvalidValue;
    const std::shared_ptr<void> shared(pointer, destroy);
    const std::uintptr_t handle = session.new_handle();
    session.graphs.user_objects[handle].assign(references, shared);
    *object = reinterpret_cast<cudaUserObject_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return api([&](Session& session) {
    const auto found = session.graphs.user_objects.find(handle_of(object));
    if (found == session.graphs.user_objects.end() || found->second.empty())
      return cudaErrorInvalidValue;
    const std::shared_ptr<void> shared = found->second.front();
    found->second.insert(found->second.end(), count, shared);
    return cudaSuccess;
  });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return api([&](Session& session) {
    const auto found = session.graphs.user_objects.find(handle_of(object));
    if (found == session.graphs.user_objects.end() || found->second.size() < count)
      return cudaErrorInvalidValue;
    found->second.resize(found->second.size() - count);
    return cudaSuccess;
  });
}
// References move from the program to the graph, or the graph gets new ones.
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return with_graph(graph, [&](Session& session, Graph& into) {
    const auto found = session.graphs.user_objects.find(handle_of(object));
    if (found == session.graphs.user_objects.end() || found->second.empty())
      return cudaErrorInvalidValue;
    const bool moves = flags & cudaGraphUserObjectMove;
    if (moves && found->second.size() < count) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i)
      into.user_objects.emplace_back(handle_of(object), found->second.front());
    if (moves) found->second.resize(found->second.size() - count);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return with_graph(graph, [&](Session&, Graph& of) {
    for (unsigned i = 0; i < count; ++i) {
      const auto found = std::find_if(of.user_objects.begin(), of.user_objects.end(),
                                      [&](const auto& k) { return k.first == handle_of(object); });
      if (found == of.user_objects.end()) return cudaErrorInvalidValue;
      of.user_objects.erase(found);
    }
    return cudaSuccess;
  });
}
