// Where work goes that a program issues to a stream: it runs at once, or becomes a graph node.
#pragma once

#include <functional>
#include <vector>

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// Runs the operation, which is one of the orders that CUDA allows. While the stream is being
// captured the operation becomes a node instead, after what was issued to the stream before. Host
// functions do not run here, because they must be called without the lock: see cudaLaunchHostFunc.
cudaError_t submit(Session& session, cudaStream_t stream, Operation operation);
// The same for work whose parameters a graph cannot return.
cudaError_t submit(Session& session, cudaStream_t stream, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run);

// Runs a graph's nodes in order. Takes the session's lock for each node, but not while a host
// function runs.
cudaError_t run_nodes(const std::vector<GraphNode*>& order);

}  // namespace heddle::cuda
