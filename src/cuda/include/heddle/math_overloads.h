// Functions without a C++ standard name that CUDA offers in the global namespace, on both sides.
#pragma once

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MIN_MAX(type)                                       \
  HEDDLE_BOTH type min(type a, type b) { return b < a ? b : a; }   \
  HEDDLE_BOTH type max(type a, type b) { return a < b ? b : a; }
#define HEDDLE_MIN_MAX_MIXED(a_type, b_type, type)                                                                 \
  HEDDLE_BOTH type min(a_type a, b_type b) { return min(static_cast<type>(a), static_cast<type>(b)); }             \
  HEDDLE_BOTH type max(a_type a, b_type b) { return max(static_cast<type>(a), static_cast<type>(b)); }
static __inline__ __host__ int min(int a, int b) { return b < a ? b : a; }
static __inline__ __host__ int max(int a, int b) { return a < b ? b : a; }
HEDDLE_MIN_MAX(unsigned int)
HEDDLE_MIN_MAX(long)
HEDDLE_MIN_MAX(unsigned long)
HEDDLE_MIN_MAX(long long)
HEDDLE_MIN_MAX(unsigned long long)
HEDDLE_MIN_MAX_MIXED(int, unsigned int, unsigned int)
HEDDLE_MIN_MAX_MIXED(unsigned int, int, unsigned int)
HEDDLE_MIN_MAX_MIXED(long, unsigned long, unsigned long)
HEDDLE_MIN_MAX_MIXED(unsigned long, long, unsigned long)
HEDDLE_MIN_MAX_MIXED(long long, unsigned long long, unsigned long long)
HEDDLE_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
HEDDLE_BOTH float min(float a, float b) { return fminf(a, b); }
HEDDLE_BOTH float max(float a, float b) { return fmaxf(a, b); }
HEDDLE_BOTH double min(double a, double b) { return fmin(a, b); }
HEDDLE_BOTH double max(double a, double b) { return fmax(a, b); }
HEDDLE_MIN_MAX_MIXED(float, double, double)
HEDDLE_MIN_MAX_MIXED(double, float, double)
#undef HEDDLE_MIN_MAX_MIXED
#undef HEDDLE_MIN_MAX
#undef HEDDLE_BOTH
