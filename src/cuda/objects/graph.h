// Work for a stream as an object: executed when it is issued, or kept as a node of a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/objects/graph_memory.h"
#include "driver_types.h"
#include "exec/state/launch.h"

namespace heddle::cuda {

class Session;
struct Graph;

// What a conditional node chooses among, by a word of device memory.
struct Branches {
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::uint64_t address = 0;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::vector<cudaGraph_t> handles;  // of the bodies, as the program sees them
};
// Such a word; at a launch of its graph it may be set anew.
struct Condition {
  std::uint64_t address = 0;
  std::uint32_t initial = 0;
  bool assigns = false;
  std::shared_ptr<void> word;  // freed with the last graph that has it
};

struct Operation {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<cudaError_t(Session&)>
      run;  // under the session's lock; none for host functions, child graphs and empty nodes
  std::function<void()> host;  // a host function, called without the lock
  std::shared_ptr<Graph> child;
  std::shared_ptr<Branches> branches;  // of a conditional node
  // What a node's parameters are asked for with.
  cudaKernelNodeParams kernel{};
  std::vector<std::vector<std::uint8_t>> arguments;  // of the kernel, one by one
  std::vector<void*> argument_pointers;
  cudaMemcpy3DParms copy{};
  cudaMemsetParams fill{};
  cudaHostNodeParams host_params{};
  cudaEvent_t event = nullptr;
  std::string kernel_name;
  std::shared_ptr<GraphBlock> block;  // what is allocated or freed
};

struct GraphNode {
  Operation operation;
  std::vector<GraphNode*> dependencies;
  Graph* graph = nullptr;
  bool enabled = true;  // in an executable graph: otherwise it does nothing
  std::map<int, cudaLaunchAttributeValue> attributes;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  // in order of creation
  std::vector<Condition> conditions;
  std::vector<std::pair<std::uintptr_t, std::shared_ptr<void>>>
      kept;  // user objects, by handle, a reference each
  GraphNode* add(Operation operation, std::vector<GraphNode*> dependencies);
  // Dependencies before dependents, otherwise in order of creation; empty when they form a circle.
  std::vector<GraphNode*> order() const;
  bool owns(const GraphNode* node) const;
  void remove(GraphNode* node);
};
// A child graph, or the bodies of a conditional node.
std::vector<std::shared_ptr<Graph>> inner_graphs(const Operation& operation);
// A copy and, for each node of the original, its counterpart.
std::pair<std::unique_ptr<Graph>, std::vector<std::pair<const GraphNode*, GraphNode*>>> clone(
    const Graph& graph);

// An executable graph: a copy of a graph, its order, and which node each of the original's became.
struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<GraphNode*> order;
  unsigned long long flags = 0;
  std::vector<std::pair<const GraphNode*, GraphNode*>> counterparts;
  GraphNode* counterpart(const GraphNode* original) const;
};
// None when the dependencies form a circle.
std::unique_ptr<GraphExec> instantiate(const Graph& graph);

// The recording of streams into a graph.
struct Capture {
  std::shared_ptr<Graph> graph;
  std::uintptr_t origin = 0;  // the stream that began it
  std::uint64_t id = 0;
  bool invalid = false;
};

struct GraphStore {
  std::vector<std::shared_ptr<Graph>> graphs;
  std::vector<std::unique_ptr<GraphExec>> execs;
  std::uint64_t captures = 0;
  GraphMemory memory;
  std::map<std::uintptr_t, std::vector<std::shared_ptr<void>>>
      user_objects;  // the references that the program holds, by handle
  std::shared_ptr<Graph> find(const void* handle) const;
  GraphExec* find_exec(const void* handle) const;
  GraphNode* find_node(const void* handle) const;  // in any graph
};

}  // namespace heddle::cuda
