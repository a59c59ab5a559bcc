// CUDA arrays, and copies between them and memory.
#include <algorithm>

#include "cuda/operations/submit.h"
#include "cuda/operations/transfers.h"

using namespace heddle::cuda;

namespace {

cudaError_t allocate_array(cudaArray_t* handle, const cudaChannelFormatDesc* description,
                           const cudaExtent& extent, unsigned flags) {
  return api([&](Session& session) {
    if (!handle || !description) return cudaErrorInvalidValue;
    Array array;
    const cudaError_t error =
        make_array(session.device().memory(), *description, extent, flags, array);
    if (error != cudaSuccess) return error;
    *handle = session.memory.arrays.add(session.new_handle(), array);
    return cudaSuccess;
  });
}

// A rectangle of `width` bytes and `height` rows, at byte x and row y of an array.
struct Place {
  std::size_t x, y;
};
struct Plain {
  const void* base;
  std::size_t pitch;
};

cudaError_t copy_rows(Session& session, const char* call, const Array& array, Place at, Plain other,
                      std::size_t width, std::size_t height, bool to_array, cudaMemcpyKind kind) {
  if (at.x > array.row_bytes() || width > array.row_bytes() - at.x || at.y > array.rows() ||
      height > array.rows() - at.y) {
    explain(call, "the copy exceeds the CUDA array");
    return cudaErrorInvalidValue;
  }
  auto* const inside = static_cast<std::uint8_t*>(
      device_pointer(array.image.base + (at.y * array.image.pitch_bytes + at.x)));
  auto* const outside = static_cast<std::uint8_t*>(const_cast<void*>(other.base));
  const Side<std::uint8_t*> a{inside, array.image.pitch_bytes, 0}, b{outside, other.pitch, 0};
  const Target& to = to_array ? a : b;
  const Side<std::uint8_t*>& from = to_array ? b : a;
  return copy(session, call, to, {from.base, from.pitch, 0}, {width, height}, kind);
}

// The host waits for copies by these calls, so that they may use pageable memory.
IssueTarget waiting(const IssueTarget& issue) { return {issue.stream, true}; }

cudaError_t copy_2d(const char* call, cudaArray_const_t handle, Place at, Plain other,
                    std::size_t width, std::size_t height, bool to_array, cudaMemcpyKind kind,
                    const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    const Array* const array = session.memory.arrays.find(handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    return submit(session, waiting(issue), cudaGraphNodeTypeMemcpy,
                  [=, array = *array](Session& here) {
                    return copy_rows(here, call, array, at, other, width, height, to_array, kind);
                  });
  });
}

// `count` bytes, continued from row to row.
cudaError_t copy_bytes(const char* call, cudaArray_const_t handle, Place at, const void* other,
                       std::size_t count, bool to_array, cudaMemcpyKind kind,
                       const IssueTarget& issue = {}) {
  return api([&](Session& session) {
    const Array* const found = session.memory.arrays.find(handle);
    if (!found) return cudaErrorInvalidResourceHandle;
    return submit(session, waiting(issue), cudaGraphNodeTypeMemcpy,
                  [=, array = *found](Session& here) {
                    const auto* bytes = static_cast<const std::uint8_t*>(other);
                    Place place = at;
                    for (std::size_t left = count; left > 0;) {
                      const bool whole = place.x == 0 && left >= array.row_bytes();
                      const std::size_t width =
                          std::min(left, array.row_bytes() - std::min(place.x, array.row_bytes()));
                      const std::size_t height = whole ? left / array.row_bytes() : 1;
                      if (width == 0) return cudaErrorInvalidValue;
                      const cudaError_t error =
                          copy_rows(here, call, array, place, {bytes, array.row_bytes()}, width,
                                    height, to_array, kind);
                      if (error != cudaSuccess) return error;
                      bytes += width * height;
                      left -= width * height;
                      place = {0, place.y + height};
                    }
                    return cudaSuccess;
                  });
  });
}

cudaError_t copy_between(const char* call, cudaArray_t to, Place to_at, cudaArray_const_t from,
                         Place from_at, std::size_t width, std::size_t height) {
  return api([&](Session& session) {
    if (const cudaError_t error = session.streams.wait_for_all(); error != cudaSuccess)
      return error;
    const Array *const source = session.memory.arrays.find(from), *const target =
                                                                      session.memory.arrays.find(
                                                                          to);
    if (!source || !target) return cudaErrorInvalidResourceHandle;
    const auto first = source->image.base + (from_at.y * source->image.pitch_bytes + from_at.x);
    if (from_at.x + width > source->row_bytes() || from_at.y + height > source->rows())
      return cudaErrorInvalidValue;
    return copy_rows(session, call, *target, to_at,
                     {device_pointer(first), source->image.pitch_bytes}, width, height, true,
                     cudaMemcpyDeviceToDevice);
  });
}

}  // namespace

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* description, cudaArray_const_t handle) {
  return cudaArrayGetInfo(description, nullptr, nullptr, const_cast<cudaArray_t>(handle));
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* description, cudaExtent* extent,
                             unsigned* flags, cudaArray_t handle) {
  return api([&](Session& session) {
    const Array* const array = session.memory.arrays.find(handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (description) *description = array->description;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaMallocArray(cudaArray_t* handle, const cudaChannelFormatDesc* description,
                            size_t width, size_t height, unsigned flags) {
  return allocate_array(handle, description, {width, height, 0}, flags);
}
cudaError_t cudaMalloc3DArray(cudaArray_t* handle, const cudaChannelFormatDesc* description,
                              cudaExtent extent, unsigned flags) {
  return allocate_array(handle, description, extent, flags);
}
cudaError_t cudaFreeArray(cudaArray_t handle) {
  return api_when_idle([&](Session& session) {
    if (!handle) return cudaSuccess;
    const Array* const array = session.memory.arrays.find(handle);
    if (!array || array->is_level) return cudaErrorInvalidResourceHandle;
    session.device().memory().free(array->image.base);
    session.memory.arrays.erase(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              cudaMemcpyKind kind) {
  return copy_bytes("cudaMemcpyToArray", to, {x, y}, from, count, true, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes("cudaMemcpyToArrayAsync", to, {x, y}, from, count, true, kind, stream);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return copy_bytes("cudaMemcpyFromArray", from, {x, y}, to, count, false, kind);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes("cudaMemcpyFromArrayAsync", from, {x, y}, to, count, false, kind, stream);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_2d("cudaMemcpy2DToArray", to, {x, y}, {from, pitch}, width, height, true, kind);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy_2d("cudaMemcpy2DToArrayAsync", to, {x, y}, {from, pitch}, width, height, true, kind,
                 stream);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_2d("cudaMemcpy2DFromArray", from, {x, y}, {to, pitch}, width, height, false, kind);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_2d("cudaMemcpy2DFromArrayAsync", from, {x, y}, {to, pitch}, width, height, false,
                 kind, stream);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind) {
  return copy_between("cudaMemcpy2DArrayToArray", to, {to_x, to_y}, from, {from_x, from_y}, width,
                      height);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t count, cudaMemcpyKind) {
  return copy_between("cudaMemcpyArrayToArray", to, {to_x, to_y}, from, {from_x, from_y}, count, 1);
}
