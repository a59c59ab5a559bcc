// What graphs have reserved.
#include <cstring>

#include "cuda/process/api_call.h"

using namespace heddle::cuda;

namespace {

// A maximum that can be reset; null for a current figure.
std::size_t* max_figure(GraphMemory& memory, cudaGraphMemAttributeType which) {
  if (which == cudaGraphMemAttrUsedMemHigh) return &memory.max_used;
  return which == cudaGraphMemAttrReservedMemHigh ? &memory.figures.max_reserved : nullptr;
}

template <class Work>
cudaError_t with_figure(int device, cudaGraphMemAttributeType which, const void* value,
                        Work&& work) {
  return api([&](Session& session) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!value || which < cudaGraphMemAttrUsedMemCurrent || which > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    session.device();
    return work(session.graphs.memory);
  });
}

}  // namespace

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&](Session& session) {
    if (device != 0) return cudaErrorInvalidDevice;
    session.graphs.memory.figures.trim();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return with_figure(device, which, value, [&](GraphMemory& memory) {
    const std::size_t* const max = max_figure(memory, which);
    const std::uint64_t bytes = max ? *max : memory.figures.reserved;
    std::memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return with_figure(device, which, value, [&](GraphMemory& memory) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, value, sizeof bytes);
    std::size_t* const max = max_figure(memory, which);
    if (!max || bytes != 0) return cudaErrorInvalidValue;  // a maximum can only be reset to 0
    *max = memory.figures.reserved;
    return cudaSuccess;
  });
}
