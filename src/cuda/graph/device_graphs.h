// Graphs that device code may launch (cudaGraphInstantiateFlagDeviceLaunch).
#pragma once

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// Whether a kernel in it launches graphs.
bool launches_graphs(const Graph& graph);
// The operation that makes the graph, as it is now, what device code launches.
// cudaErrorNotSupported when it has a node that a device graph cannot have.
cudaError_t upload_operation(Session& session, const GraphExec& exec, Operation& upload);
// Device code cannot launch the graph any more.
void forget_upload(Session& session, const GraphExec& exec);

}  // namespace heddle::cuda
