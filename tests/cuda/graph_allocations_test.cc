#include "cuda/graph/allocations.h"

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

class GraphAllocations : public testing::Test {
 protected:
  // A node that allocates, after `needs`.
  GraphNode* allocate(std::size_t bytes, const std::vector<GraphNode*>& needs = {}) {
    Operation operation;
    EXPECT_EQ(allocation_operation(graphs, memory, graph, needs, bytes, operation), cudaSuccess);
    return graph.add(operation, needs);
  }
  cudaError_t free(const void* pointer, const std::vector<GraphNode*>& needs = {}) {
    Operation operation;
    testing::internal::CaptureStderr();
    const cudaError_t error = free_operation(graphs, graph, "call", pointer, operation);
    message = testing::internal::GetCapturedStderr();
    if (error == cudaSuccess) graph.add(operation, needs);
    return error;
  }
  static void* address_of(const GraphNode* node) { return node->operation.block->address; }

  exec::GlobalMemory memory{1 << 24};
  GraphMemory graphs;
  Graph graph;
  std::string message;
};

TEST_F(GraphAllocations, ReuseAddressesThatTheGraphHasFreedBefore) {
  GraphNode* const first = allocate(256);
  ASSERT_EQ(free(address_of(first), {first}), cudaSuccess);
  GraphNode* const freed = graph.nodes.back().get();
  EXPECT_EQ(address_of(allocate(128, {freed})), address_of(first));
  EXPECT_NE(address_of(allocate(128)), address_of(first));  // beside the free
  EXPECT_NE(address_of(allocate(512, {freed})), address_of(first));
}

TEST_F(GraphAllocations, AreFreedOnce) {
  void* const block = address_of(allocate(256));
  EXPECT_EQ(free(block), cudaSuccess);
  EXPECT_EQ(free(block), cudaErrorInvalidValue);
  EXPECT_NE(message.find("is already freed by this graph"), std::string::npos) << message;
  EXPECT_EQ(free(this), cudaErrorInvalidValue);
  EXPECT_NE(message.find("was not allocated by a graph node"), std::string::npos) << message;
}

TEST_F(GraphAllocations, NeedASizeAndMemory) {
  Operation operation;
  EXPECT_EQ(allocation_operation(graphs, memory, graph, {}, 0, operation), cudaErrorInvalidValue);
  EXPECT_EQ(allocation_operation(graphs, memory, graph, {}, 1 << 30, operation),
            cudaErrorMemoryAllocation);
}

TEST_F(GraphAllocations, OfInnerGraphsAreThoseOfTheGraph) {
  allocate(256);
  Graph outer;
  EXPECT_FALSE(allocates(outer));
  Operation child;
  child.child = clone(graph).first;
  outer.add(child, {});
  EXPECT_TRUE(allocates(outer));
}

TEST_F(GraphAllocations, ThatAnEarlierLaunchLeftAreAnErrorUnlessTheLaunchFreesThem) {
  const auto block = allocate(256)->operation.block;
  EXPECT_EQ(reserve_graph_memory(graphs, graph, false), cudaSuccess);
  graphs.allocate(block);
  testing::internal::CaptureStderr();
  EXPECT_EQ(reserve_graph_memory(graphs, graph, false), cudaErrorInvalidValue);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("are not freed"), std::string::npos);
  EXPECT_EQ(reserve_graph_memory(graphs, graph, true), cudaSuccess);
  EXPECT_FALSE(graphs.is_allocated(block));
}

}  // namespace
}  // namespace heddle::cuda
