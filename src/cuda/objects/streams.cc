#include "cuda/objects/streams.h"

#include "cuda/objects/handles.h"

namespace heddle::cuda {

cudaStream_t Streams::create(std::uintptr_t handle, unsigned flags, int priority,
                             ContextHandle context) {
  Stream& stream = streams_[handle] = {flags, priority, 0, context, {}};
  count_creation(stream);
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
  if (stream == cudaStreamPerThread) {
    const auto [found, is_new] = streams_.try_emplace(handle_of(stream));
    if (is_new) count_creation(found->second);
    return &found->second;
  }
  const auto found = streams_.find(handle_of(stream));
  return found == streams_.end() ? nullptr : &found->second;
}

void Streams::count_creation(Stream& stream) {
  stream.number = created_++;
  may_overlap_ |= created_ > 1 || stream.flags & cudaStreamNonBlocking;
}

StreamWork::Place Streams::place_of(cudaStream_t handle, std::uint32_t hardware_queues) {
  const Stream* const stream = find(handle);
  if (!stream) return {};
  return {handle_of(handle), !(stream->flags & cudaStreamNonBlocking), stream->priority,
          stream->number % hardware_queues, stream->number};
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
