// What a texture unit computes: which texels a coordinate means and what is read there, after
// appendix "Texture Fetching" of the CUDA C++ Programming Guide. Knows memory only as a pointer to
// the image.
#pragma once

#include <array>
#include <cstdint>

#include "exec/state/texture.h"
#include "ptx/instruction.h"

namespace heddle::exec {

// Four channels as an instruction delivers them: bits of floats, or integers of 32 bits. Channels
// that the format lacks read 0, the fourth 1.
using Texel = std::array<std::uint32_t, 4>;

// The coordinates of one lane: bits of floats, or texel numbers when `integers`. A layer is an
// integer always and stands apart.
struct Coordinates {
  std::array<std::uint32_t, 3> at{};
  std::uint32_t layer = 0;
  bool integers = false;
  std::array<std::int32_t, 3> offsets{};  // texels, added before what lies outside is looked up
};

// Which mipmap level: 0, the one named, or the one where a step of the coordinates by either
// gradient is a texel at most.
struct Detail {
  ptx::Mipmap mode = ptx::Mipmap::base;
  float level = 0;
  std::array<std::array<float, 3>, 2> gradients{};
};

struct Fetched {
  Texel texel{};
  std::uint64_t offset = 0;  // of the first texel read, from the image's base
  bool in_image = false;  // some texel was read; otherwise the border, or nothing of linear memory
};

// bytes: where the image is. A sampler replaces the texture's filter and address modes.
Fetched fetch_texel(const Texture& texture, const std::uint8_t* bytes, ptx::Geometry geometry,
                    const Coordinates& c, const Detail& detail = {},
                    const Sampling* sampler = nullptr);
// tld4: one channel of the four texels that a linear filter would weigh.
Fetched gather_texels(const Texture& texture, const std::uint8_t* bytes, ptx::Geometry geometry,
                      const Coordinates& c, std::uint32_t channel,
                      const Sampling* sampler = nullptr);

// From the image's base to behind its last texel.
std::uint64_t extent_bytes(const TextureImage& image);

}  // namespace heddle::exec
