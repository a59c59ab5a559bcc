// cudaMemcpy*, cudaMemset* and copies of symbols. Calls without a stream use the legacy default
// stream.
#include "cuda/objects/handles.h"
#include "cuda/operations/submit.h"
#include "cuda/operations/transfers.h"

using namespace heddle::cuda;

namespace {

Target target(void* base, std::size_t pitch = 0, std::size_t slice_bytes = 0) {
  return {static_cast<std::uint8_t*>(base), pitch, slice_bytes};
}

cudaMemcpy3DParms rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                       std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  p.dstPtr = {to, to_pitch, width, height};
  p.extent = {width, height, 1};
  p.kind = kind;
  return p;
}

cudaError_t copy_linear(const char* call, void* to, const void* from, std::size_t bytes,
                        cudaMemcpyKind kind, const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    return submit_copy(session, call, rows(to, bytes, from, bytes, bytes, 1, kind), issue);
  });
}

cudaError_t copy_rows(const char* call, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t height,
                      cudaMemcpyKind kind, const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    return submit_copy(session, call, rows(to, to_pitch, from, from_pitch, width, height, kind),
                       issue);
  });
}

cudaError_t submit_copy_3d(const char* call, const cudaMemcpy3DParms* p,
                           const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    return p ? submit_copy(session, call, *p, issue) : cudaErrorInvalidValue;
  });
}

cudaError_t copy_peers(const char* call, const cudaMemcpy3DPeerParms* p, const IssueTarget& issue) {
  if (!p || p->srcDevice != 0 || p->dstDevice != 0)
    return answer(p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  const cudaMemcpy3DParms same{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                               p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return submit_copy_3d(call, &same, issue);
}

// Calls work(session, address) with the address of `offset` in the symbol, if `count` bytes from
// there belong to the symbol.
template <class Work>
cudaError_t with_symbol(const char* call, const void* symbol, std::size_t count, std::size_t offset,
                        Work&& work) {
  return api([&](Session& session) {
    const auto variable = session.program().variable(symbol);
    if (!variable) return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || count > variable->bytes - offset) {
      explain(call, std::to_string(count) + " bytes from offset " + std::to_string(offset) +
                        " exceed the symbol's " + std::to_string(variable->bytes) + " bytes");
      return cudaErrorInvalidValue;
    }
    return work(session, device_pointer(variable->address + offset));
  });
}

cudaError_t copy_to_symbol(const char* call, const void* symbol, const void* from,
                           std::size_t count, std::size_t offset, cudaMemcpyKind kind,
                           const IssueTarget& issue = {}) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return answer(cudaErrorInvalidMemcpyDirection);
  return with_symbol(call, symbol, count, offset, [&](Session& session, void* to) {
    return submit_copy(session, call, rows(to, count, from, count, count, 1, kind), issue);
  });
}

cudaError_t copy_from_symbol(const char* call, void* to, const void* symbol, std::size_t count,
                             std::size_t offset, cudaMemcpyKind kind,
                             const IssueTarget& issue = {}) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return answer(cudaErrorInvalidMemcpyDirection);
  return with_symbol(call, symbol, count, offset, [&](Session& session, const void* from) {
    return submit_copy(session, call, rows(to, count, from, count, count, 1, kind), issue);
  });
}

cudaError_t set_rows(const char* call, void* to, std::size_t pitch, int value, std::size_t width,
                     std::size_t height, const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    return submit_fill(session, call,
                       {to, pitch, static_cast<unsigned>(value) & 0xff, 1, width, height}, issue);
  });
}

cudaError_t set_volume(const char* call, const cudaPitchedPtr& to, int value,
                       const cudaExtent& extent, const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    return submit(session, issue, cudaGraphNodeTypeMemset, [=](Session& at) {
      return fill(at, call, target(to.ptr, to.pitch, to.pitch * to.ysize),
                  {extent.width, extent.height, extent.depth}, static_cast<unsigned>(value) & 0xff,
                  1);
    });
  });
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return copy_linear("cudaMemcpy", to, from, count, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_linear("cudaMemcpyAsync", to, from, count, kind, stream);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t count) {
  if (to_device != 0 || from_device != 0) return answer(cudaErrorInvalidDevice);
  return copy_linear("cudaMemcpyPeer", to, from, count, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t count, cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return answer(cudaErrorInvalidDevice);
  return copy_linear("cudaMemcpyPeerAsync", to, from, count, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind,
                   stream);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return submit_copy_3d("cudaMemcpy3D", p); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return submit_copy_3d("cudaMemcpy3DAsync", p, stream);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return copy_peers("cudaMemcpy3DPeer", p, {});
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return copy_peers("cudaMemcpy3DPeerAsync", p, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_to_symbol("cudaMemcpyToSymbol", symbol, from, count, offset, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol("cudaMemcpyToSymbolAsync", symbol, from, count, offset, kind, stream);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_from_symbol("cudaMemcpyFromSymbol", to, symbol, count, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_symbol("cudaMemcpyFromSymbolAsync", to, symbol, count, offset, kind, stream);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  if (!pointer) return answer(cudaErrorInvalidValue);
  return with_symbol("cudaGetSymbolAddress", symbol, 0, 0, [&](Session&, void* address) {
    *pointer = address;
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return api([&](Session& session) {
    const auto variable = session.program().variable(symbol);
    if (!size) return cudaErrorInvalidValue;
    if (!variable) return cudaErrorInvalidSymbol;
    *size = variable->bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemset(void* to, int value, size_t count) {
  return set_rows("cudaMemset", to, 0, value, count, 1);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t count, cudaStream_t stream) {
  return set_rows("cudaMemsetAsync", to, 0, value, count, 1, stream);
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return set_rows("cudaMemset2D", to, pitch, value, width, height);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return set_rows("cudaMemset2DAsync", to, pitch, value, width, height, stream);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return set_volume("cudaMemset3D", to, value, extent);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return set_volume("cudaMemset3DAsync", to, value, extent, stream);
}
