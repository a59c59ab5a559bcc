// Conformance of textures and surfaces: cases as data. The same cases run on Heddle and on a GPU.
//
// A line of images/*.txt reads
//   GEOMETRY FORMAT LEVELS FILTER ADDRESS COORDINATES READ : INSTRUCTION
//   FORMAT       kind and bits of a channel, and the number of channels: f32x4, s8x1
//   LEVELS       mipmap levels; "blend" after the number: linear between the two nearest
//   COORDINATES  texels or normalized
//   READ         element, or fraction: integers as 0..1 or -1..1
//   INSTRUCTION  %G the geometry, %T the type of the result, %h the handle, %d the results, %d0 and
//                %d01 the first of them, %c the coordinates, %n these as integers, %b and %x those
//                of a surface (x in bytes or texels), %l the level, %g both gradients, %e offsets,
//                %v the data of a store, %v0 its first word
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::conformance {

struct ImageCase {
  std::string geometry, kind;  // kind: f, s or u
  unsigned bits = 32, channels = 1, levels = 1;
  bool blends = false, linear = false, normalized = false, fraction = false;
  std::string address, instruction;
  std::string place;  // file:line

  bool layered() const { return geometry[0] == 'a'; }
  bool cube() const { return geometry.ends_with("cube"); }
  unsigned dimensions() const {
    return geometry.ends_with("1d") ? 1 : geometry.ends_with("3d") ? 3 : 2;
  }
  unsigned texel_bytes() const { return bits / 8 * channels; }
  bool is_surface() const { return instruction.starts_with("su"); }
  bool begins(const std::string& word) const { return instruction.starts_with(word); }
  bool reads_floats() const { return kind == "f" || fraction; }
};

std::vector<ImageCase> read_images(const std::string& folder, const std::string& family);
const std::vector<std::string>& image_families();

struct Extent {
  unsigned width = 1, height = 1, depth = 1, layers = 1;
  std::size_t texels() const { return std::size_t{width} * height * depth * layers; }
};
Extent extent_of(const ImageCase& c, unsigned level);
// The texels of a level, in the order x, y, z, layer; the seed depends on the format.
std::vector<std::uint8_t> image_bytes(const ImageCase& c, unsigned level);

inline constexpr std::size_t kImageThreads = 256;
// Operands of a thread: 0..2 the coordinates, 3 the layer, 4 the level, 5..7 and 8..10 the
// gradients, 12..15 data. Bits of floats where the operand is a float.
using ImageOperands = std::array<std::uint32_t, 16>;
std::vector<ImageOperands> image_operands(const ImageCase& c);
inline constexpr std::array<int, 3> kOffsets{3, -2, 1};  // %e

// Index of the texel that a surface instruction accesses; -1: outside the image and not clamped.
long surface_place(const ImageCase& c, const ImageOperands& o, bool clamps);

// A kernel k(handle, operands, results of four words).
std::string image_module(const ImageCase& c);

using ImageResult = std::array<std::uint32_t, 4>;
// The differences in the results of all threads and in level 0 after the kernel; "" when there are
// none. `lenient`: weights and edges may differ by a weight's last bit, as GPUs may round.
std::string image_differences(const ImageCase& c, const std::vector<ImageResult>& results,
                              const std::vector<std::uint8_t>& after, bool lenient);

}  // namespace heddle::conformance
