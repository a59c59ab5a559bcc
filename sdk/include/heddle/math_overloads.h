// Functions of CUDA in the global namespace that are not in the C++ standard, for host and device.
#pragma once

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
#define HEDDLE_MIN_MAX(type)                                     \
  HEDDLE_BOTH type min(type a, type b) { return b < a ? b : a; } \
  HEDDLE_BOTH type max(type a, type b) { return a < b ? b : a; }
#define HEDDLE_MIN_MAX_MIXED(a_type, b_type, type)          \
  HEDDLE_BOTH type min(a_type a, b_type b) {                \
    return min(static_cast<type>(a), static_cast<type>(b)); \
  }                                                         \
  HEDDLE_BOTH type max(a_type a, b_type b) {                \
    return max(static_cast<type>(a), static_cast<type>(b)); \
  }
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

// On the host CUDA has these in addition to the C library's.
#define HEDDLE_HOST static __inline__ __host__
HEDDLE_HOST float rsqrtf(float x) { return 1.0f / sqrtf(x); }
HEDDLE_HOST double rsqrt(double x) { return 1.0 / sqrt(x); }
HEDDLE_HOST float rcbrtf(float x) { return 1.0f / cbrtf(x); }
HEDDLE_HOST double rcbrt(double x) { return 1.0 / cbrt(x); }
HEDDLE_HOST double sinpi(double x) { return sin(3.14159265358979323846 * remainder(x, 2.0)); }
HEDDLE_HOST double cospi(double x) { return cos(3.14159265358979323846 * remainder(x, 2.0)); }
HEDDLE_HOST float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
HEDDLE_HOST float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
HEDDLE_HOST double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
HEDDLE_HOST float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
HEDDLE_HOST void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x), *cosine = cospi(x);
}
HEDDLE_HOST void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x), *cosine = cospif(x);
}
HEDDLE_HOST float fdividef(float x, float y) { return x / y; }
#undef HEDDLE_HOST

// Float overloads of functions for doubles, for host and device.
#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
HEDDLE_BOTH float exp10(float x) { return exp10f(x); }
HEDDLE_BOTH float rsqrt(float x) { return rsqrtf(x); }
HEDDLE_BOTH float rcbrt(float x) { return rcbrtf(x); }
HEDDLE_BOTH float sinpi(float x) { return sinpif(x); }
HEDDLE_BOTH float cospi(float x) { return cospif(x); }
HEDDLE_BOTH float normcdf(float x) { return normcdff(x); }
HEDDLE_BOTH void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
HEDDLE_BOTH void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
#undef HEDDLE_BOTH

// Functions of floats that clang's headers declare and NVIDIA's headers define.
#define HEDDLE_FLOAT static __device__ __forceinline__
#define HEDDLE_FLOAT_1(name) \
  HEDDLE_FLOAT float name(float x) { return name##f(x); }
#define HEDDLE_FLOAT_2(name) \
  HEDDLE_FLOAT float name(float x, float y) { return name##f(x, y); }
HEDDLE_FLOAT_1(acosh)
HEDDLE_FLOAT_1(asinh)
HEDDLE_FLOAT_1(atanh)
HEDDLE_FLOAT_1(cbrt)
HEDDLE_FLOAT_1(erf)
HEDDLE_FLOAT_1(erfc)
HEDDLE_FLOAT_1(erfcinv)
HEDDLE_FLOAT_1(erfcx)
HEDDLE_FLOAT_1(erfinv)
HEDDLE_FLOAT_1(normcdfinv)
HEDDLE_FLOAT_1(exp2)
HEDDLE_FLOAT_1(expm1)
HEDDLE_FLOAT_1(lgamma)
HEDDLE_FLOAT_1(log1p)
HEDDLE_FLOAT_1(log2)
HEDDLE_FLOAT_1(logb)
HEDDLE_FLOAT_1(nearbyint)
HEDDLE_FLOAT_1(rint)
HEDDLE_FLOAT_1(round)
HEDDLE_FLOAT_1(tgamma)
HEDDLE_FLOAT_1(trunc)
HEDDLE_FLOAT_2(copysign)
HEDDLE_FLOAT_2(fdim)
HEDDLE_FLOAT_2(hypot)
HEDDLE_FLOAT_2(nextafter)
HEDDLE_FLOAT_2(remainder)
HEDDLE_FLOAT float fma(float x, float y, float z) { return fmaf(x, y, z); }
HEDDLE_FLOAT float fmax(float x, float y) { return fmaxf(x, y); }
HEDDLE_FLOAT float fmin(float x, float y) { return fminf(x, y); }
HEDDLE_FLOAT float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
HEDDLE_FLOAT float scalbn(float x, int n) { return scalbnf(x, n); }
HEDDLE_FLOAT float scalbln(float x, long n) { return scalblnf(x, n); }
HEDDLE_FLOAT int ilogb(float x) { return ilogbf(x); }
HEDDLE_FLOAT long lrint(float x) { return lrintf(x); }
HEDDLE_FLOAT long lround(float x) { return lroundf(x); }
HEDDLE_FLOAT long long llrint(float x) { return llrintf(x); }
HEDDLE_FLOAT long long llround(float x) { return llroundf(x); }
HEDDLE_FLOAT float __tanhf(float x) {
#if __CUDA_ARCH__ >= 750
  float d;
  asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(x));
  return d;
#else
  return tanhf(x);
#endif
}
static __device__ __forceinline__ double nan(const char* tag) {
  return __nv_nan(reinterpret_cast<const signed char*>(tag));
}
#undef HEDDLE_FLOAT_2
#undef HEDDLE_FLOAT_1
#undef HEDDLE_FLOAT
