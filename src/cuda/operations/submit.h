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
// Waits for `id` in the call that issued it, when operations run at once. The program receives a
// fault of the device from its next call, as when the device runs later.
cudaError_t finish_if_at_once(Session& session, StreamWork::Id id);

// An operation that records an event, or waits for one.
Operation event_operation(cudaGraphNodeType type, cudaEvent_t event);
Operation host_operation(const cudaHostNodeParams& p);

}  // namespace heddle::cuda
