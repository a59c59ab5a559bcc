// A tensor map: what cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col write into the 128 bytes of
// a CUtensorMap and cp.async.bulk.tensor reads. CUDA does not describe the bytes; these are
// Heddle's own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "ptx/type.h"

namespace heddle::exec {

struct TensorMap {
  static constexpr std::size_t kBytes = 128, kMaxRank = 5;
  static constexpr std::uint32_t kMark = 0x50414d54;  // "TMAP"
  static constexpr std::uint32_t kMaxBox = 256, kMaxStep = 8;
  static constexpr std::uint64_t kMaxBoxBytes = 1 << 20;  // more than a CTA has of shared memory

  std::uint32_t mark = kMark;
  std::uint8_t rank = 1;
  ptx::Type type = ptx::Type::u8;                           // of the elements
  std::uint8_t swizzled_bytes = 16;                         // of a row: 16 (none), 32, 64, 128
  std::array<std::uint8_t, kMaxRank> steps{1, 1, 1, 1, 1};  // elements between those of a box
  std::array<std::uint16_t, kMaxRank> box{1, 1, 1, 1, 1};   // elements, steps included
  std::array<std::uint32_t, kMaxRank> last{};               // the last element's coordinates
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMaxRank> strides{};  // bytes; that of the first dimension is not used
  // im2col: a box has box[0] channels of so many pixels, the dimensions between channels and images
  // being those of pixels. A row of pixels begins `lower` behind the first one of the tensor, and
  // ends `upper` behind the last one. 0: tiles.
  std::uint16_t pixels = 0;
  std::array<std::int16_t, kMaxRank - 2> lower{}, upper{};

  std::uint32_t element_bytes() const { return ptx::element_bits(type) / 8; }
  std::uint32_t row_bytes() const { return box[0] * element_bytes(); }
  std::uint32_t elements(std::size_t dimension) const {  // of the box
    const std::uint32_t step = steps[dimension];
    return dimension == 0 ? box[0] : (box[dimension] + step - 1) / step;
  }
  bool is_im2col() const { return pixels != 0; }
  std::uint64_t rows() const {
    if (is_im2col()) return pixels;
    std::uint64_t n = 1;
    for (std::size_t d = 1; d < rank; ++d) n *= elements(d);
    return n;
  }
  bool has_known_type() const {
    using T = ptx::Type;
    constexpr std::array kTypes{T::u8,  T::u16,  T::u32,  T::s32, T::u64, T::s64,
                                T::f16, T::bf16, T::tf32, T::f32, T::f64};
    return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
  }
  // Any program can write 128 bytes: whether one of the functions can have written
  // these.
  bool is_well_formed() const {
    if (mark != kMark || rank < (is_im2col() ? 3 : 1) || rank > kMaxRank) return false;
    for (std::size_t d = 0; d < rank; ++d)
      if (box[d] < 1 || box[d] > kMaxBox || steps[d] < 1 || steps[d] > kMaxStep) return false;
    return has_known_type() && std::has_single_bit(swizzled_bytes) && swizzled_bytes >= 16 &&
           swizzled_bytes <= 128 && row_bytes() % 16 == 0 && rows() * row_bytes() <= kMaxBoxBytes;
  }
};
static_assert(sizeof(TensorMap) <= TensorMap::kBytes && std::is_trivially_copyable_v<TensorMap>);

}  // namespace heddle::exec
