// Nodes of graphs through the calls of both APIs.
#include <gtest/gtest.h>

#include "cuda/driver/driver.h"
#include "cuda/graph/nodes.h"

namespace heddle::cuda {
namespace {

class GraphNodes : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess); }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    cudaGetLastError();
  }
  cudaGraphNode_t empty_node() {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
    return node;
  }

  cudaGraph_t graph = nullptr;
  int data = 0;
  const cudaMemsetParams fill{&data, 4, 7, 4, 1, 1};
};

TEST_F(GraphNodes, ANodeWaitsForNodesOfItsOwnGraphOnly) {
  cudaGraph_t other = nullptr;
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  const cudaGraphNode_t first = empty_node();
  cudaGraphNode_t second = nullptr, needed = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&second, other, &first, 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphAddEmptyNode(&second, graph, &first, 1), cudaSuccess);
  std::size_t count = 1;
  EXPECT_EQ(cudaGraphNodeGetDependencies(second, &needed, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(needed, first);
  EXPECT_EQ(cudaGraphAddEmptyNode(&second, graph, nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
}

TEST_F(GraphNodes, BothApisReadANodeThatOneOfThemAdded) {
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill), cudaSuccess);
  CUDA_MEMSET_NODE_PARAMS read{};
  ASSERT_EQ(cuGraphMemsetNodeGetParams(node, &read), CUDA_SUCCESS);
  EXPECT_EQ(pointer(read.dst), &data);
  read.value = 9;
  ASSERT_EQ(cuGraphMemsetNodeSetParams(node, &read), CUDA_SUCCESS);
  cudaMemsetParams changed{};
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(node, &changed), cudaSuccess);
  EXPECT_EQ(changed.value, 9u);
}

TEST_F(GraphNodes, ANodeKeepsItsType) {
  cudaGraphNode_t node = empty_node();
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(node, &fill), cudaErrorInvalidValue);
  cudaMemsetParams read{};
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(node, &read), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphMemsetNodeSetParams(node, nullptr), cudaErrorInvalidValue);
}

TEST_F(GraphNodes, AnExecutableGraphHasParametersOfItsOwn) {
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  cudaMemsetParams other = fill;
  other.value = 9;
  ASSERT_EQ(cudaGraphExecMemsetNodeSetParams(exec, node, &other), cudaSuccess);
  const GraphExec& made = *Session::get().graphs.find_exec(exec);
  EXPECT_EQ(made.order.at(0)->operation.fill.value, 9u);
  cudaMemsetParams read{};
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(node, &read), cudaSuccess);
  EXPECT_EQ(read.value, 7u);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, node, &other), cudaErrorInvalidValue);
}

TEST_F(GraphNodes, TheOneStructureReturnsTheAddressOfAnAllocation) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeMemAlloc);
  p.alloc.bytesize = 256;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), cudaSuccess);
  ASSERT_NE(p.alloc.dptr, nullptr);
  CUDA_MEM_ALLOC_NODE_PARAMS read{};
  ASSERT_EQ(cuGraphMemAllocNodeGetParams(node, &read), CUDA_SUCCESS);
  EXPECT_EQ(pointer(read.dptr), p.alloc.dptr);
  EXPECT_EQ(read.bytesize, 256u);
}

TEST_F(GraphNodes, AConditionalNodeReturnsItsBodiesAndNeedsAConditionOfItsGraph) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeConditional);
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 2;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), cudaErrorInvalidValue);
  EXPECT_EQ(p.conditional.phGraph_out, nullptr);
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&p.conditional.handle, graph, 0, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), cudaSuccess);
  cudaGraphNode_t inner = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&inner, p.conditional.phGraph_out[1], nullptr, 0), cudaSuccess);
  p.conditional.size = 3;  // an if node has one body or two
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p), cudaErrorInvalidValue);
}

TEST_F(GraphNodes, TypesThatACallDoesNotTakeAreRefusedWithAReason) {
  cudaGraphNodeParams semaphore = node_params(cudaGraphNodeTypeExtSemaphoreWait);
  cudaGraphNodeParams condition = node_params(cudaGraphNodeTypeConditional);
  cudaGraphNode_t node = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &semaphore), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphNodeSetParams(node, &condition), cudaErrorNotSupported);
  CUgraphNodeParams driver_semaphore{};
  driver_semaphore.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
  EXPECT_EQ(cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &driver_semaphore),
            CUDA_ERROR_NOT_SUPPORTED);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("cudaGraphAddNode: nodes of this type are not supported"), std::string::npos)
      << text;
  EXPECT_NE(text.find("a conditional node keeps its handle and its bodies"), std::string::npos);
  EXPECT_NE(text.find("cuGraphAddNode: nodes of this type are not supported"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cuda
