#include "cuda/operations/submit.h"

#include <utility>

#include "cuda/operations/graph_conditions.h"

namespace heddle::cuda {

cudaError_t submit(Session& session, cudaStream_t stream, Operation operation) {
  if (!session.streams.exists(stream)) return cudaErrorInvalidResourceHandle;
  Stream* const known = session.streams.find(stream);
  Capture* const capture = capture_of(known);
  if (!capture) return operation.run ? operation.run(session) : cudaSuccess;
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  known->capturing.frontier = {
      capture->graph->add(std::move(operation), known->capturing.frontier)};
  return cudaSuccess;
}

cudaError_t submit(Session& session, cudaStream_t stream, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run) {
  Operation operation;
  operation.type = type;
  operation.run = std::move(run);
  return submit(session, stream, std::move(operation));
}

cudaError_t run_nodes(const std::vector<GraphNode*>& order) {
  for (const GraphNode* node : order) {
    const Operation& operation = node->operation;
    if (!node->enabled) continue;
    if (operation.host) operation.host();
    if (operation.child) {
      if (const cudaError_t error = run_nodes(operation.child->order()); error != cudaSuccess)
        return error;
    }
    if (operation.branches) {
      if (const cudaError_t error = run_branches(*operation.branches); error != cudaSuccess)
        return error;
    }
    if (!operation.run) continue;
    if (const cudaError_t error = api([&](Session& session) { return operation.run(session); });
        error != cudaSuccess)
      return error;
  }
  return cudaSuccess;
}

}  // namespace heddle::cuda
