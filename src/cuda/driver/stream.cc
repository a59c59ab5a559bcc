// Streams and events of the driver API, translated to the runtime's calls.
#include "cuda/driver/driver.h"
#include "cuda/operations/submit.h"

using namespace heddle::cuda;

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return driver([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return driver([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return driver([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return driver([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return driver([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return driver([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return driver([&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return driver([&] { return cudaStreamGetPriority(stream, priority); });
}
// No context is a green one.
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green_context) {
  if (green_context) *green_context = nullptr;
  return cuStreamGetCtx(stream, context);
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return driver([&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return driver([&] { return cudaStreamGetDevice(stream, device); });
}
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return driver([&] { return cudaStreamGetAttribute(stream, attribute, value); });
}
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute,
                              const CUstreamAttrValue* value) {
  return driver([&] { return cudaStreamSetAttribute(stream, attribute, value); });
}
CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return driver([&] { return cudaStreamCopyAttributes(to, from); });
}
CUresult cuStreamAddCallback(CUstream stream, void (*callback)(CUstream, CUresult, void*),
                             void* data, unsigned) {
  if (!callback) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session& session) {
      if (session.streams.all.capture_of(stream)) return cudaErrorStreamCaptureUnsupported;
      Operation operation;
      operation.host = [=] { callback(stream, CUDA_SUCCESS, data); };
      return submit(session, stream, std::move(operation));
    });
  });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes,
                                unsigned flags) {
  return driver([&] { return cudaStreamAttachMemAsync(stream, pointer(address), bytes, flags); });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return driver([&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return driver([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return driver([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUresult cuEventSynchronize(CUevent event) {
  return driver([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventQuery(CUevent event) {
  return driver([&] { return cudaEventQuery(event); });
}
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
  return driver([&] { return cudaEventElapsedTime(ms, start, end); });
}
CUresult cuEventDestroy(CUevent event) {
  return driver([&] { return cudaEventDestroy(event); });
}
