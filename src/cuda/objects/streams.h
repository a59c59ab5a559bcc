// Streams as the rest of the runtime uses them: does one exist, and where does work that is issued
// to it go?
#pragma once

#include "cuda/process/api.h"

namespace heddle::cuda {

inline std::uintptr_t handle_of(const void* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

// The default stream in its three spellings needs no creation.
bool stream_exists(const Session& session, cudaStream_t stream);
// What is known of a stream; null when it does not exist. The legacy default stream has nothing to
// know.
Stream* find_stream(Session& session, cudaStream_t stream);
inline Capture* capture_of(const Stream* stream) {
  return stream ? stream->capturing.capture.get() : nullptr;
}
inline Capture* capture_of(Session& session, cudaStream_t stream) {
  return capture_of(find_stream(session, stream));
}

// Executes the operation, which is one of the orders CUDA allows; or, while the stream is being
// captured, makes it a node that follows what the stream was given before. Host functions are not
// for this: see issue_host.
cudaError_t submit(Session& session, cudaStream_t stream, Operation operation);
// Work without parameters that a graph could be asked for.
cudaError_t submit(Session& session, cudaStream_t stream, cudaGraphNodeType type,
                   std::function<cudaError_t(Session&)> run);

// Runs a graph's nodes in order. Takes the session's lock for each node, but not while a host
// function runs.
cudaError_t run_nodes(const std::vector<GraphNode*>& order);
// runtime/graph_conditional.cc: a conditional node's work, and what a launch does to the conditions
// of a graph and those within it.
cudaError_t run_branches(const Branches& branches);
void start_conditions(Session& session, const Graph& graph);

// runtime/graph_memory.cc. Of a stream that is being captured:
cudaError_t capture_allocation(Session& session, cudaStream_t stream, void** pointer,
                               std::size_t bytes);
cudaError_t capture_free(Session& session, cudaStream_t stream, const void* pointer);
// Before a launch: the memory that it needs is held; what an earlier one allocated and nobody freed
// is freed, or an error.
cudaError_t prepare_memory(Session& session, const Graph& graph, bool frees);

}  // namespace heddle::cuda
