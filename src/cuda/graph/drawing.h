// Drawings of graphs (cudaGraphDebugDotPrint).
#pragma once

#include <string>

#include "cuda/objects/graph.h"

namespace heddle::cuda {

// In Graphviz's language; verbose: with the parameters of kernels and copies.
std::string dot_of(const Graph& graph, bool verbose);

}  // namespace heddle::cuda
