// Where work goes that a program issues to a stream: it waits for its turn (process/
// stream_progress.h), or becomes a graph node.
#pragma once

#include <functional>
#include <vector>

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// Where a call issues its work. A call without a stream uses the legacy default stream, and the
// host waits for the work; with a stream, the legacy one included, it continues.
struct Issue {
  Issue() = default;
  Issue(cudaStream_t to, bool waits = false) : stream(to), host_waits(waits) {}
  cudaStream_t stream = nullptr;
  bool host_waits = true;
};

// While work of different streams cannot overlap, every operation runs in the call that issues it.
bool runs_at_once(const Session& session);

// Adds the operation to the stream. The host waits for it when `at` says so, or when operations run
// at once. While the stream is being captured the operation becomes a node instead, after what was
// issued to the stream before.
cudaError_t submit(Session& session, const Issue& at, Operation operation);
// The same for work whose parameters a graph cannot return.
cudaError_t submit(Session& session, const Issue& at, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run);
// Adds a graph's nodes, which also wait for the graph's last launch.
cudaError_t submit_graph(Session& session, cudaStream_t stream, GraphExec& exec);

}  // namespace heddle::cuda
