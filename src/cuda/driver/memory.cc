// Memory, copies and fills of the driver API.
#include <cstring>
#include <optional>

#include "cuda/driver/driver.h"
#include "cuda/operations/transfers.h"

using namespace heddle::cuda;

namespace {

CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
              const IssueTarget& issue = {}) {
  return driver([&] {
    return issue.host_waits ? cudaMemcpy(to, from, bytes, kind)
                            : cudaMemcpyAsync(to, from, bytes, kind, issue.stream);
  });
}

CUresult fill(CUdeviceptr to, std::size_t pitch, unsigned value, unsigned element_bytes,
              std::size_t width, std::size_t height, const IssueTarget& issue = {}) {
  if (to % element_bytes != 0) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] {
    return api([&](Session& session) {
      return submit_fill(session, "cuMemset",
                         {pointer(to), pitch, value, element_bytes, width, height}, issue);
    });
  });
}

// Source or target of a copy: an array or a pointer.
struct End {
  cudaArray_t array = nullptr;
  const void* base = nullptr;
  bool host = false;
};
template <class Host>
std::optional<End> end_of(CUmemorytype type, Host* host, CUdeviceptr device, CUarray array) {
  switch (type) {
    case CU_MEMORYTYPE_ARRAY: return End{reinterpret_cast<cudaArray_t>(array), nullptr, false};
    case CU_MEMORYTYPE_HOST: return End{nullptr, host, true};
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: return End{nullptr, pointer(device), false};
  }
  return {};
}

}  // namespace

namespace heddle::cuda {

cudaError_t described_copy(const Arrays& arrays, const CUDA_MEMCPY3D& c, cudaMemcpy3DParms& p) {
  const auto source = end_of(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray),
             target = end_of(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray);
  if (!source || !target) return cudaErrorInvalidValue;
  const End &from = *source, &to = *target;
  // The driver counts bytes. The runtime counts elements if an array takes part.
  std::size_t element = 1;
  for (const cudaArray_t handle : {from.array, to.array}) {
    if (!handle) continue;
    const Array* const array = arrays.find(handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    element = array->image.format.bytes();
  }
  const auto tight = [&](std::size_t pitch) { return pitch ? pitch : c.WidthInBytes; };
  const auto x = [&](const End& end, std::size_t bytes) {
    return end.array ? bytes / element : bytes;
  };
  p = {};
  p.srcArray = from.array;
  p.dstArray = to.array;
  p.srcPos = {x(from, c.srcXInBytes), c.srcY, c.srcZ};
  p.dstPos = {x(to, c.dstXInBytes), c.dstY, c.dstZ};
  p.srcPtr = {const_cast<void*>(from.base), tight(c.srcPitch), c.WidthInBytes, c.srcHeight};
  p.dstPtr = {const_cast<void*>(to.base), tight(c.dstPitch), c.WidthInBytes, c.dstHeight};
  p.extent = {c.WidthInBytes / element, c.Height, c.Depth};
  p.kind = from.host ? (to.host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
           : to.host ? cudaMemcpyDeviceToHost
                     : cudaMemcpyDeviceToDevice;
  return cudaSuccess;
}

}  // namespace heddle::cuda

namespace {

CUresult copy_described(const CUDA_MEMCPY3D& c, const IssueTarget& issue) {
  return driver([&] {
    return api([&](Session& session) {
      cudaMemcpy3DParms p{};
      const cudaError_t error = described_copy(session.memory.arrays, c, p);
      return error == cudaSuccess ? submit_copy(session, "cuMemcpy", p, issue) : error;
    });
  });
}

CUresult copy_flat(const CUDA_MEMCPY2D* c, const IssueTarget& issue) {
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D p{};
  p.srcXInBytes = c->srcXInBytes, p.srcY = c->srcY, p.srcMemoryType = c->srcMemoryType,
  p.srcHost = c->srcHost, p.srcDevice = c->srcDevice;
  p.srcArray = c->srcArray, p.srcPitch = c->srcPitch, p.dstXInBytes = c->dstXInBytes,
  p.dstY = c->dstY, p.dstMemoryType = c->dstMemoryType;
  p.dstHost = c->dstHost, p.dstDevice = c->dstDevice, p.dstArray = c->dstArray,
  p.dstPitch = c->dstPitch;
  p.WidthInBytes = c->WidthInBytes, p.Height = c->Height, p.Depth = 1;
  return copy_described(p, issue);
}

// There is one GPU, so the contexts are ignored.
CUresult copy_peers(const CUDA_MEMCPY3D_PEER* c, const IssueTarget& issue) {
  static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D),
                "the same but for the contexts, where the other has nothing");
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D own;
  std::memcpy(&own, c, sizeof own);
  own.reserved0 = own.reserved1 = nullptr;
  return copy_described(own, issue);
}

CUresult array_run(CUarray array, std::size_t offset, void* other, std::size_t bytes, bool to_array,
                   cudaMemcpyKind kind, CUstream stream = nullptr) {
  const auto handle = reinterpret_cast<cudaArray_t>(array);
  return driver([&] {
    return to_array ? cudaMemcpyToArrayAsync(handle, offset, 0, other, bytes, kind, stream)
                    : cudaMemcpyFromArrayAsync(other, handle, offset, 0, bytes, kind, stream);
  });
}

}  // namespace

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (!address || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return driver([&] { return cudaMalloc(reinterpret_cast<void**>(address), bytes); });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return driver([&] {
    return api([&](Session& session) {
      const auto* const allocation = session.device().memory().find(heddle::Address{address});
      if (!allocation) return cudaErrorSymbolNotFound;
      if (base) *base = allocation->base.value;
      if (bytes) *bytes = allocation->bytes;
      return cudaSuccess;
    });
  });
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(pointer(to), pointer(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return copy(pointer(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return copy(to, pointer(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) {
  return cuMemcpyDtoD(to, from, bytes);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes,
                           CUstream stream) {
  return cuMemcpyDtoDAsync(to, from, bytes, stream);
}
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
  return array_run(to, offset, const_cast<void*>(from), bytes, true, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
  return array_run(from, offset, to, bytes, false, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t bytes,
                           CUstream stream) {
  return array_run(to, offset, const_cast<void*>(from), bytes, true, cudaMemcpyHostToDevice,
                   stream);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return array_run(from, offset, to, bytes, false, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                      size_t bytes) {
  return driver([&] {
    return cudaMemcpyArrayToArray(reinterpret_cast<cudaArray_t>(to), to_offset, 0,
                                  reinterpret_cast<cudaArray_t>(from), from_offset, 0, bytes,
                                  cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return array_run(to, offset, pointer(from), bytes, true, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return array_run(from, offset, pointer(to), bytes, false, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) { return copy_flat(c, {}); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) { return copy_flat(c, {}); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream stream) { return copy_flat(c, stream); }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) {
  return c ? copy_described(*c, {}) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream stream) {
  return c ? copy_described(*c, stream) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* c) { return copy_peers(c, {}); }
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* c, CUstream stream) {
  return copy_peers(c, stream);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(to, 0, value, 1, count, 1);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(to, 0, value, 2, count, 1);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return fill(to, 0, value, 4, count, 1);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(to, 0, value, 1, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(to, 0, value, 2, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill(to, 0, value, 4, count, 1, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return fill(to, pitch, value, 1, width, height);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return fill(to, pitch, value, 2, width, height);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill(to, pitch, value, 4, width, height);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return fill(to, pitch, value, 1, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, 2, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, 4, width, height, stream);
}
