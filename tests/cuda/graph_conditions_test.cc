#include "cuda/graph/conditions.h"

#include <cstring>

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

class GraphConditions : public testing::Test {
 protected:
  cudaGraphConditionalHandle create(Graph& owner, unsigned initial, bool resets) {
    cudaGraphConditionalHandle handle = 0;
    EXPECT_EQ(create_condition(memory, owner, initial, resets, &handle), cudaSuccess);
    return handle;
  }
  std::uint32_t value(cudaGraphConditionalHandle handle) {
    std::uint32_t word = 0;
    std::memcpy(&word, memory.host(Address{handle}), sizeof word);
    return word;
  }
  void set(cudaGraphConditionalHandle handle, std::uint32_t word) {
    std::memcpy(memory.host(Address{handle}), &word, sizeof word);
  }

  exec::GlobalMemory memory{1 << 24};
  Graph graph;
};

TEST_F(GraphConditions, AreWordsOfDeviceMemoryThatALaunchResetsIfTheProgramSaysSo) {
  const auto reset = create(graph, 3, true), kept = create(graph, 4, false);
  EXPECT_EQ(value(reset), 3u);
  EXPECT_EQ(value(kept), 4u);
  set(reset, 7), set(kept, 7);
  reset_conditions(memory, graph);
  EXPECT_EQ(value(reset), 3u);
  EXPECT_EQ(value(kept), 7u);
}

TEST_F(GraphConditions, OfInnerGraphsAreResetToo) {
  Graph outer;
  Operation child;
  child.child = std::make_shared<Graph>();
  const auto inner = create(*child.child, 1, true);
  EXPECT_FALSE(has_conditions(outer));
  outer.add(child, {});
  EXPECT_TRUE(has_conditions(outer));
  set(inner, 0);
  reset_conditions(memory, outer);
  EXPECT_EQ(value(inner), 1u);
}

TEST_F(GraphConditions, EndWithTheLastGraphThatRefersToThem) {
  auto owner = std::make_unique<Graph>();
  const Address word{create(*owner, 0, false)};
  const auto copy = clone(*owner).first;
  owner.reset();
  EXPECT_TRUE(memory.valid(word, 4));
  copy->conditions.clear();
  EXPECT_FALSE(memory.valid(word, 4));
}

TEST_F(GraphConditions, ANodeHasTheBodiesOfItsType) {
  const auto made = [&](cudaGraphConditionalNodeType type, unsigned bodies) {
    Operation operation;
    const cudaConditionalNodeParams p{create(graph, 0, false), type, bodies, nullptr};
    const cudaError_t error = conditional_operation(graph, p, operation);
    return error == cudaSuccess && operation.branches->bodies.size() == bodies;
  };
  EXPECT_TRUE(made(cudaGraphCondTypeIf, 1));
  EXPECT_TRUE(made(cudaGraphCondTypeIf, 2));
  EXPECT_FALSE(made(cudaGraphCondTypeIf, 3));
  EXPECT_TRUE(made(cudaGraphCondTypeWhile, 1));
  EXPECT_FALSE(made(cudaGraphCondTypeWhile, 2));
  EXPECT_TRUE(made(cudaGraphCondTypeSwitch, 5));
  EXPECT_FALSE(made(cudaGraphCondTypeSwitch, 0));
}

}  // namespace
}  // namespace heddle::cuda
