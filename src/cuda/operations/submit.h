// Where work goes that a program issues to a stream: it waits for its turn (process/
// stream_service.h), or becomes a graph node.
#pragma once

#include <functional>

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// Where a call issues its work. A call without a stream uses the legacy default stream, and the
// host waits for the work; with a stream, the legacy one included, it continues.
struct IssueTarget {
  IssueTarget() = default;
  IssueTarget(cudaStream_t to, bool waits = false) : stream(to), host_waits(waits) {}
  cudaStream_t stream = nullptr;
  bool host_waits = true;
};

// Adds the operation to the stream. The host waits for it when `at` says so, or when operations run
// at once. While the stream is being captured the operation becomes a node instead, after what was
// issued to the stream before.
cudaError_t submit(Session& session, const IssueTarget& at, Operation operation);
// The same for work whose parameters a graph cannot return.
cudaError_t submit(Session& session, const IssueTarget& at, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run);
// An operation that records an event, or waits for one.
Operation event_operation(cudaGraphNodeType type, cudaEvent_t event);
Operation host_operation(const cudaHostNodeParams& p);

}  // namespace heddle::cuda
