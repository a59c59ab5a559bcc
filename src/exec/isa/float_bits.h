// PTX rules for floating-point values beyond IEEE arithmetic: flushing, canonical NaNs, saturation.
#pragma once

#include <type_traits>

#include "exec/isa/lanes.h"

namespace heddle::exec {

inline constexpr std::uint32_t kCanonicalNan =
    0x7fffffff;  // every NaN that single-precision arithmetic produces

// Subnormals become zeros with the same sign.
[[gnu::always_inline]] inline Vector<float> flush(Vector<float> x) {
  const __m256 v = (__m256)x, sign = _mm256_set1_ps(-0.0f);
  const __m256 small =
      _mm256_cmp_ps(_mm256_andnot_ps(sign, v), _mm256_set1_ps(0x1p-126f), _CMP_LT_OQ);
  return (Vector<float>)_mm256_andnot_ps(_mm256_andnot_ps(sign, small), v);
}
inline float flush(float x) {
  return x > -0x1p-126f && x < 0x1p-126f ? __builtin_copysignf(0, x) : x;
}

[[gnu::always_inline]] inline Vector<float> canonical(Vector<float> x) {
  const __m256 v = (__m256)x;
  return (Vector<float>)_mm256_blendv_ps(v, _mm256_castsi256_ps(_mm256_set1_epi32(kCanonicalNan)),
                                         _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
}
inline float canonical(float x) { return x == x ? x : std::bit_cast<float>(kCanonicalNan); }

// Clamps to [0, 1]; NaN and -0 become +0.
[[gnu::always_inline]] inline Vector<float> saturate(Vector<float> x) {
  // maxps returns its second operand when one is a NaN or both are zeros.
  return (Vector<float>)_mm256_min_ps(_mm256_max_ps((__m256)x, _mm256_setzero_ps()),
                                      _mm256_set1_ps(1));
}
inline float saturate(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline double saturate(double x) { return x > 0 ? (x < 1 ? x : 1.0) : 0.0; }

// Arithmetic during the lifetime of this object uses the given rounding. Values must pass through
// `pin` before and after it; otherwise the compiler may move the arithmetic out.
class DirectedRounding {
 public:
  explicit DirectedRounding(ptx::Rounding r) : saved_(_mm_getcsr()) {
    _mm_setcsr((saved_ & ~0x6000u) | bits(r));
  }
  ~DirectedRounding() { _mm_setcsr(saved_); }
  DirectedRounding(const DirectedRounding&) = delete;
  DirectedRounding& operator=(const DirectedRounding&) = delete;

 private:
  static unsigned bits(ptx::Rounding r) {
    switch (r) {
      case ptx::Rounding::rm:
      case ptx::Rounding::rmi: return 0x2000;
      case ptx::Rounding::rp:
      case ptx::Rounding::rpi: return 0x4000;
      case ptx::Rounding::rz:
      case ptx::Rounding::rzi: return 0x6000;
      default: return 0;
    }
  }
  unsigned saved_;
};
template <class T>
[[gnu::always_inline]] inline T pin(T v) {
  if constexpr (std::is_integral_v<T>)
    asm volatile("" : "+r"(v));
  else
    asm volatile("" : "+x"(v));
  return v;
}
inline bool is_directed(ptx::Rounding r) {
  return r == ptx::Rounding::rz || r == ptx::Rounding::rm || r == ptx::Rounding::rp;
}

}  // namespace heddle::exec
