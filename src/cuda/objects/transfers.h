// Copies and fills of device memory, checked: a transfer that touches a byte outside of its
// allocation is refused as a whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/process/api.h"

namespace heddle::cuda {

// `depth` slices of `height` rows of `width` bytes.
struct Rows {
  std::size_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};
template <class Pointer>
struct Side {
  Pointer base;
  std::size_t pitch = 0;        // bytes between rows
  std::size_t slice_bytes = 0;  // bytes between slices
  auto row(std::size_t y, std::size_t z) const { return base + z * slice_bytes + y * pitch; }
};
using Target = Side<std::uint8_t*>;
using Source = Side<const std::uint8_t*>;

// `call` is the API function's name, for diagnostics.
cudaError_t copy(Session& session, const char* call, const Target& to, const Source& from,
                 const Rows& rows, cudaMemcpyKind kind);
// `value` in elements of 1, 2 or 4 bytes; rows.width in bytes.
cudaError_t fill(Session& session, const char* call, const Target& to, const Rows& rows,
                 unsigned value, unsigned element_bytes);

// The general copy: pointers and CUDA arrays on either side. Extents count elements where an array
// takes part, else bytes.
cudaError_t copy_volume(Session& session, const char* call, const cudaMemcpy3DParms& p);

// The same as work for a stream.
cudaError_t issue_copy(Session& session, const char* call, const cudaMemcpy3DParms& p,
                       cudaStream_t stream);
cudaError_t issue_fill(Session& session, const char* call, const cudaMemsetParams& p,
                       cudaStream_t stream);
// As nodes of a graph.
Operation copy_operation(const char* call, const cudaMemcpy3DParms& p);
Operation fill_operation(const char* call, const cudaMemsetParams& p);

// What cudaMalloc does. `call` and a number name the block in diagnostics. Nothing is allocated for
// no bytes.
cudaError_t allocate_device(Session& session, void** pointer, std::size_t bytes, const char* call);

inline Address device_address(const void* pointer) {
  return Address{reinterpret_cast<std::uintptr_t>(pointer)};
}
inline void* device_pointer(Address address) { return reinterpret_cast<void*>(address.value); }

}  // namespace heddle::cuda
