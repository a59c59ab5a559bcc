// Copies and fills of device memory. A transfer with a byte outside of its allocation is refused as
// a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuda/objects/handles.h"
#include "cuda/operations/submit.h"

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

// A transfer that waits for its turn is checked when it is issued, and performed later.
enum class Act : std::uint8_t { check, perform };

// call: the API function's name, for diagnostics.
cudaError_t copy(Session& session, const char* call, const Target& to, const Source& from,
                 const Rows& rows, cudaMemcpyKind kind, Act act = Act::perform);
// `value` in elements of 1, 2 or 4 bytes; rows.width in bytes.
cudaError_t fill(Session& session, const char* call, const Target& to, const Rows& rows,
                 unsigned value, unsigned element_bytes, Act act = Act::perform);

// Nothing when they exceed 64 bits.
std::optional<std::uint64_t> row_bytes(const cudaMemsetParams& p);

// The general copy, between pointers and CUDA arrays. Extents count elements if an array takes
// part, bytes otherwise.
cudaError_t copy_3d(Session& session, const char* call, const cudaMemcpy3DParms& p,
                    Act act = Act::perform);
cudaMemcpy3DParms linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

// The same, submitted to a stream. As in CUDA, pageable host memory is read before the call
// returns, and the host waits for a copy to pageable memory.
cudaError_t submit_copy(Session& session, const char* call, const cudaMemcpy3DParms& p,
                        IssueTarget at);
cudaError_t submit_fill(Session& session, const char* call, const cudaMemsetParams& p,
                        IssueTarget at);
// The same, as graph nodes.
Operation copy_operation(const char* call, const cudaMemcpy3DParms& p);
Operation fill_operation(const char* call, const cudaMemsetParams& p);

// What cudaMalloc does. An allocation of 0 bytes succeeds with a null pointer.
cudaError_t allocate_device(Session& session, void** pointer, std::size_t bytes, const char* call);

}  // namespace heddle::cuda
