#include "cuda/objects/streams.h"

#include "cuda/objects/handles.h"

namespace heddle::cuda {

cudaStream_t Streams::create(std::uintptr_t handle, unsigned flags, int priority) {
  streams_[handle] = {flags, priority, {}};
  return reinterpret_cast<cudaStream_t>(handle);
}

bool Streams::destroy(cudaStream_t stream) {
  attributes_.erase(handle_of(stream));
  return streams_.erase(handle_of(stream)) != 0;
}

bool Streams::exists(cudaStream_t stream) const {
  return handle_of(stream) <= handle_of(cudaStreamPerThread) ||
         streams_.contains(handle_of(stream));
}

Stream* Streams::find(cudaStream_t stream) {
  if (stream == cudaStreamPerThread) return &streams_[handle_of(stream)];
  const auto found = streams_.find(handle_of(stream));
  return found == streams_.end() ? nullptr : &found->second;
}

StreamAttributes& Streams::attributes(cudaStream_t stream) {
  return attributes_[handle_of(stream)];
}

void Streams::end_capture(const std::shared_ptr<Capture>& capture) {
  for (auto& [handle, stream] : streams_)
    if (stream.capturing.capture == capture) stream.capturing = {};
}

void Streams::clear() {
  streams_.clear();
  attributes_.clear();
}

}  // namespace heddle::cuda
