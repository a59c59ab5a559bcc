// Runs the work of streams while the host waits for it: the device advances only then, so the order
// does not depend on the host's clock. All functions are called under the session's lock. While a
// host function of the program runs, the lock is released.
#pragma once

#include <vector>

#include "cuda/process/api_call.h"

namespace heddle::cuda {

// Adds an operation at the end of a stream; it also waits for `after`.
StreamWork::Id issue(Session& session, const StreamWork::Place& place, const Operation& operation,
                     const std::vector<StreamWork::Id>& after = {});
// What is issued to the stream from now on waits for the operation.
void wait_in_stream(Session& session, cudaStream_t stream, StreamWork::Id id);

// Runs what is ready, oldest first, until the operation has finished. The first error of an
// operation that ran meanwhile; the fault's error after a device fault; cudaErrorNotPermitted when
// the program ends in a host function and the work waits for it.
cudaError_t wait_for(Session& session, StreamWork::Id id);
// Until everything that was issued to the stream so far has finished.
cudaError_t wait_for_stream(Session& session, cudaStream_t stream);
cudaError_t wait_for_all(Session& session);

StreamWork::Place place_of(Session& session, cudaStream_t stream);

// Adds the nodes of a graph, in an order in which dependencies come first. Returns an operation
// that finishes after all of them. Nodes wait for what `place` waits for, and for `after`.
StreamWork::Id add_nodes(Session& session, const StreamWork::Place& place,
                         const std::vector<GraphNode*>& order,
                         const std::vector<StreamWork::Id>& after = {},
                         const GraphLaunch& graph = {});

// api() for a call that needs an idle device, for example because it frees memory.
template <class Work>
cudaError_t api_when_idle(Work&& work) {
  return api([&](Session& session) {
    const cudaError_t error = wait_for_all(session);
    return error == cudaSuccess ? work(session) : error;
  });
}

}  // namespace heddle::cuda
