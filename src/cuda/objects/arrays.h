// CUDA arrays: images in device memory that textures read and copies write, stored row by row.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/types.h"
#include "driver_types.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "texture_types.h"

namespace heddle::cuda {

struct Array {
  cudaChannelFormatDesc description{};
  // As requested: height and depth are 0 where the array has no such dimension. The depth of a
  // layered array is its number of layers.
  cudaExtent extent{};
  unsigned flags = 0;
  exec::TextureImage image;
  bool is_level = false;  // a level of a mipmapped array, which owns the memory

  std::uint64_t rows() const { return extent.height ? extent.height : 1; }
  std::uint64_t slices() const { return extent.depth ? extent.depth : 1; }
  std::uint64_t row_bytes() const { return image.width * image.format.bytes(); }
};

// Arrays in one allocation, each half as large in every dimension as the one before.
struct MipmappedArray {
  std::vector<cudaArray_t> levels;
};

class Arrays {
 public:
  cudaArray_t add(std::uintptr_t handle, const Array& array);
  cudaMipmappedArray_t add(std::uintptr_t handle, MipmappedArray array);
  // Null when there is no such array.
  const Array* find(cudaArray_const_t handle) const;
  const MipmappedArray* find(cudaMipmappedArray_const_t handle) const;
  // Memory is not freed. Erases the levels of a mipmapped array, too.
  void erase(cudaArray_t handle);
  void erase(cudaMipmappedArray_t handle);

 private:
  std::map<std::uintptr_t, Array> arrays_;
  std::map<std::uintptr_t, MipmappedArray> mipmapped_;
};

// The texel that a channel description stands for; false when textures have no such texel.
bool texel_format(const cudaChannelFormatDesc& description, exec::TexelFormat& format);

// Allocates and describes an array. Returns an error when the description or the extent is invalid
// or memory is exhausted.
cudaError_t make_array(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description,
                       const cudaExtent& extent, unsigned flags, Array& array);

// Allocates and describes the levels of a mipmapped array: `count`, or fewer when a level of one
// texel is reached.
cudaError_t make_levels(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description,
                        const cudaExtent& extent, unsigned count, unsigned flags,
                        std::vector<Array>& levels);

}  // namespace heddle::cuda
