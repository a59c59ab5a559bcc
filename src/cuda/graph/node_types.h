// The types of graph nodes: how the parameters of each become an operation, and which it returns.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// A graph and the nodes in it that an added node waits for.
struct NodePlace {
  const Graph* graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
};
// False when one of the dependencies does not belong to the graph.
bool find_dependencies(const Graphs& graphs, const NodePlace& at, std::vector<GraphNode*>& needs);

struct NodeType {
  cudaGraphNodeType type;
  const char* name;  // in drawings
  // Whether cudaGraphNodeSetParams replaces its parameters.
  bool replaceable;
  // Builds the operation of a node. `at` is empty when the node exists already.
  cudaError_t (*make)(Session& session, const NodePlace& at, const cudaGraphNodeParams& p,
                      Operation& operation);
  // The parameters of a node; null: none are returned.
  void (*read)(const Operation& operation, cudaGraphNodeParams& p);
  // Completes the parameters of a node that was added; null: nothing.
  void (*complete)(const Operation& operation, cudaGraphNodeParams& p);
};

// Null for types that are not supported.
const NodeType* find_node_type(cudaGraphNodeType type);

}  // namespace heddle::cuda
