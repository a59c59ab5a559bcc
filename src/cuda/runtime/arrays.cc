#include "cuda/runtime/arrays.h"

#include <limits>

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kRowAlign = 64;  // bytes

}  // namespace

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

cudaError_t make_array(exec::GlobalMemory& memory, const cudaChannelFormatDesc& description, const cudaExtent& extent, unsigned flags, Array& array) {
  array = {description, extent, flags, {}};
  exec::TextureImage& image = array.image;
  if (!texel_format(description, image.format)) return cudaErrorInvalidChannelDescriptor;
  if (extent.width == 0) return cudaErrorInvalidValue;
  image.layered = flags & cudaArrayLayered;
  image.cube = flags & cudaArrayCubemap;
  const bool stacked = image.layered || image.cube;
  image.dimensions = static_cast<std::uint8_t>(extent.depth && !stacked ? 3 : extent.height ? 2 : 1);
  image.width = extent.width;
  image.height = array.rows();
  image.depth = stacked ? 1 : array.slices();
  image.layers = stacked ? array.slices() : 1;
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (image.width > most || image.height > most || array.slices() > most) return cudaErrorInvalidValue;
  image.pitch_bytes = (array.row_bytes() + kRowAlign - 1) / kRowAlign * kRowAlign;
  image.slice_bytes = image.layer_bytes = image.pitch_bytes * image.height;
  if (image.slice_bytes > memory.capacity_bytes() / array.slices()) return cudaErrorMemoryAllocation;
  image.base = memory.allocate(image.slice_bytes * array.slices(), "CUDA array");
  return image.base == Address{} ? cudaErrorMemoryAllocation : cudaSuccess;
}

}  // namespace heddle::cuda
