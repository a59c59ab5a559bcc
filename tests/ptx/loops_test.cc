#include "ptx/flow/loops.h"

#include <gtest/gtest.h>

#include <random>

#include "ptx/flow/dominators.h"

namespace heddle::ptx {
namespace {

Cfg cfg_of(const Edges& successors) {
  Cfg cfg;
  Edges predecessors(successors.size());
  for (std::uint32_t b = 0; b < successors.size(); ++b)
    for (const std::uint32_t s : successors[b]) predecessors[s].push_back(b);
  for (std::uint32_t b = 0; b < successors.size(); ++b)
    cfg.blocks.push_back({b, b + 1, successors[b], predecessors[b], false});
  cfg.dominator = immediate_dominators(successors, predecessors, 0);
  return cfg;
}

// By the definition: the blocks from which a back edge is reached without its header.
std::vector<char> body_of(const Cfg& cfg, const Loop& loop) {
  std::vector<char> in(cfg.blocks.size(), 0);
  std::vector<std::uint32_t> work(loop.back_edges.begin(), loop.back_edges.end());
  in[loop.header] = 1;
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    if (in[b] || (b != 0 && cfg.dominator[b] == Cfg::kNone)) continue;
    in[b] = 1;
    work.insert(work.end(), cfg.blocks[b].predecessors.begin(), cfg.blocks[b].predecessors.end());
  }
  return in;
}

TEST(Loops, AreThoseOfTheDefinitionInRandomGraphs) {
  std::mt19937 random(7);
  std::size_t nested = 0;
  for (int round = 0; round < 2000; ++round) {
    Edges successors(2 + random() % 14);
    for (std::uint32_t b = 0; b < successors.size(); ++b) {
      if (b + 1 < successors.size()) successors[b].push_back(b + 1);
      const auto other = static_cast<std::uint32_t>(random() % successors.size());
      if (random() % 2 && other != b + 1) successors[b].push_back(other);
    }
    const Cfg cfg = cfg_of(successors);
    const LoopForest forest = find_loops(cfg);
    for (std::size_t n = 0; n < forest.loops.size(); ++n) {
      const Loop& loop = forest.loops[n];
      const std::vector<char> body = body_of(cfg, loop);
      for (std::uint32_t b = 0; b < body.size(); ++b)
        ASSERT_EQ(loop.contains(b), body[b] != 0) << "round " << round;
      ASSERT_TRUE(loop.parent == Loop::kNone || loop.parent < n);
      nested += loop.parent != Loop::kNone;
    }
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      std::uint16_t innermost = Loop::kNone;
      for (std::size_t n = 0; n < forest.loops.size(); ++n)
        if (forest.loops[n].contains(b)) innermost = static_cast<std::uint16_t>(n);
      ASSERT_EQ(forest.innermost[b], innermost) << "round " << round;
    }
  }
  EXPECT_GT(nested, 500u);
}

// Each loop is around the next: headers 0, 1, ..., and as many closing blocks.
TEST(Loops, OfADeepNestAreFoundInStepsThatGrowWithIt) {
  const auto steps = [](std::uint32_t loops) {
    Edges successors(2 * loops);
    for (std::uint32_t b = 0; b < 2 * loops; ++b) {
      if (b >= loops) successors[b].push_back(2 * loops - 1 - b);
      if (b + 1 < 2 * loops) successors[b].push_back(b + 1);
    }
    const LoopForest forest = find_loops(cfg_of(successors));
    EXPECT_EQ(forest.loops.size(), loops);
    EXPECT_EQ(forest.loops.back().depth, loops);
    return forest.steps;
  };
  EXPECT_LE(steps(10'000), 11 * steps(1'000));
}

}  // namespace
}  // namespace heddle::ptx
