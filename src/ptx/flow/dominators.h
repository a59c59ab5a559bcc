// Dominators of a graph of basic blocks. Time grows almost linearly with the graph, because a
// stranger's module may have any.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::ptx {

using Edges = std::vector<std::vector<std::uint32_t>>;  // by node

// Nodes in postorder of a depth-first walk.
std::vector<std::uint32_t> postorder(const Edges& successors, std::uint32_t root);

// Cfg::kNone for the root and for nodes that it does not reach.
std::vector<std::uint32_t> immediate_dominators(const Edges& successors, const Edges& predecessors,
                                                std::uint32_t root);

// The trees of immediate dominators, whose roots have Cfg::kNone.
class DominatorTree {
 public:
  explicit DominatorTree(const std::vector<std::uint32_t>& immediate);
  // Every node dominates itself.
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    return first_[b] - first_[a] < nodes_[a];
  }
  std::uint32_t depth(std::uint32_t node) const { return depth_[node]; }  // 0: a root

 private:
  std::vector<std::uint32_t> first_;  // number in preorder
  std::vector<std::uint32_t> nodes_;  // of its subtree
  std::vector<std::uint32_t> depth_;
};

}  // namespace heddle::ptx
