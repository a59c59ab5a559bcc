// Launches of executable graphs.
#include <gtest/gtest.h>

#include "cuda/graph/nodes.h"

namespace heddle::cuda {
namespace {

void count_call(void* counter) { ++*static_cast<int*>(counter); }

class GraphLaunches : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess); }
  void TearDown() override {
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    cudaGetLastError();
  }
  void instantiate_graph() { ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess); }

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;
};

TEST_F(GraphLaunches, RunTheNodesOnceEach) {
  int calls = 0;
  const cudaHostNodeParams host{count_call, &calls};
  ASSERT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host), cudaSuccess);
  instantiate_graph();
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(cudaGraphLaunch(exec, reinterpret_cast<cudaStream_t>(0x7770)),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGraphLaunch(nullptr, nullptr), cudaErrorInvalidValue);
}

TEST_F(GraphLaunches, BecomeChildGraphsInAStreamThatIsCaptured) {
  int calls = 0;
  const cudaHostNodeParams host{count_call, &calls};
  ASSERT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host), cudaSuccess);
  instantiate_graph();
  ASSERT_EQ(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, cudaStreamPerThread), cudaSuccess);
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(cudaStreamPerThread, &captured), cudaSuccess);
  std::size_t count = 1;
  ASSERT_EQ(cudaGraphGetNodes(captured, &node, &count), cudaSuccess);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeGraph);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST_F(GraphLaunches, NeedTheMemoryOfAnEarlierLaunchToBeFree) {
  cudaMemAllocNodeParams p{};
  p.bytesize = 256;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p), cudaSuccess);
  instantiate_graph();
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("are not freed"), std::string::npos);
  EXPECT_EQ(cudaFree(p.dptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(p.dptr), cudaSuccess);
}

}  // namespace
}  // namespace heddle::cuda
