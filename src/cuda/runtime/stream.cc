// Streams and events. A call that waits for a stream or asks whether it is idle runs its work to
// the end (process/stream_service.h).
#include <algorithm>

#include "cuda/objects/handles.h"
#include "cuda/operations/submit.h"

using namespace heddle::cuda;

namespace {

cudaError_t use_stream(cudaStream_t stream) {
  return api([&](Session& session) {
    return session.streams.all.exists(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

template <class Value, class Work>
cudaError_t with_attributes(cudaStream_t stream, const Value* value, Work&& work) {
  return api([&](Session& session) {
    if (!value) return cudaErrorInvalidValue;
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    work(session.streams.all.attributes(stream));
    return cudaSuccess;
  });
}

template <class Work>
cudaError_t with_event(cudaEvent_t handle, Work&& work) {
  return api([&](Session& session) {
    Event* const event = session.streams.events.find(handle);
    return event ? work(session, *event) : cudaErrorInvalidResourceHandle;
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
    *stream = session.streams.all.create(session.new_handle(), flags, priority,
                                         calling_thread().contexts.current());
    return cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&](Session& session) {
    return session.streams.all.destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
// A stream that is being captured cannot be synchronized.
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&](Session& session) {
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    Capture* const capture = session.streams.all.capture_of(stream);
    if (capture) capture->invalid = true;
    const cudaError_t error =
        capture ? cudaErrorStreamCaptureUnsupported : session.streams.wait_for_stream(stream);
    session.synchronize();
    return error;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
// Waiting for an event of a capture makes the stream part of that capture.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_event(event, [&](Session& session, const Event& recorded) {
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    if (!recorded.capturing.capture) {
      session.streams.wait_in_stream(stream, recorded.record);
      return cudaSuccess;
    }
    Stream* const known = session.streams.all.find(stream);
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
    return session.streams.all.exists(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (device) *device = 0;
  return device ? use_stream(stream) : answer(cudaErrorInvalidValue);
}
// Attributes concern caches and scheduling that the simulated GPU does not have. They are stored
// and returned; nothing that is simulated depends on them.
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
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    if (!flags) return cudaErrorInvalidValue;
    const Stream* const found = session.streams.all.find(stream);
    *flags = found ? found->flags : cudaStreamDefault;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api([&](Session& session) {
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    if (!priority) return cudaErrorInvalidValue;
    const Stream* const found = session.streams.all.find(stream);
    *priority = found ? found->priority : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  if (!callback) return answer(cudaErrorInvalidValue);
  return api([&](Session& session) {
    if (session.streams.all.capture_of(stream)) return cudaErrorStreamCaptureUnsupported;
    Operation operation;
    operation.host = [=] { callback(stream, cudaSuccess, data); };
    return submit(session, stream, std::move(operation));
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!function) return answer(cudaErrorInvalidValue);
  return api(
      [&](Session& session) { return submit(session, stream, host_operation({function, data})); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api([&](Session& session) {
    session.device();
    if (!event) return cudaErrorInvalidValue;
    *event = session.streams.events.create(session.new_handle(), flags);
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream, unsigned) {
  return with_event(handle, [&](Session& session, Event& event) {
    if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
    if (const Stream* known = session.streams.all.find(stream); capture_of(known)) {
      event.capturing = known->capturing;
      return cudaSuccess;
    }
    event.capturing = {};
    event.record =
        session.streams.issue(stream, event_operation(cudaGraphNodeTypeEventRecord, handle));
    return session.streams.run_at_once() ? session.streams.wait_for(event.record) : cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(handle, [](Session& session, const Event& event) {
    if (event.capturing.capture) return cudaErrorCapturedEvent;
    const cudaError_t error = session.streams.wait_for(event.record);
    session.synchronize();
    return error;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t handle) { return cudaEventSynchronize(handle); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return with_event(start, [&](Session& session, const Event& first) {
    const Event* const last = session.streams.events.find(end);
    if (!ms) return cudaErrorInvalidValue;
    if (!last) return cudaErrorInvalidResourceHandle;
    if (!session.streams.finished(first.record) || !session.streams.finished(last->record))
      return cudaErrorNotReady;
    if (!first.recorded_ms || !last->recorded_ms) return cudaErrorInvalidResourceHandle;
    if ((first.flags | last->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
    *ms = static_cast<float>(*last->recorded_ms - *first.recorded_ms);
    ++session.streams.events.elapsed_times;
    return cudaSuccess;
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return api([&](Session& session) {
    return session.streams.events.destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
