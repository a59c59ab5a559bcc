// The arithmetic of a texture unit: which texels a coordinate selects and the value that is read,
// after the appendix "Texture Fetching" of the CUDA C++ Programming Guide. Gets the image as a
// pointer.
#pragma once

#include <array>
#include <cstdint>

#include "exec/state/texture.h"
#include "ptx/instruction.h"

namespace heddle::exec {

// The four channels of a result: bits of floats, or 32-bit integers. Channels that the format lacks
// read 0, the fourth 1.
using Texel = std::array<std::uint32_t, 4>;

// The coordinates of one lane: bits of floats, or texel indices when `integers`. The layer is
// always an integer.
struct Coordinates {
  std::array<std::uint32_t, 3> at{};
  std::uint32_t layer = 0;
  bool integers = false;
  std::array<std::int32_t, 3> offsets{};  // texels, added before the address mode is applied
};

// Selects the mipmap level: 0, the given one, or the one where a step by either gradient is at most
// a texel.
struct Detail {
  ptx::Mipmap mode = ptx::Mipmap::base;
  float level = 0;
  std::array<std::array<float, 3>, 2> gradients{};
};

struct Fetched {
  Texel texel{};
  std::uint64_t offset = 0;  // of the first texel read, from the image's base
  // a texel was read; otherwise the border value, or 0 outside of linear memory
  bool in_image = false;
};

// bytes: the image. A sampler replaces the filter and address modes of the texture.
Fetched fetch_texel(const Texture& texture, const std::uint8_t* bytes, ptx::Geometry geometry,
                    const Coordinates& c, const Detail& detail = {},
                    const Sampling* sampler = nullptr);
// tld4: one channel of the four texels that a linear filter would use.
Fetched gather_texels(const Texture& texture, const std::uint8_t* bytes, ptx::Geometry geometry,
                      const Coordinates& c, std::uint32_t channel,
                      const Sampling* sampler = nullptr);

// From the base of the image to the end of its last texel.
std::uint64_t extent_bytes(const TextureImage& image);

}  // namespace heddle::exec
