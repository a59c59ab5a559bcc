// Operations (work for a stream) and graphs of them. An operation runs when it is submitted to a
// stream, or becomes a node of a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda/objects/graph_memory.h"
#include "driver_types.h"
#include "gpu/launch_builder.h"
#include "gpu/nested/device_graph.h"

namespace heddle::cuda {

class Session;
struct Graph;

// The bodies of a conditional node. A word of device memory selects one.
struct Branches {
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::uint64_t address = 0;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::vector<cudaGraph_t> handles;  // of the bodies, for the program
};
// The word that a conditional node reads.
struct GraphCondition {
  std::uint64_t address = 0;
  std::uint32_t initial = 0;
  bool resets = false;         // every launch of the graph writes `initial`
  std::shared_ptr<void> word;  // freed with the last graph that refers to it
};

// A launch of a graph whose kernels may launch graphs, and its handle when device code may launch
// it, too (gpu::LaunchRequest).
struct GraphLaunch {
  std::uint64_t number = 0, handle = 0;  // 0: none
};

struct Operation {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  // Called under the session's lock. None for kernels, host functions, child graphs and empty
  // nodes.
  std::function<cudaError_t(Session&)> run;
  std::shared_ptr<const gpu::LaunchRequest> launch;  // of a kernel
  std::function<void()> host;                        // a host function; called without the lock
  std::shared_ptr<Graph> child;
  std::shared_ptr<Branches> branches;  // of a conditional node
  // The parameters that the program may read back from a node.
  cudaKernelNodeParams kernel{};
  std::vector<std::vector<std::uint8_t>> arguments;  // of the kernel, one by one
  std::vector<void*> argument_pointers;
  cudaMemcpy3DParms copy{};
  std::shared_ptr<const std::vector<std::uint8_t>> staged;  // what a copy read when it was issued
  cudaMemsetParams fill{};
  cudaHostNodeParams host_params{};
  cudaEvent_t event = nullptr;
  std::string kernel_name;
  std::shared_ptr<GraphBlock> block;  // that the node allocates or frees
  GraphLaunch graph;                  // whose node a conditional node is
  std::uint64_t graph_end = 0;        // this launch of a graph ends (gpu::Device::end_graph)
};

// The operation of a node, when the graph is launched.
Operation in_launch(const Operation& operation, const GraphLaunch& graph);

struct GraphNode {
  Operation operation;
  std::vector<GraphNode*> dependencies;
  Graph* graph = nullptr;
  bool enabled = true;  // a disabled node of an executable graph does nothing
  std::map<int, cudaLaunchAttributeValue> attributes;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  // in order of creation
  std::vector<GraphCondition> conditions;
  // User objects by handle, one reference each.
  std::vector<std::pair<std::uintptr_t, std::shared_ptr<void>>> user_objects;
  GraphNode* add(Operation operation, std::vector<GraphNode*> dependencies);
  // Dependencies before dependents, otherwise in order of creation. Empty when they form a cycle.
  std::vector<GraphNode*> order() const;
  bool owns(const GraphNode* node) const;
  void remove(GraphNode* node);
};
// A child graph, or the bodies of a conditional node.
std::vector<std::shared_ptr<Graph>> inner_graphs(const Operation& operation);
// A copy and, for each node of the original, its counterpart.
std::pair<std::unique_ptr<Graph>, std::vector<std::pair<const GraphNode*, GraphNode*>>> clone(
    const Graph& graph);

// An executable graph: a copy of a graph, the order of execution, and the copy of each node.
struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<GraphNode*> order;
  unsigned long long flags = 0;
  std::uint64_t last_launch = 0;  // the operation that ends it: two launches do not overlap
  std::vector<std::pair<const GraphNode*, GraphNode*>> counterparts;
  GraphNode* counterpart(const GraphNode* original) const;
};
// Null when the dependencies form a cycle.
std::unique_ptr<GraphExec> instantiate(const Graph& graph);

// Stream capture into a graph.
struct Capture {
  std::shared_ptr<Graph> graph;
  std::uintptr_t origin = 0;  // the stream that began the capture
  std::uint64_t id = 0;
  bool invalid = false;
};

// All graphs of the program.
struct Graphs {
  std::vector<std::shared_ptr<Graph>> all;
  std::vector<std::unique_ptr<GraphExec>> execs;
  std::uint64_t captures = 0;  // begun so far
  std::uint64_t launches = 0;  // of graphs whose kernels may launch graphs
  // What device code may launch, by handle.
  std::map<std::uint64_t, std::shared_ptr<const gpu::DeviceGraph>> uploaded;
  GraphMemory memory;
  // The references that the program owns, by handle.
  std::map<std::uintptr_t, std::vector<std::shared_ptr<void>>> user_objects;
  std::shared_ptr<Graph> find(const void* handle) const;
  GraphExec* find_exec(const void* handle) const;
  GraphNode* find_node(const void* handle) const;  // in any graph
};

}  // namespace heddle::cuda
