#include "cuda/graph/drawing.h"

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

TEST(GraphDrawing, HasABoxForEachNodeAndAnArrowForEachDependency) {
  Graph graph;
  GraphNode* const first = graph.add({}, {});
  Operation fill;
  fill.type = cudaGraphNodeTypeMemset;
  graph.add(fill, {first});
  EXPECT_EQ(dot_of(graph, false),
            "digraph dot {\n"
            "subgraph \"cluster_graph_1\" {\nlabel=\"graph_1\"\n"
            "\"graph_1_node_0\" [shape=\"box\" label=\"0\\nEMPTY\"];\n"
            "\"graph_1_node_1\" [shape=\"box\" label=\"1\\nMEMSET\"];\n"
            "\"graph_1_node_0\" -> \"graph_1_node_1\";\n"
            "}\n}\n");
}

TEST(GraphDrawing, ShowsParametersWhenVerboseAndDrawsChildGraphs) {
  Graph graph;
  Operation kernel, child;
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel_name = "scale";
  kernel.kernel.gridDim = dim3(4), kernel.kernel.blockDim = dim3(32);
  graph.add(kernel, {});
  child.type = cudaGraphNodeTypeGraph;
  child.child = std::make_shared<Graph>();
  graph.add(child, {});
  const std::string text = dot_of(graph, true);
  EXPECT_NE(text.find("KERNEL\\nscale\\ngrid 4,1,1 block 32,1,1"), std::string::npos) << text;
  EXPECT_NE(text.find("cluster_graph_1_1"), std::string::npos) << text;
  EXPECT_EQ(dot_of(graph, false).find("grid"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cuda
