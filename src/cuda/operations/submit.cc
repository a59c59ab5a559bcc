#include "cuda/operations/submit.h"

#include <utility>

#include "cuda/operations/device_graphs.h"
#include "cuda/process/stream_progress.h"

namespace heddle::cuda {

bool runs_at_once(const Session& session) { return !session.streams.may_overlap(); }

namespace {

// The program receives a fault of the device from its next call, as when the device runs later.
cudaError_t finish_now(Session& session, StreamWork::Id id) {
  const cudaError_t error = wait_for(session, id);
  return session.faulted() ? cudaSuccess : error;
}

}  // namespace

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
  return runs_at_once(session) ? finish_now(session, id) : cudaSuccess;
}

cudaError_t submit(Session& session, const Issue& at, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run) {
  Operation operation;
  operation.type = type;
  operation.run = std::move(run);
  return submit(session, at, std::move(operation));
}

cudaError_t submit_graph(Session& session, cudaStream_t stream, GraphExec& exec) {
  const StreamWork::Place place = place_of(session, stream);
  const bool on_device = exec.flags & cudaGraphInstantiateFlagDeviceLaunch;
  if (on_device) {
    Operation upload;
    if (const cudaError_t error = upload_operation(session, exec, upload); error != cudaSuccess)
      return error;
    exec.last_launch = issue(session, place, upload, {exec.last_launch});
  }
  GraphLaunch launch;
  if (on_device || launches_graphs(*exec.graph))
    launch = {++session.graphs.launches, on_device ? handle_of(&exec) : 0};
  const StreamWork::Id nodes = add_nodes(session, place, exec.order, {exec.last_launch}, launch);
  Operation end;
  end.graph_end = launch.number;
  exec.last_launch = issue(session, place, end, {nodes});
  return runs_at_once(session) ? finish_now(session, exec.last_launch) : cudaSuccess;
}

}  // namespace heddle::cuda
