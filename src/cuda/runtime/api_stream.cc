// Streams and events. The simulator executes work at the call that issues it, which is one of the orders CUDA allows; so a stream
// is always idle and a recorded event has always happened.
#include "cuda/runtime/api.h"

using namespace heddle::cuda;

namespace {

std::uintptr_t handle_of(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

// The default stream in its three spellings needs no creation.
bool exists(const Session& session, cudaStream_t stream) {
  return handle_of(stream) <= handle_of(cudaStreamPerThread) || session.streams.contains(handle_of(stream));
}

cudaError_t use_stream(cudaStream_t stream) {
  return api([&](Session& session) { return exists(session, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

template <class Work>
cudaError_t with_event(cudaEvent_t handle, Work&& work) {
  return api([&](Session& session) {
    const auto found = session.events.find(handle_of(handle));
    return found == session.events.end() ? cudaErrorInvalidResourceHandle : work(session, found->second);
  });
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return cudaStreamCreateWithPriority(stream, flags, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api([&](Session& session) {
    session.device();
    if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    const std::uintptr_t handle = session.new_handle();
    session.streams[handle] = {flags, priority};
    *stream = reinterpret_cast<cudaStream_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&](Session& session) { return session.streams.erase(handle_of(stream)) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return use_stream(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return use_stream(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_event(event, [&](Session& session, const Event&) {
    return exists(session, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return api([&](Session& session) {
    if (!exists(session, stream)) return cudaErrorInvalidResourceHandle;
    if (!flags) return cudaErrorInvalidValue;
    const auto found = session.streams.find(handle_of(stream));
    *flags = found == session.streams.end() ? cudaStreamDefault : found->second.flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api([&](Session& session) {
    if (!exists(session, stream)) return cudaErrorInvalidResourceHandle;
    if (!priority) return cudaErrorInvalidValue;
    const auto found = session.streams.find(handle_of(stream));
    *priority = found == session.streams.end() ? 0 : found->second.priority;
    return cudaSuccess;
  });
}

// Callbacks run outside of the session's lock: the program may use other threads in them.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  if (!callback) return answer(cudaErrorInvalidValue);
  const cudaError_t error = use_stream(stream);
  if (error == cudaSuccess) callback(stream, cudaSuccess, data);
  return error;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!function) return answer(cudaErrorInvalidValue);
  const cudaError_t error = use_stream(stream);
  if (error == cudaSuccess) function(data);
  return error;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api([&](Session& session) {
    session.device();
    if (!event) return cudaErrorInvalidValue;
    const std::uintptr_t handle = session.new_handle();
    session.events[handle] = {flags, {}};
    *event = reinterpret_cast<cudaEvent_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault); }
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned) {
  return with_event(handle, [&](Session& session, Event& event) {
    if (!exists(session, stream)) return cudaErrorInvalidResourceHandle;
    event.recorded_ms = session.device().elapsed_ms();
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(handle, [](Session&, const Event&) { return cudaSuccess; });
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return with_event(handle, [](Session&, const Event&) { return cudaSuccess; });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return with_event(start, [&](Session& session, const Event& first) {
    const auto last = session.events.find(handle_of(end));
    if (!ms) return cudaErrorInvalidValue;
    if (last == session.events.end() || !first.recorded_ms || !last->second.recorded_ms) return cudaErrorInvalidResourceHandle;
    if ((first.flags | last->second.flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    *ms = static_cast<float>(*last->second.recorded_ms - *first.recorded_ms);
    return cudaSuccess;
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return api([&](Session& session) { return session.events.erase(handle_of(handle)) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
