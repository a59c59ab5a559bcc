// Calls for streams that the runtime does not have.
#include "cuda/driver/driver.h"
#include "cuda/operations/submit.h"

using namespace heddle::cuda;

// No context is a green one.
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green_context) {
  if (green_context) *green_context = nullptr;
  return cuStreamGetCtx(stream, context);
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
