// Calls of stream capture whose results have other types than the runtime's.
#include "cuda/driver/driver.h"

// The name is a macro for the second signature; both are defined here.
#undef cuStreamUpdateCaptureDependencies

using namespace heddle::cuda;

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return driver([&] {
    cudaStreamCaptureStatus found{};
    const cudaError_t error = cudaStreamIsCapturing(stream, status ? &found : nullptr);
    if (status) *status = static_cast<CUstreamCaptureStatus>(found);
    return error;
  });
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* count) {
  return driver([&] {
    cudaStreamCaptureStatus found{};
    unsigned long long number = 0;
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, status ? &found : nullptr, &number,
                                                       graph, dependencies, edges, count);
    if (status) *status = static_cast<CUstreamCaptureStatus>(found);
    if (id) *id = number;
    return error;
  });
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver([&] {
    if (!mode) return cudaErrorInvalidValue;
    auto exchanged = static_cast<cudaStreamCaptureMode>(*mode);
    const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&exchanged);
    *mode = static_cast<CUstreamCaptureMode>(exchanged);
    return error;
  });
}

#pragma GCC visibility push(default)
extern "C" CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                      size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}
#pragma GCC visibility pop
