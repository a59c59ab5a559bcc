// CUDA arrays: images in device memory that textures read and copies fill. They lie in plain rows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "driver_types.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "texture_types.h"

namespace heddle::cuda {

struct Array {
  cudaChannelFormatDesc description{};
  cudaExtent extent{};  // as asked for: height and depth 0 where the array has no such dimension;
                        // depth counts layers when layered
  unsigned flags = 0;
  exec::TextureImage image;
  bool is_level = false;  // of a mipmapped array, whose memory it is

  std::uint64_t rows() const { return extent.height ? extent.height : 1; }
  std::uint64_t slices() const { return extent.depth ? extent.depth : 1; }
  std::uint64_t row_bytes() const { return image.width * image.format.bytes(); }
};

// A row of arrays, each half as large as the one before, in one allocation.
struct MipmappedArray {
  std::vector<std::uintptr_t> levels;  // handles of arrays
};

// The texel that a channel description means; false when textures have none like it.
bool texel_format(const cudaChannelFormatDesc& description, exec::TexelFormat& format);

// Allocates and describes an array. An error when the description or extent is impossible or memory
// does not suffice.
cudaError_t make_array(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description,
                       const cudaExtent& extent, unsigned flags, Array& array);

// The levels of a mipmapped array, at most so many that the last one is of one texel.
cudaError_t make_levels(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description,
                        const cudaExtent& extent, unsigned count, unsigned flags,
                        std::vector<Array>& levels);

}  // namespace heddle::cuda
