#include "cuda/graph/launch.h"

#include <utility>

#include "cuda/graph/allocations.h"
#include "cuda/graph/conditions.h"
#include "cuda/graph/device_graphs.h"
#include "cuda/objects/handles.h"
#include "cuda/operations/submit.h"

namespace heddle::cuda {
namespace {

// Memory and conditions of the graph, which an earlier launch may use.
cudaError_t prepare(Session& session, const GraphExec& exec) {
  if (!allocates(*exec.graph) && !has_conditions(*exec.graph)) return cudaSuccess;
  if (const cudaError_t error = session.streams.wait_for_all(); error != cudaSuccess) return error;
  const cudaError_t reserved = reserve_graph_memory(
      session.graphs.memory, *exec.graph, exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
  if (reserved == cudaSuccess) reset_conditions(session.device().memory(), *exec.graph);
  return reserved;
}

cudaError_t add_launch(Session& session, GraphExec& exec, cudaStream_t stream) {
  const StreamWork::Place place = session.streams.place_of(stream);
  const bool on_device = exec.flags & cudaGraphInstantiateFlagDeviceLaunch;
  if (on_device) {
    Operation upload;
    if (const cudaError_t error = upload_operation(session, exec, upload); error != cudaSuccess)
      return error;
    exec.last_launch = session.streams.issue(stream, upload, {exec.last_launch});
  }
  GraphLaunch launch;
  if (on_device || launches_graphs(*exec.graph))
    launch = {++session.graphs.launches, on_device ? handle_of(&exec) : 0};
  const StreamWork::Id nodes =
      session.streams.add_nodes(place, exec.order, {exec.last_launch}, launch);
  Operation end;
  end.graph_end = launch.number;
  exec.last_launch = session.streams.issue(stream, end, {nodes});
  return session.streams.finish_if_at_once(exec.last_launch);
}

}  // namespace

cudaError_t launch_graph(Session& session, GraphExec& exec, cudaStream_t stream) {
  if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
  if (session.streams.all.capture_of(stream)) {
    Operation child;
    child.type = cudaGraphNodeTypeGraph;
    child.child = clone(*exec.graph).first;
    return submit(session, stream, std::move(child));
  }
  const cudaError_t error = prepare(session, exec);
  return error == cudaSuccess ? add_launch(session, exec, stream) : error;
}

}  // namespace heddle::cuda
