#include "cuda/operations/submit.h"

#include <utility>

namespace heddle::cuda {

cudaError_t submit(Session& session, const IssueTarget& at, Operation operation) {
  const cudaStream_t stream = at.stream;
  if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
  Stream* const known = session.streams.all.find(stream);
  if (Capture* const capture = capture_of(known)) {
    if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
    known->capturing.frontier = {
        capture->graph->add(std::move(operation), known->capturing.frontier)};
    return cudaSuccess;
  }
  const StreamWork::Id id = session.streams.issue(stream, operation);
  if (at.host_waits) return session.streams.wait_for(id);
  return session.streams.finish_if_at_once(id);
}

cudaError_t submit(Session& session, const IssueTarget& at, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run) {
  Operation operation;
  operation.type = type;
  operation.run = std::move(run);
  return submit(session, at, std::move(operation));
}

Operation event_operation(cudaGraphNodeType type, cudaEvent_t event) {
  Operation operation;
  operation.type = type;
  operation.event = event;
  if (type == cudaGraphNodeTypeEventRecord) {
    operation.run = [event](Session& session) {
      // The program may have destroyed the event meanwhile.
      if (Event* const found = session.streams.events.find(event))
        found->recorded_ms = session.device().elapsed_ms();
      return cudaSuccess;
    };
  }
  return operation;
}

Operation host_operation(const cudaHostNodeParams& p) {
  Operation operation;
  operation.type = cudaGraphNodeTypeHost;
  operation.host_params = p;
  operation.host = [p] { p.fn(p.userData); };
  return operation;
}

}  // namespace heddle::cuda
