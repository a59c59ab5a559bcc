#include "ptx/flow/dominators.h"

#include <gtest/gtest.h>

#include <random>

#include "ptx/flow/cfg.h"

namespace heddle::ptx {
namespace {

constexpr std::uint32_t kNone = Cfg::kNone;

Edges reversed(const Edges& successors) {
  Edges predecessors(successors.size());
  for (std::uint32_t node = 0; node < successors.size(); ++node)
    for (const std::uint32_t s : successors[node]) predecessors[s].push_back(node);
  return predecessors;
}

std::vector<std::uint32_t> dominators(const Edges& successors) {
  return immediate_dominators(successors, reversed(successors), 0);
}

// By the definition: `without` dominates the nodes that no path reaches when it is left out.
std::vector<char> reached_without(const Edges& successors, std::uint32_t without) {
  std::vector<char> reached(successors.size(), 0);
  std::vector<std::uint32_t> work;
  const auto visit = [&](std::uint32_t node) {
    if (node != without && !reached[node]) reached[node] = 1, work.push_back(node);
  };
  visit(0);
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    for (const std::uint32_t s : successors[node]) visit(s);
  }
  return reached;
}

TEST(Dominators, TheJoinOfADiamondIsDominatedByItsBranch) {
  EXPECT_EQ(dominators({{1, 2}, {3}, {3}, {}}), (std::vector<std::uint32_t>{kNone, 0, 0, 0}));
}

TEST(Dominators, ABlockThatIsNotReachedHasNoDominatorAndCountsForNone) {
  EXPECT_EQ(dominators({{2}, {2}, {}}), (std::vector<std::uint32_t>{kNone, kNone, 0}));
}

TEST(Dominators, OfAnyGraphAreThoseOfTheDefinition) {
  std::mt19937 random(1);
  for (int graph = 0; graph < 300; ++graph) {
    Edges successors(2 + random() % 12);
    for (auto& next : successors)
      for (std::uint32_t i = random() % 4; i > 0; --i)
        next.push_back(random() % static_cast<std::uint32_t>(successors.size()));
    const std::vector<std::uint32_t> immediate = dominators(successors);
    const DominatorTree tree(immediate);
    const std::vector<char> reached = reached_without(successors, kNone);
    for (std::uint32_t a = 0; a < successors.size(); ++a) {
      const std::vector<char> without = reached_without(successors, a);
      for (std::uint32_t b = 0; b < successors.size(); ++b) {
        EXPECT_EQ(tree.dominates(a, b), a == b || (reached[a] && reached[b] && !without[b]))
            << "graph " << graph << ", nodes " << a << " and " << b;
      }
      EXPECT_EQ(immediate[a] == kNone, a == 0 || !reached[a]) << "graph " << graph;
    }
  }
}

// With a walk up the tree for each edge this takes minutes.
TEST(Dominators, OfManyBranchesToOneBlockAreFound) {
  constexpr std::uint32_t kBranches = 200'000;
  Edges successors(kBranches + 2);
  for (std::uint32_t b = 0; b < kBranches; ++b) successors[b] = {b + 1, kBranches + 1};
  successors[kBranches] = {kBranches + 1};
  const std::vector<std::uint32_t> immediate = dominators(successors);
  EXPECT_EQ(immediate[kBranches], kBranches - 1);
  EXPECT_EQ(immediate[kBranches + 1], 0u);
  EXPECT_EQ(DominatorTree(immediate).depth(kBranches), kBranches);
}

}  // namespace
}  // namespace heddle::ptx
