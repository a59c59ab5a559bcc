// Where the lanes of a shuffle read from.
#pragma once

#include "exec/isa/lanes.h"

namespace heddle::exec {

// Eight lanes of a row, or of an operand.
inline __m256i load_lanes(const Lane<std::uint32_t>* row, int part) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(row) + part);
}

// Where a shuffle reads from: for each of eight lanes its source, and all ones where that is in
// range.
struct ShuffleSource {
  __m256i from, inside;
};
template <ptx::ShflMode kMode>
[[gnu::always_inline]] inline ShuffleSource shuffle_source(__m256i lane, __m256i b, __m256i c) {
  const __m256i last = _mm256_set1_epi32(31), offset = _mm256_and_si256(b, last),
                clamp = _mm256_and_si256(c, last),
                segment = _mm256_and_si256(_mm256_srli_epi32(c, 8), last),
                least = _mm256_and_si256(lane, segment),
                most = _mm256_or_si256(least, _mm256_andnot_si256(segment, clamp));
  __m256i from = lane, outside;
  switch (kMode) {
    case ptx::ShflMode::up: from = _mm256_sub_epi32(lane, offset); break;
    case ptx::ShflMode::down: from = _mm256_add_epi32(lane, offset); break;
    case ptx::ShflMode::bfly: from = _mm256_xor_si256(lane, offset); break;
    case ptx::ShflMode::idx:
      from = _mm256_or_si256(least, _mm256_andnot_si256(segment, offset));
      break;
  }
  if constexpr (kMode == ptx::ShflMode::up)
    outside = _mm256_cmpgt_epi32(most, from);
  else
    outside = _mm256_cmpgt_epi32(from, most);
  return {_mm256_blendv_epi8(from, lane, outside),
          _mm256_xor_si256(outside, _mm256_set1_epi32(-1))};
}

// Lane by lane the value of `a` in the lane that b and c name. Returns the lanes whose source is in
// range. A source that does not execute the shuffle is undefined in PTX. Programs that are correct
// on hardware use such lanes and rely on zeros (the reduction of CUDA's samples).
template <ptx::ShflMode kMode>
std::uint32_t shuffle_lanes(const Lane<std::uint32_t>* a, const Lane<std::uint32_t>* b,
                            const Lane<std::uint32_t>* c, std::uint32_t executing,
                            std::uint32_t* result) {
  std::uint32_t in_range = 0;
  __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (int part = 0; part < 4; ++part) {
    const auto [from, inside] =
        shuffle_source<kMode>(lane, load_lanes(b, part), load_lanes(c, part));
    const __m256i executes =
        _mm256_srai_epi32(_mm256_sllv_epi32(_mm256_set1_epi32(static_cast<int>(executing)),
                                            _mm256_sub_epi32(_mm256_set1_epi32(31), from)),
                          31);
    const __m256i read = _mm256_i32gather_epi32(reinterpret_cast<const int*>(a), from, 4);
    const __m256i zero = _mm256_andnot_si256(executes, inside);
    _mm256_store_si256(reinterpret_cast<__m256i*>(result) + part, _mm256_andnot_si256(zero, read));
    in_range |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(inside)))
                << (8 * part);
    lane = _mm256_add_epi32(lane, _mm256_set1_epi32(8));
  }
  return in_range;
}

}  // namespace heddle::exec
