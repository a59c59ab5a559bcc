// The warp match functions. Clang's intrinsics header includes this file after its own definitions.
#pragma once

#define HEDDLE_MATCH(type, bits, wide)                                                             \
  inline __device__ unsigned int __match_any_sync(unsigned int mask, type value) {                 \
    return __match##bits##_any_sync(mask, static_cast<wide>(value));                               \
  }                                                                                                \
  inline __device__ unsigned int __match_all_sync(unsigned int mask, type value, int* all_equal) { \
    return __match##bits##_all_sync(mask, static_cast<wide>(value), all_equal);                    \
  }
HEDDLE_MATCH(int, 32, unsigned int)
HEDDLE_MATCH(unsigned int, 32, unsigned int)
HEDDLE_MATCH(long, 64, unsigned long long)
HEDDLE_MATCH(unsigned long, 64, unsigned long long)
HEDDLE_MATCH(long long, 64, unsigned long long)
HEDDLE_MATCH(unsigned long long, 64, unsigned long long)
#undef HEDDLE_MATCH

inline __device__ unsigned int __match_any_sync(unsigned int mask, float value) {
  return __match32_any_sync(mask, __float_as_uint(value));
}
inline __device__ unsigned int __match_any_sync(unsigned int mask, double value) {
  return __match64_any_sync(mask, static_cast<unsigned long long>(__double_as_longlong(value)));
}
inline __device__ unsigned int __match_all_sync(unsigned int mask, float value, int* all_equal) {
  return __match32_all_sync(mask, __float_as_uint(value), all_equal);
}
inline __device__ unsigned int __match_all_sync(unsigned int mask, double value, int* all_equal) {
  return __match64_all_sync(mask, static_cast<unsigned long long>(__double_as_longlong(value)),
                            all_equal);
}
inline __device__ void __nanosleep(unsigned int nanoseconds) { __nvvm_nanosleep(nanoseconds); }
