#include "cuda/objects/arrays.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cuda/objects/handles.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kRowAlign = 64;  // bytes

}  // namespace

cudaArray_t Arrays::add(std::uintptr_t handle, const Array& array) {
  arrays_[handle] = array;
  return reinterpret_cast<cudaArray_t>(handle);
}

cudaMipmappedArray_t Arrays::add(std::uintptr_t handle, MipmappedArray array) {
  mipmapped_[handle] = std::move(array);
  return reinterpret_cast<cudaMipmappedArray_t>(handle);
}

const Array* Arrays::find(cudaArray_const_t handle) const {
  const auto found = arrays_.find(handle_of(handle));
  return found == arrays_.end() ? nullptr : &found->second;
}

const MipmappedArray* Arrays::find(cudaMipmappedArray_const_t handle) const {
  const auto found = mipmapped_.find(handle_of(handle));
  return found == mipmapped_.end() ? nullptr : &found->second;
}

void Arrays::erase(cudaArray_t handle) { arrays_.erase(handle_of(handle)); }

void Arrays::erase(cudaMipmappedArray_t handle) {
  if (const MipmappedArray* const array = find(handle))
    for (const cudaArray_t level : array->levels) erase(level);
  mipmapped_.erase(handle_of(handle));
}

bool texel_format(const cudaChannelFormatDesc& d, exec::TexelFormat& format) {
  const int bits = d.x;
  if (bits != 8 && bits != 16 && bits != 32) return false;
  int channels = 1;
  for (const int other : {d.y, d.z, d.w}) {
    if (other != 0 && other != bits) return false;
    channels += other != 0;
  }
  if (channels == 3 || (d.y == 0 && channels > 1)) return false;
  switch (d.f) {
    case cudaChannelFormatKindSigned: format.kind = exec::ChannelKind::signed_integer; break;
    case cudaChannelFormatKindUnsigned: format.kind = exec::ChannelKind::unsigned_integer; break;
    case cudaChannelFormatKindFloat: format.kind = exec::ChannelKind::floating; break;
    default: return false;
  }
  if (format.kind == exec::ChannelKind::floating && bits == 8) return false;
  format.channels = static_cast<std::uint8_t>(channels);
  format.bits = static_cast<std::uint8_t>(bits);
  return true;
}

namespace {

// Sets everything except the address.
cudaError_t describe_array(const cudaChannelFormatDesc& description, const cudaExtent& extent,
                           unsigned flags, Array& array) {
  array = {description, extent, flags, {}, false};
  exec::TextureImage& image = array.image;
  if (!texel_format(description, image.format)) return cudaErrorInvalidChannelDescriptor;
  if (extent.width == 0) return cudaErrorInvalidValue;
  image.layered = flags & cudaArrayLayered;
  image.cube = flags & cudaArrayCubemap;
  const bool stacked = image.layered || image.cube;
  image.dimensions = static_cast<std::uint8_t>(extent.depth && !stacked ? 3
                                               : extent.height          ? 2
                                                                        : 1);
  image.width = extent.width;
  image.height = array.rows();
  image.depth = stacked ? 1 : array.slices();
  image.layers = stacked ? array.slices() : 1;
  const std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
  if (image.width > max || image.height > max || array.slices() > max) return cudaErrorInvalidValue;
  image.pitch_bytes = (array.row_bytes() + kRowAlign - 1) / kRowAlign * kRowAlign;
  image.slice_bytes = image.layer_bytes = image.pitch_bytes * image.height;
  return cudaSuccess;
}

// A dimension that the array has keeps at least one texel.
std::size_t halved(std::size_t length) { return length ? std::max<std::size_t>(1, length / 2) : 0; }

cudaExtent next_level(const cudaExtent& e, bool stacked) {
  return {halved(e.width), halved(e.height), stacked ? e.depth : halved(e.depth)};
}

}  // namespace

cudaError_t make_array(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description,
                       const cudaExtent& extent, unsigned flags, Array& array) {
  std::vector<Array> levels;
  const cudaError_t error = make_levels(memory, description, extent, 1, flags, levels);
  if (error == cudaSuccess) array = levels.front(), array.is_level = false;
  return error;
}

cudaError_t make_levels(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description,
                        const cudaExtent& extent, unsigned count, unsigned flags,
                        std::vector<Array>& levels) {
  std::uint64_t bytes = 0;
  cudaExtent size = extent;
  do {
    Array& level = levels.emplace_back();
    if (const cudaError_t error = describe_array(description, size, flags, level);
        error != cudaSuccess)
      return error;
    level.is_level = true;
    if (level.image.slice_bytes > memory.capacity_bytes() / level.slices())
      return cudaErrorMemoryAllocation;
    bytes += level.image.slice_bytes * level.slices();
    const bool stacked = level.image.layered || level.image.cube;
    if (size.width <= 1 && size.height <= 1 && (stacked || size.depth <= 1)) break;
    size = next_level(size, stacked);
  } while (levels.size() < count);
  Address base = memory.allocate(bytes, "CUDA array");
  if (base == Address{}) return cudaErrorMemoryAllocation;
  for (Array& level : levels) {
    level.image.base = base;
    base = base + level.image.slice_bytes * level.slices();
  }
  return cudaSuccess;
}

}  // namespace heddle::cuda
