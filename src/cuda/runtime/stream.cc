// Streams and events. The simulator executes work at the call that issues it, which is one of the
// orders CUDA allows; so a stream is always idle and a recorded event has always happened.
#include <algorithm>

#include "cuda/objects/streams.h"

using namespace heddle::cuda;

namespace {

cudaError_t use_stream(cudaStream_t stream) {
  return api([&](Session& session) {
    return stream_exists(session, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

template <class Value, class Work>
cudaError_t with_attributes(cudaStream_t stream, const Value* value, Work&& work) {
  return api([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (!stream_exists(session, stream)) return cudaErrorInvalidResourceHandle;
    work(session.stream_attributes[handle_of(stream)]);
    return cudaSuccess;
  });
}

template <class Work>
cudaError_t with_event(cudaEvent_t handle, Work&& work) {
  return api([&](Session& session) {
    const auto found = session.events.find(handle_of(handle));
    return found == session.events.end() ? cudaErrorInvalidResourceHandle
                                         : work(session, found->second);
  });
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api([&](Session& session) {
    session.device();
    if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    const std::uintptr_t handle = session.new_handle();
    session.streams[handle] = {flags, priority, {}};
    *stream = reinterpret_cast<cudaStream_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&](Session& session) {
    session.stream_attributes.erase(handle_of(stream));
    return session.streams.erase(handle_of(stream)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
// A stream that is being captured has nothing to wait for.
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&](Session& session) {
    if (!stream_exists(session, stream)) return cudaErrorInvalidResourceHandle;
    Capture* const capture = capture_of(session, stream);
    if (capture) capture->invalid = true;
    session.host_waits();
    return capture ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
// An event of a capture draws the stream into it.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_event(event, [&](Session& session, const Event& recorded) {
    if (!stream_exists(session, stream)) return cudaErrorInvalidResourceHandle;
    if (!recorded.capturing.capture) return cudaSuccess;
    Stream* const known = find_stream(session, stream);
    if (!known) return cudaErrorStreamCaptureImplicit;
    Capturing& own = known->capturing;
    if (own.capture && own.capture != recorded.capturing.capture)
      return cudaErrorStreamCaptureMerge;
    own.capture = recorded.capturing.capture;
    for (GraphNode* node : recorded.capturing.frontier) {
      if (std::find(own.frontier.begin(), own.frontier.end(), node) == own.frontier.end())
        own.frontier.push_back(node);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return api([&](Session& session) {
    if (!id) return cudaErrorInvalidValue;
    *id = handle_of(stream);
    return stream_exists(session, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (device) *device = 0;
  return device ? use_stream(stream) : answer(cudaErrorInvalidValue);
}
// Attributes are about caches and scheduling that the simulated GPU does not have.
// Kept and told; nothing that is simulated depends on them.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return with_attributes(stream, value,
                         [&](StreamAttributes& known) { known[attribute] = *value; });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return with_attributes(stream, value,
                         [&](StreamAttributes& known) { *value = known[attribute]; });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  StreamAttributes copied;
  const cudaError_t error =
      with_attributes(from, &copied, [&](const StreamAttributes& known) { copied = known; });
  return error == cudaSuccess
             ? with_attributes(to, &copied, [&](StreamAttributes& known) { known = copied; })
             : error;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return api([&](Session& session) {
    if (!stream_exists(session, stream)) return cudaErrorInvalidResourceHandle;
    if (!flags) return cudaErrorInvalidValue;
    const auto found = session.streams.find(handle_of(stream));
    *flags = found == session.streams.end() ? cudaStreamDefault : found->second.flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api([&](Session& session) {
    if (!stream_exists(session, stream)) return cudaErrorInvalidResourceHandle;
    if (!priority) return cudaErrorInvalidValue;
    const auto found = session.streams.find(handle_of(stream));
    *priority = found == session.streams.end() ? 0 : found->second.priority;
    return cudaSuccess;
  });
}

// Host functions run outside of the session's lock: the program may use other threads in them.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  if (!callback) return answer(cudaErrorInvalidValue);
  bool captured = false;
  const cudaError_t error = api([&](Session& session) {
    captured = capture_of(session, stream);
    if (captured) return cudaErrorStreamCaptureUnsupported;
    return stream_exists(session, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
  if (error == cudaSuccess) callback(stream, cudaSuccess, data);
  return error;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!function) return answer(cudaErrorInvalidValue);
  bool captured = false;
  const cudaError_t error = api([&](Session& session) {
    captured = capture_of(session, stream);
    Operation operation;
    operation.type = cudaGraphNodeTypeHost;
    operation.host_params = {function, data};
    operation.host = [=] { function(data); };
    return submit(session, stream, std::move(operation));
  });
  if (error == cudaSuccess && !captured) function(data);
  return error;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api([&](Session& session) {
    session.device();
    if (!event) return cudaErrorInvalidValue;
    const std::uintptr_t handle = session.new_handle();
    session.events[handle] = {flags, {}, {}};
    *event = reinterpret_cast<cudaEvent_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned) {
  return with_event(handle, [&](Session& session, Event& event) {
    if (!stream_exists(session, stream)) return cudaErrorInvalidResourceHandle;
    if (const Stream* known = find_stream(session, stream); capture_of(known)) {
      event.capturing = known->capturing;
      return cudaSuccess;
    }
    event.capturing = {};
    event.recorded_ms = session.device().elapsed_ms();
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(handle, [](Session& session, const Event& event) {
    session.host_waits();
    return event.capturing.capture ? cudaErrorCapturedEvent : cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t handle) { return cudaEventSynchronize(handle); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return with_event(start, [&](Session& session, const Event& first) {
    const auto last = session.events.find(handle_of(end));
    if (!ms) return cudaErrorInvalidValue;
    if (last == session.events.end() || !first.recorded_ms || !last->second.recorded_ms)
      return cudaErrorInvalidResourceHandle;
    if ((first.flags | last->second.flags) & cudaEventDisableTiming)
      return cudaErrorInvalidResourceHandle;
    *ms = static_cast<float>(*last->second.recorded_ms - *first.recorded_ms);
    ++session.times_told;
    return cudaSuccess;
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return api([&](Session& session) {
    return session.events.erase(handle_of(handle)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
