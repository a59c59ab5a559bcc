// Graphs: their nodes and edges.
#include <algorithm>
#include <fstream>

#include "cuda/graph/drawing.h"
#include "cuda/graph/nodes.h"
#include "cuda/objects/handles.h"

using namespace heddle::cuda;

namespace {

// count: the capacity of `into` before, the number of nodes after the call.
cudaError_t list(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* into, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  for (size_t i = 0; into && i < *count; ++i)
    into[i] = i < nodes.size() ? reinterpret_cast<cudaGraphNode_t>(nodes[i]) : nullptr;
  if (!into || *count > nodes.size()) *count = nodes.size();
  return cudaSuccess;
}

// Calls work(node, need) for each edge from a node to one that needs it.
template <class Work>
cudaError_t for_each_edge(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                          size_t count, Work&& work) {
  return with_graph(graph, [&](Session& session, Graph&) {
    for (size_t i = 0; i < count; ++i) {
      GraphNode* const need = session.graphs.find_node(from[i]);
      GraphNode* const node = session.graphs.find_node(to[i]);
      if (!need || !node) return cudaErrorInvalidValue;
      work(*node, need);
    }
    return cudaSuccess;
  });
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

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return for_each_edge(graph, from, to, count,
                       [](GraphNode& node, GraphNode* need) { node.dependencies.push_back(need); });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return for_each_edge(graph, from, to, count, [](GraphNode& node, GraphNode* need) {
    std::erase(node.dependencies, need);
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
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return with_graph(graph, [&](Session&, Graph& of) {
    if (!path) return cudaErrorInvalidValue;
    std::ofstream out(path);
    out << dot_of(of,
                  flags & (cudaGraphDebugDotFlagsVerbose | cudaGraphDebugDotFlagsKernelNodeParams |
                           cudaGraphDebugDotFlagsMemcpyNodeParams));
    return out.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

// Signatures of CUDA 11 and 12.
#pragma GCC visibility push(default)
extern "C" {
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
}
#pragma GCC visibility pop
