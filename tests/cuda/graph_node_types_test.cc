// What a type of graph node makes of its parameters, and which it returns.
#include <gtest/gtest.h>

#include "cuda/graph/nodes.h"
#include "cuda/operations/transfers.h"

namespace heddle::cuda {
namespace {

constexpr cudaGraphNodeType kSupported[] = {
    cudaGraphNodeTypeKernel,    cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,      cudaGraphNodeTypeGraph,       cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeMemAlloc,
    cudaGraphNodeTypeMemFree,   cudaGraphNodeTypeConditional};

TEST(NodeTypes, EveryTypeButExternalSemaphoresIsSupported) {
  for (const cudaGraphNodeType type : kSupported) {
    ASSERT_NE(find_node_type(type), nullptr) << type;
    EXPECT_EQ(find_node_type(type)->type, type);
  }
  EXPECT_EQ(find_node_type(cudaGraphNodeTypeExtSemaphoreSignal), nullptr);
  EXPECT_EQ(find_node_type(cudaGraphNodeTypeExtSemaphoreWait), nullptr);
}

TEST(NodeTypes, TheOneStructureReplacesKernelsCopiesFillsAndHostFunctionsOnly) {
  for (const cudaGraphNodeType type : kSupported)
    EXPECT_EQ(find_node_type(type)->replaceable, type <= cudaGraphNodeTypeHost) << type;
}

// The parameters that a node returns after it was made from `p`.
cudaGraphNodeParams returned(const cudaGraphNodeParams& p, cudaError_t expected = cudaSuccess) {
  const NodeType& type = *find_node_type(p.type);
  Operation operation;
  operation.type = p.type;
  EXPECT_EQ(type.make(Session::get(), {}, p, operation), expected);
  EXPECT_EQ(operation.type, p.type);
  cudaGraphNodeParams read = node_params(p.type);
  if (expected == cudaSuccess) type.read(operation, read);
  return read;
}

TEST(NodeTypes, AFillReturnsWhatItWasGiven) {
  int data = 0;
  const cudaMemsetParams fill =
      returned(node_params(cudaMemsetParams{&data, 64, 7, 4, 3, 2})).memset;
  EXPECT_EQ(fill.dst, &data);
  EXPECT_EQ(fill.pitch, 64u);
  EXPECT_EQ(fill.value, 7u);
  EXPECT_EQ(fill.elementSize, 4u);
  EXPECT_EQ(fill.width, 3u);
  EXPECT_EQ(fill.height, 2u);
}

TEST(NodeTypes, ACopyReturnsWhatItWasGiven) {
  int from = 0, to = 0;
  const auto copy =
      returned(node_params(linear_copy(&to, &from, 4, cudaMemcpyHostToHost))).memcpy.copyParams;
  EXPECT_EQ(copy.srcPtr.ptr, &from);
  EXPECT_EQ(copy.dstPtr.ptr, &to);
  EXPECT_EQ(copy.extent.width, 4u);
}

TEST(NodeTypes, AHostNodeNeedsAFunction) {
  int data = 0;
  const auto host = returned(node_params(cudaHostNodeParams{[](void*) {}, &data})).host;
  EXPECT_EQ(host.userData, &data);
  returned(node_params(cudaHostNodeParams{nullptr, &data}), cudaErrorInvalidValue);
}

TEST(NodeTypes, EventsOfBothKindsAreReturned) {
  const auto event = reinterpret_cast<cudaEvent_t>(0x1230);
  EXPECT_EQ(returned(node_params(cudaGraphNodeTypeWaitEvent, event)).eventWait.event, event);
  EXPECT_EQ(returned(node_params(cudaGraphNodeTypeEventRecord, event)).eventRecord.event, event);
}

TEST(NodeTypes, AChildMustBeAGraph) {
  cudaGraphNodeParams p = node_params(cudaGraphNodeTypeGraph);
  p.graph.graph = reinterpret_cast<cudaGraph_t>(&p);
  returned(p, cudaErrorInvalidValue);
}

}  // namespace
}  // namespace heddle::cuda
