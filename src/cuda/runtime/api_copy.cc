// cudaMemcpy*, cudaMemset* and transfers by symbol. All work is done in program order, so the asynchronous forms do the same as
// the others.
#include "cuda/runtime/transfers.h"

using namespace heddle::cuda;

namespace {

Target target(void* base, std::size_t pitch = 0, std::size_t slice_bytes = 0) { return {static_cast<std::uint8_t*>(base), pitch, slice_bytes}; }
Source source(const void* base, std::size_t pitch = 0, std::size_t slice_bytes = 0) {
  return {static_cast<const std::uint8_t*>(base), pitch, slice_bytes};
}

cudaError_t copy_linear(const char* call, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return api([&](Session& session) { return copy(session, call, target(to), source(from), {bytes}, kind); });
}

cudaError_t copy_rows(const char* call, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind) {
  return api([&](Session& session) { return copy(session, call, target(to, to_pitch), source(from, from_pitch), {width, height}, kind); });
}

cudaError_t copy_volume(const char* call, const cudaMemcpy3DParms* p) {
  return api([&](Session& session) {
    if (!p) return cudaErrorInvalidValue;
    if (p->srcArray || p->dstArray) throw heddle::UserError(std::string(call) + ": CUDA arrays are not supported");
    const auto slice = [](const cudaPitchedPtr& side, const cudaExtent& extent) { return side.pitch * (side.ysize ? side.ysize : extent.height); };
    const std::size_t to_slice = slice(p->dstPtr, p->extent), from_slice = slice(p->srcPtr, p->extent);
    auto* const to = static_cast<std::uint8_t*>(p->dstPtr.ptr) + p->dstPos.z * to_slice + p->dstPos.y * p->dstPtr.pitch + p->dstPos.x;
    const auto* const from = static_cast<const std::uint8_t*>(p->srcPtr.ptr) + p->srcPos.z * from_slice + p->srcPos.y * p->srcPtr.pitch + p->srcPos.x;
    return copy(session, call, {to, p->dstPtr.pitch, to_slice}, {from, p->srcPtr.pitch, from_slice},
                {p->extent.width, p->extent.height, p->extent.depth}, p->kind);
  });
}

// Calls work(session, address of `offset` in the symbol) when `count` bytes from there belong to the symbol.
template <class Work>
cudaError_t with_symbol(const char* call, const void* symbol, std::size_t count, std::size_t offset, Work&& work) {
  return api([&](Session& session) {
    const auto variable = session.program().variable(symbol);
    if (!variable) return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || count > variable->bytes - offset) {
      explain(call, std::to_string(count) + " bytes from offset " + std::to_string(offset) + " exceed the symbol's " +
                        std::to_string(variable->bytes) + " bytes");
      return cudaErrorInvalidValue;
    }
    return work(session, device_pointer(variable->address + offset));
  });
}

cudaError_t copy_to_symbol(const char* call, const void* symbol, const void* from, std::size_t count, std::size_t offset, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return answer(cudaErrorInvalidMemcpyDirection);
  return with_symbol(call, symbol, count, offset, [&](Session& session, void* to) {
    return copy(session, call, target(to), source(from), {count}, kind);
  });
}

cudaError_t copy_from_symbol(const char* call, void* to, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return answer(cudaErrorInvalidMemcpyDirection);
  return with_symbol(call, symbol, count, offset, [&](Session& session, const void* from) {
    return copy(session, call, target(to), source(from), {count}, kind);
  });
}

cudaError_t set_rows(const char* call, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return api([&](Session& session) { return fill(session, call, target(to, pitch), {width, height}, value); });
}

cudaError_t set_volume(const char* call, const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
  return api([&](Session& session) {
    return fill(session, call, target(to.ptr, to.pitch, to.pitch * to.ysize), {extent.width, extent.height, extent.depth}, value);
  });
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) { return copy_linear("cudaMemcpy", to, from, count, kind); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t) {
  return copy_linear("cudaMemcpyAsync", to, from, count, kind);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t count) {
  if (to_device != 0 || from_device != 0) return answer(cudaErrorInvalidDevice);
  return copy_linear("cudaMemcpyPeer", to, from, count, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t count, cudaStream_t) {
  return cudaMemcpyPeer(to, to_device, from, from_device, count);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t) {
  return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copy_volume("cudaMemcpy3D", p); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t) { return copy_volume("cudaMemcpy3DAsync", p); }

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copy_to_symbol("cudaMemcpyToSymbol", symbol, from, count, offset, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return copy_to_symbol("cudaMemcpyToSymbolAsync", symbol, from, count, offset, kind);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copy_from_symbol("cudaMemcpyFromSymbol", to, symbol, count, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return copy_from_symbol("cudaMemcpyFromSymbolAsync", to, symbol, count, offset, kind);
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

cudaError_t cudaMemset(void* to, int value, size_t count) { return set_rows("cudaMemset", to, 0, value, count, 1); }
cudaError_t cudaMemsetAsync(void* to, int value, size_t count, cudaStream_t) { return set_rows("cudaMemsetAsync", to, 0, value, count, 1); }
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return set_rows("cudaMemset2D", to, pitch, value, width, height);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t) {
  return set_rows("cudaMemset2DAsync", to, pitch, value, width, height);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) { return set_volume("cudaMemset3D", to, value, extent); }
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t) {
  return set_volume("cudaMemset3DAsync", to, value, extent);
}
