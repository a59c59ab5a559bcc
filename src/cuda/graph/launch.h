// Launches of executable graphs.
#pragma once

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// Adds the graph's nodes to the stream, which also wait for the graph's last launch. In a stream
// that is being captured, the graph becomes a child graph.
cudaError_t launch_graph(Session& session, GraphExec& exec, cudaStream_t stream);

}  // namespace heddle::cuda
