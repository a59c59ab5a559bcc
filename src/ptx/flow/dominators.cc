#include "ptx/flow/dominators.h"

#include <algorithm>
#include <utility>

#include "ptx/flow/cfg.h"

namespace heddle::ptx {
namespace {

constexpr std::uint32_t kNone = Cfg::kNone;

// Lengauer, Tarjan: A Fast Algorithm for Finding Dominators in a Flowgraph (1979), with simple path
// compression. Nodes are numbers in preorder, so the root is 0.
class DominatorFinder {
 public:
  DominatorFinder(const Edges& successors, std::uint32_t root) : number_(successors.size(), kNone) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{{root, kNone}};  // with its parent
    while (!stack.empty()) {
      const auto [node, parent] = stack.back();
      stack.pop_back();
      if (number_[node] != kNone) continue;
      const std::uint32_t number = number_[node] = static_cast<std::uint32_t>(node_.size());
      node_.push_back(node);
      parent_.push_back(parent);
      for (const std::uint32_t s : successors[node])
        if (number_[s] == kNone) stack.emplace_back(s, number);
    }
  }

  std::vector<std::uint32_t> find(const Edges& predecessors) {
    const auto count = static_cast<std::uint32_t>(node_.size());
    semi_.resize(count);
    for (std::uint32_t v = 0; v < count; ++v) semi_[v] = v;
    label_ = semi_;
    ancestor_.assign(count, kNone);
    std::vector<std::uint32_t> dominator(count, kNone);
    Edges waiting(count);  // by semidominator
    for (std::uint32_t w = count; w-- > 1;) {
      for (const std::uint32_t p : predecessors[node_[w]])
        if (number_[p] != kNone) semi_[w] = std::min(semi_[w], semi_[evaluate(number_[p])]);
      waiting[semi_[w]].push_back(w);
      const std::uint32_t parent = ancestor_[w] = parent_[w];
      for (const std::uint32_t v : std::exchange(waiting[parent], {})) {
        const std::uint32_t u = evaluate(v);
        dominator[v] = semi_[u] < parent ? u : parent;
      }
    }
    for (std::uint32_t w = 1; w < count; ++w)
      if (dominator[w] != semi_[w]) dominator[w] = dominator[dominator[w]];
    std::vector<std::uint32_t> by_node(number_.size(), kNone);
    for (std::uint32_t w = 1; w < count; ++w) by_node[node_[w]] = node_[dominator[w]];
    return by_node;
  }

 private:
  // The node with the lowest semidominator on the linked path from v to below its root.
  std::uint32_t evaluate(std::uint32_t v) {
    if (ancestor_[v] == kNone) return v;
    std::uint32_t at = v;
    for (; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at]) path_.push_back(at);
    for (; !path_.empty(); path_.pop_back()) {
      const std::uint32_t u = path_.back(), above = ancestor_[u];
      if (semi_[label_[above]] < semi_[label_[u]]) label_[u] = label_[above];
      ancestor_[u] = ancestor_[above];
    }
    return label_[v];
  }

  std::vector<std::uint32_t> number_;         // by node; kNone: not reached
  std::vector<std::uint32_t> node_, parent_;  // by number
  std::vector<std::uint32_t> semi_, label_, ancestor_;
  std::vector<std::uint32_t> path_;  // of evaluate()
};

}  // namespace

// Not recursive: code may be long.
std::vector<std::uint32_t> postorder(const Edges& successors, std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<char> seen(successors.size(), 0);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
  seen[root] = 1;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == successors[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const std::uint32_t successor = successors[node][next++];
    if (!seen[successor]) {
      seen[successor] = 1;
      stack.emplace_back(successor, 0);
    }
  }
  return order;
}

std::vector<std::uint32_t> immediate_dominators(const Edges& successors, const Edges& predecessors,
                                                std::uint32_t root) {
  return DominatorFinder(successors, root).find(predecessors);
}

DominatorTree::DominatorTree(const std::vector<std::uint32_t>& immediate)
    : first_(immediate.size()), nodes_(immediate.size(), 1), depth_(immediate.size(), 0) {
  Edges children(immediate.size());
  std::vector<std::uint32_t> stack, order;
  for (std::uint32_t node = 0; node < immediate.size(); ++node)
    (immediate[node] == kNone ? stack : children[immediate[node]]).push_back(node);
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    first_[node] = static_cast<std::uint32_t>(order.size());
    order.push_back(node);
    for (const std::uint32_t child : children[node]) {
      depth_[child] = depth_[node] + 1;
      stack.push_back(child);
    }
  }
  for (; !order.empty(); order.pop_back())
    if (const std::uint32_t above = immediate[order.back()]; above != kNone)
      nodes_[above] += nodes_[order.back()];
}

}  // namespace heddle::ptx
