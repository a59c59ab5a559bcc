// Stream capture: what is issued to a stream becomes a graph.
#include <set>

#include "cuda/objects/handles.h"
#include "cuda/process/api_call.h"

using namespace heddle::cuda;

namespace {

// The nodes and all nodes that they depend on.
std::set<const GraphNode*> ancestors(const std::vector<GraphNode*>& of) {
  std::set<const GraphNode*> found;
  std::vector<const GraphNode*> unvisited(of.begin(), of.end());
  while (!unvisited.empty()) {
    const GraphNode* const node = unvisited.back();
    unvisited.pop_back();
    if (!found.insert(node).second) continue;
    unvisited.insert(unvisited.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return found;
}

// Does the stream that ends the capture depend on all nodes of the capture?
bool joined(const Graph& graph, const std::vector<GraphNode*>& frontier) {
  return ancestors(frontier).size() == graph.nodes.size();
}

cudaError_t begin(cudaStream_t stream, std::shared_ptr<Graph> into,
                  std::vector<GraphNode*> frontier) {
  return api([&](Session& session) {
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    Stream* const known = session.streams.all.find(stream);
    if (!known) return cudaErrorStreamCaptureUnsupported;  // the legacy default stream
    if (known->capturing.capture) return cudaErrorIllegalState;
    auto capture = std::make_shared<Capture>();
    capture->graph = into ? into : session.graphs.all.emplace_back(std::make_shared<Graph>());
    capture->origin = handle_of(stream);
    capture->id = ++session.graphs.captures;
    known->capturing = {std::move(capture), std::move(frontier)};
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return begin(stream, nullptr, {});
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode) {
  const auto into = Session::get().graphs.find(graph);
  if (!into || (count && !dependencies)) return answer(cudaErrorInvalidValue);
  std::vector<GraphNode*> frontier;
  for (size_t i = 0; i < count; ++i)
    frontier.push_back(reinterpret_cast<GraphNode*>(dependencies[i]));
  return begin(stream, into, std::move(frontier));
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api([&](Session& session) {
    if (graph) *graph = nullptr;
    Stream* const known = session.streams.all.find(stream);
    const std::shared_ptr<Capture> capture = known ? known->capturing.capture : nullptr;
    if (!capture) return cudaErrorIllegalState;
    if (capture->origin != handle_of(stream)) return cudaErrorStreamCaptureUnmatched;
    const std::vector<GraphNode*> frontier = known->capturing.frontier;
    session.streams.all.end_capture(capture);
    session.streams.events.end_capture(capture);
    if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
    if (!joined(*capture->graph, frontier)) return cudaErrorStreamCaptureUnjoined;
    if (graph) *graph = reinterpret_cast<cudaGraph_t>(capture->graph.get());
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return api([&](Session& session) {
    if (!status) return cudaErrorInvalidValue;
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    *status = cudaStreamCaptureStatusNone;
    Stream* const known = session.streams.all.find(stream);
    const Capture* const capture = capture_of(known);
    if (!capture) return cudaSuccess;
    *status = capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    if (id) *id = capture->id;
    if (graph) *graph = reinterpret_cast<cudaGraph_t>(capture->graph.get());
    if (dependencies)
      *dependencies = reinterpret_cast<const cudaGraphNode_t*>(known->capturing.frontier.data());
    if (edges) *edges = nullptr;
    if (count) *count = known->capturing.frontier.size();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return api([&](Session& session) {
    Stream* const known = session.streams.all.find(stream);
    if (!capture_of(known)) return cudaErrorIllegalState;
    if (count && !dependencies) return cudaErrorInvalidValue;
    constexpr unsigned replace = 1;
    auto& frontier = known->capturing.frontier;
    if (flags == replace) frontier.clear();
    for (size_t i = 0; i < count; ++i)
      frontier.push_back(reinterpret_cast<GraphNode*>(dependencies[i]));
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answer(mode ? cudaSuccess : cudaErrorInvalidValue);
}

// Signatures of CUDA 11 and 12.
#pragma GCC visibility push(default)
extern "C" {
cudaError_t heddle_cudaStreamGetCaptureInfo_11(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id) {
  return cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t heddle_cudaStreamGetCaptureInfo_12(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** dependencies,
                                               size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
cudaError_t heddle_cudaStreamUpdateCaptureDependencies_12(cudaStream_t stream,
                                                          cudaGraphNode_t* dependencies,
                                                          size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}
}
#pragma GCC visibility pop
