#include "cuda/graph/drawing.h"

#include <map>
#include <ostream>
#include <sstream>

#include "cuda/graph/node_types.h"

namespace heddle::cuda {
namespace {

void draw(const Graph& graph, const std::string& name, bool verbose, std::ostream& out) {
  std::map<const GraphNode*, std::size_t> numbers;
  for (const auto& node : graph.nodes) numbers.emplace(node.get(), numbers.size());
  const auto node_name = [&](const GraphNode* node) {
    return "\"" + name + "_node_" + std::to_string(numbers.at(node)) + "\"";
  };
  out << "subgraph \"cluster_" << name << "\" {\nlabel=\"" << name << "\"\n";
  for (const auto& node : graph.nodes) {
    const Operation& o = node->operation;
    out << node_name(node.get()) << " [shape=\"box\" label=\"" << numbers.at(node.get()) << "\\n"
        << find_node_type(o.type)->name;
    if (o.type == cudaGraphNodeTypeKernel) out << "\\n" << o.kernel_name;
    if (verbose && o.type == cudaGraphNodeTypeKernel) {
      out << "\\ngrid " << o.kernel.gridDim.x << "," << o.kernel.gridDim.y << ","
          << o.kernel.gridDim.z << " block " << o.kernel.blockDim.x << "," << o.kernel.blockDim.y
          << "," << o.kernel.blockDim.z;
    }
    if (verbose && o.type == cudaGraphNodeTypeMemcpy)
      out << "\\n" << o.copy.extent.width << " bytes";
    out << "\"];\n";
    for (const GraphNode* need : node->dependencies)
      out << node_name(need) << " -> " << node_name(node.get()) << ";\n";
    if (o.child) draw(*o.child, name + "_" + std::to_string(numbers.at(node.get())), verbose, out);
  }
  out << "}\n";
}

}  // namespace

std::string dot_of(const Graph& graph, bool verbose) {
  std::ostringstream out;
  out << "digraph dot {\n";
  draw(graph, "graph_1", verbose, out);
  out << "}\n";
  return out.str();
}

}  // namespace heddle::cuda
