#include "cuda/graph/conditions.h"

#include <cstring>
#include <memory>
#include <utility>

namespace heddle::cuda {
namespace {

bool has_condition(const Graph& graph, cudaGraphConditionalHandle handle) {
  for (const GraphCondition& condition : graph.conditions)
    if (condition.address == handle) return true;
  return false;
}

bool fits(cudaGraphConditionalNodeType type, unsigned bodies) {
  switch (type) {
    case cudaGraphCondTypeIf: return bodies == 1 || bodies == 2;
    case cudaGraphCondTypeWhile: return bodies == 1;
    case cudaGraphCondTypeSwitch: return bodies >= 1;
  }
  return false;
}

}  // namespace

cudaError_t conditional_operation(const Graph& graph, const cudaConditionalNodeParams& p,
                                  Operation& operation) {
  if (!fits(p.type, p.size) || !has_condition(graph, p.handle)) return cudaErrorInvalidValue;
  auto branches = std::make_shared<Branches>();
  branches->type = p.type;
  branches->address = p.handle;
  for (unsigned i = 0; i < p.size; ++i) {
    branches->bodies.push_back(std::make_shared<Graph>());
    branches->handles.push_back(reinterpret_cast<cudaGraph_t>(branches->bodies.back().get()));
  }
  operation.branches = std::move(branches);
  return cudaSuccess;
}

cudaError_t create_condition(exec::GlobalMemory& memory, Graph& owner, unsigned initial,
                             bool resets, cudaGraphConditionalHandle* handle) {
  const Address address = memory.allocate(sizeof(std::uint32_t), "condition of a graph");
  if (address == Address{}) return cudaErrorMemoryAllocation;
  const std::shared_ptr<void> word(memory.host(address),
                                   [&memory, address](void*) { memory.free(address); });
  std::memcpy(word.get(), &initial, sizeof initial);
  memory.allocations().notify_written(address, sizeof initial);
  owner.conditions.push_back({address.value, initial, resets, word});
  *handle = address.value;
  return cudaSuccess;
}

bool has_conditions(const Graph& graph) {
  if (!graph.conditions.empty()) return true;
  for (const auto& node : graph.nodes)
    for (const auto& inner : inner_graphs(node->operation))
      if (has_conditions(*inner)) return true;
  return false;
}

void reset_conditions(exec::GlobalMemory& memory, const Graph& graph) {
  for (const GraphCondition& condition : graph.conditions) {
    if (!condition.resets) continue;
    const Address word{condition.address};
    std::memcpy(memory.host(word), &condition.initial, sizeof condition.initial);
    memory.allocations().notify_written(word, sizeof condition.initial);
  }
  for (const auto& node : graph.nodes)
    for (const auto& inner : inner_graphs(node->operation)) reset_conditions(memory, *inner);
}

}  // namespace heddle::cuda
