#include "cuda/operations/submit.h"

#include <utility>

#include "cuda/process/stream_progress.h"

namespace heddle::cuda {

bool runs_at_once(const Session& session) { return !session.streams.may_overlap(); }

cudaError_t finish_if_at_once(Session& session, StreamWork::Id id) {
  if (!runs_at_once(session)) return cudaSuccess;
  const cudaError_t error = wait_for(session, id);
  return session.faulted() ? cudaSuccess : error;
}

cudaError_t submit(Session& session, const Issue& at, Operation operation) {
  const cudaStream_t stream = at.stream;
  if (!session.streams.exists(stream)) return cudaErrorInvalidResourceHandle;
  Stream* const known = session.streams.find(stream);
  if (Capture* const capture = capture_of(known)) {
    if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
    known->capturing.frontier = {
        capture->graph->add(std::move(operation), known->capturing.frontier)};
    return cudaSuccess;
  }
  const StreamWork::Id id = issue(session, place_of(session, stream), operation);
  if (at.host_waits) return wait_for(session, id);
  return finish_if_at_once(session, id);
}

cudaError_t submit(Session& session, const Issue& at, cudaGraphNodeType type,
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
      if (Event* const found = session.events.find(event))
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
