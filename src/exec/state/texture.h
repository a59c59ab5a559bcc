// Textures and surfaces: a 64-bit handle names the description of an image in device memory and of
// its sampling. Images are stored in rows, without tiling.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

// One texel: `channels` values of `bits` each.
struct TexelFormat {
  ChannelKind kind = ChannelKind::floating;
  std::uint8_t channels = 1;  // 1, 2 or 4
  std::uint8_t bits = 32;     // 8, 16 or 32
  std::uint32_t bytes() const { return std::uint32_t{channels} * bits / 8; }
};

// Texel (x, y, z) of layer l is at base + l * layer_bytes + z * slice_bytes + y * pitch_bytes + x *
// format.bytes(). Faces of a cube are layers: face f of cube n is layer 6n + f.
struct TextureImage {
  Address base;
  TexelFormat format;
  std::uint8_t dimensions = 1;  // 1, 2 or 3
  bool layered = false, cube = false;
  bool linear =
      false;  // 1D in plain memory: tex1Dfetch by an integer, no filter, out of range reads 0
  std::uint64_t width = 0, height = 1, depth = 1, layers = 1;  // texels
  std::uint64_t pitch_bytes = 0, slice_bytes = 0, layer_bytes = 0;
};

// The meaning of coordinates outside the image. halfway: OpenGL's first clamp, which keeps the
// coordinate in the image but lets a filter at the edge use the border.
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border, halfway };

struct Sampling {
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp,
                                     AddressMode::clamp};  // x, y, z
  bool linear_filter = false;                              // otherwise nearest
  bool normalized_coordinates =
      false;  // 0..1 across the image; wrap and mirror need it and mean clamp without
  bool normalized_read = false;     // integers of 8 and 16 bits are read as 0..1 or -1..1
  bool force_unnormalized = false;  // of a sampler: overrides the texture
  bool srgb = false;                // 8-bit channels except the fourth are converted from sRGB
  bool blends_levels = false;  // between the two nearest mipmap levels; otherwise the nearest level
  float level_bias = 0, least_level = 0, most_level = 0;
  std::array<float, 4> border{};  // what AddressMode::border reads
};

enum class HandleKind : std::uint8_t { texture, surface, sampler };

struct Texture {
  HandleKind kind = HandleKind::texture;  // of a sampler only `sampling` is used
  bool bound = false;  // false: an unbound texture reference, or a destroyed object
  TextureImage image;
  Sampling sampling;  // unused for a surface
  std::vector<TextureImage>
      smaller;  // mipmap levels from 1 on; in the same allocation as `image`, which is level 0
};

// All textures and surfaces of a device. It changes only between kernels, so every SM may read it.
class TextureTable {
 public:
  // Greater than any device address and any small number, so that no other value is mistaken for a
  // handle.
  static constexpr std::uint64_t kFirstHandle = 0x7e78'0000'0000'0000;

  std::uint64_t add(const Texture& texture) {
    textures_.push_back(texture);
    return kFirstHandle + textures_.size() - 1;
  }
  std::size_t size() const { return textures_.size(); }
  // The texture of a handle, which may be unbound; null for any other value.
  const Texture* find(std::uint64_t handle) const {
    const std::uint64_t index = handle - kFirstHandle;
    return index < textures_.size() ? &textures_[index] : nullptr;
  }
  Texture* find(std::uint64_t handle) {
    return const_cast<Texture*>(static_cast<const TextureTable*>(this)->find(handle));
  }

 private:
  std::vector<Texture> textures_;
};

}  // namespace heddle::exec
