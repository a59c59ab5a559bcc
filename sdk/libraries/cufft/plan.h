// Plans: shapes, layouts, and their execution.
#pragma once
#include <cufft.h>

#include <memory>

#include "cufft/axis.h"

namespace heddle::fft {

// Where element (i, j, k) of transform b is.
struct Layout {
  int64_t batch, dimensions[3];
};

struct Plan {
  cufftType type = CUFFT_C2C;
  int sizes[3] = {1, 1, 1};  // the last one is contiguous in the basic layout
  int batch = 1;
  bool is_advanced = false;
  Layout in{}, out{};  // of the advanced layout
  Axis axes[3];
  bool is_made = false, allocates = true;
  size_t work_bytes = 0;
  void *work = nullptr, *own_work = nullptr;
  cudaStream_t stream = nullptr;

  Plan() = default;
  Plan(const Plan&) = delete;
  ~Plan();
};

inline bool is_double(cufftType type) { return type >= CUFFT_Z2Z; }
inline bool is_from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
inline bool is_to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

// The shape of a plan as the calls give it; `embed` null: the basic layout.
struct Shape {
  int rank;
  const int64_t* sizes;
  const int64_t *in_embed, *out_embed;
  int64_t in_stride, in_distance, out_stride, out_distance;
  int64_t batch;
};
// Sets everything but device memory.
cufftResult set_shape(Plan& plan, const Shape& shape, cufftType type);
cufftResult allocate(Plan& plan);
template <class C>
cufftResult execute(Plan& plan, void* in, void* out, bool inverse);

}  // namespace heddle::fft
