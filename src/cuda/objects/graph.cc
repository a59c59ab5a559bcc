#include "cuda/objects/graph.h"

#include <algorithm>
#include <map>

namespace heddle::cuda {

GraphNode* Graph::add(Operation operation, std::vector<GraphNode*> dependencies) {
  auto node = std::make_unique<GraphNode>();
  node->operation = std::move(operation);
  node->dependencies = std::move(dependencies);
  node->graph = this;
  return nodes.emplace_back(std::move(node)).get();
}

std::vector<GraphNode*> Graph::order() const {
  std::vector<GraphNode*> done;
  std::set<const GraphNode*> finished;
  for (bool progressed = true; progressed && done.size() < nodes.size();) {
    progressed = false;
    for (const auto& node : nodes) {
      if (finished.contains(node.get())) continue;
      const auto& needs = node->dependencies;
      if (!std::all_of(needs.begin(), needs.end(),
                       [&](const GraphNode* n) { return finished.contains(n); }))
        continue;
      finished.insert(node.get());
      done.push_back(node.get());
      progressed = true;
    }
  }
  if (done.size() != nodes.size()) done.clear();
  return done;
}

bool Graph::owns(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == node; });
}

void Graph::remove(GraphNode* node) {
  for (const auto& other : nodes) std::erase(other->dependencies, node);
  std::erase_if(nodes, [&](const auto& n) { return n.get() == node; });
}

std::pair<std::unique_ptr<Graph>, std::vector<std::pair<const GraphNode*, GraphNode*>>> clone(
    const Graph& graph) {
  auto copy = std::make_unique<Graph>();
  copy->user_objects = graph.user_objects;
  copy->conditions = graph.conditions;
  std::vector<std::pair<const GraphNode*, GraphNode*>> pairs;
  std::map<const GraphNode*, GraphNode*> twin;
  for (const auto& node : graph.nodes) {
    GraphNode* const added = copy->add(node->operation, {});
    added->attributes = node->attributes;
    if (node->operation.child)
      added->operation.child = std::shared_ptr<Graph>(clone(*node->operation.child).first);
    if (node->operation.branches) {
      auto branches = std::make_shared<Branches>(*node->operation.branches);
      for (std::size_t i = 0; i < branches->bodies.size(); ++i) {
        branches->bodies[i] = std::shared_ptr<Graph>(clone(*branches->bodies[i]).first);
        branches->handles[i] = reinterpret_cast<cudaGraph_t>(branches->bodies[i].get());
      }
      added->operation.branches = std::move(branches);
    }
    auto& pointers = added->operation.argument_pointers;
    for (std::size_t i = 0; i < pointers.size(); ++i)
      pointers[i] = added->operation.arguments[i].data();
    if (!pointers.empty()) added->operation.kernel.kernelParams = pointers.data();
    twin[node.get()] = added;
    pairs.emplace_back(node.get(), added);
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* need : node->dependencies)
      twin[node.get()]->dependencies.push_back(twin[need]);
  }
  return {std::move(copy), std::move(pairs)};
}

GraphNode* GraphExec::counterpart(const GraphNode* original) const {
  for (const auto& [from, to] : counterparts)
    if (from == original) return to;
  return nullptr;
}

std::unique_ptr<GraphExec> instantiate(const Graph& graph) {
  auto exec = std::make_unique<GraphExec>();
  std::tie(exec->graph, exec->counterparts) = clone(graph);
  exec->order = exec->graph->order();
  if (exec->order.size() != exec->graph->nodes.size()) return nullptr;
  return exec;
}

Operation in_launch(const Operation& operation, const GraphLaunch& graph) {
  Operation one = operation;
  one.graph = graph;
  if (!one.launch) return one;
  auto request = std::make_shared<gpu::LaunchRequest>(*one.launch);
  request->graph_launch = graph.number;
  request->graph = graph.handle;
  one.launch = std::move(request);
  return one;
}

std::vector<std::shared_ptr<Graph>> inner_graphs(const Operation& operation) {
  if (operation.branches) return operation.branches->bodies;
  return operation.child ? std::vector{operation.child} : std::vector<std::shared_ptr<Graph>>{};
}

namespace {

std::shared_ptr<Graph> find_in(const std::vector<std::shared_ptr<Graph>>& graphs,
                               const void* handle) {
  for (const auto& graph : graphs)
    if (graph.get() == handle) return graph;
  for (const auto& graph : graphs)
    for (const auto& node : graph->nodes)
      if (auto found = find_in(inner_graphs(node->operation), handle)) return found;
  return nullptr;
}

GraphNode* find_node_in(const std::vector<std::shared_ptr<Graph>>& graphs, const void* handle) {
  for (const auto& graph : graphs)
    for (const auto& node : graph->nodes) {
      if (node.get() == handle) return node.get();
      if (GraphNode* const inner = find_node_in(inner_graphs(node->operation), handle))
        return inner;
    }
  return nullptr;
}

}  // namespace

std::shared_ptr<Graph> Graphs::find(const void* handle) const {
  return handle ? find_in(all, handle) : nullptr;
}

GraphExec* Graphs::find_exec(const void* handle) const {
  for (const auto& exec : execs)
    if (exec.get() == handle) return exec.get();
  return nullptr;
}

GraphNode* Graphs::find_node(const void* handle) const { return find_node_in(all, handle); }

}  // namespace heddle::cuda
