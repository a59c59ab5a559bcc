// Rounding, comparison and classification, square roots, and the approximate functions of
// __sinf and -use_fast_math.
#include "device.h"

DEVICE float __nv_fabsf(float x) { return __builtin_fabsf(x); }
DEVICE double __nv_fabs(double x) { return __builtin_fabs(x); }
DEVICE float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
DEVICE float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
DEVICE double __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
DEVICE double __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
DEVICE float __nv_floorf(float x) { return __builtin_floorf(x); }
DEVICE double __nv_floor(double x) { return __builtin_floor(x); }
DEVICE float __nv_ceilf(float x) { return __builtin_ceilf(x); }
DEVICE double __nv_ceil(double x) { return __builtin_ceil(x); }
DEVICE float __nv_truncf(float x) { return __builtin_truncf(x); }
DEVICE double __nv_trunc(double x) { return __builtin_trunc(x); }
DEVICE float __nv_rintf(float x) { return __builtin_rintf(x); }
DEVICE double __nv_rint(double x) { return __builtin_rint(x); }
DEVICE float __nv_nearbyintf(float x) { return __builtin_rintf(x); }
DEVICE double __nv_nearbyint(double x) { return __builtin_rint(x); }
DEVICE float __nv_copysignf(float x, float sign) {
  return float_of((bits_of(x) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}
DEVICE double __nv_copysign(double x, double sign) {
  return double_of((bits_of_double(x) & ~(1ull << 63)) | (bits_of_double(sign) & (1ull << 63)));
}

// Halfway cases round away from zero. The largest number below one half is added, because adding
// one half could round up to the next integer.
DEVICE float __nv_roundf(float x) {
  return __builtin_truncf(x + __nv_copysignf(0x1.fffffep-2f, x));
}
DEVICE double __nv_round(double x) {
  return __builtin_trunc(x + __nv_copysign(0x1.fffffffffffffp-2, x));
}
DEVICE int64 __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
DEVICE int64 __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
DEVICE int64 __nv_llroundf(float x) { return __nvvm_f2ll_rz(__nv_roundf(x)); }
DEVICE int64 __nv_llround(double x) { return __nvvm_d2ll_rz(__nv_round(x)); }
DEVICE float __nv_modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  const float rest = __builtin_isinf(x) ? 0.0f : x - *whole;
  return __nv_copysignf(rest, x);
}
DEVICE double __nv_modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  const double rest = __builtin_isinf(x) ? 0.0 : x - *whole;
  return __nv_copysign(rest, x);
}

DEVICE int __nv_isnanf(float x) { return x != x; }
DEVICE int __nv_isnand(double x) { return x != x; }
DEVICE int __nv_isinff(float x) { return (bits_of(x) & 0x7fffffffu) == 0x7f800000u; }
DEVICE int __nv_isinfd(double x) { return (bits_of_double(x) << 1) == 0xffe0000000000000ull; }
DEVICE int __nv_finitef(float x) { return (bits_of(x) & 0x7f800000u) != 0x7f800000u; }
DEVICE int __nv_isfinited(double x) {
  return (bits_of_double(x) & 0x7ff0000000000000ull) != 0x7ff0000000000000ull;
}
DEVICE int __nv_signbitf(float x) { return (int)(bits_of(x) >> 31); }
DEVICE int __nv_signbitd(double x) { return (int)(bits_of_double(x) >> 63); }
DEVICE float __nv_nanf(const signed char* tag) { return float_of(0x7fffffffu); }
DEVICE double __nv_nan(const signed char* tag) { return double_of(0x7fffffffffffffffull); }

DEVICE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
// Compiled to sqrt.rn or sqrt.approx, depending on the program's flags.
DEVICE float __nv_sqrtf(float x) { return __builtin_sqrtf(x); }
DEVICE double __nv_sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
DEVICE float __nv_rsqrtf(float x) {
  return FLUSHES ? __nvvm_rsqrt_approx_ftz_f(x) : __nvvm_rsqrt_approx_f(x);
}
DEVICE double __nv_rcp64h(double x) { return __nvvm_rcp_approx_ftz_d(x); }

INTERNAL float approximate_exp2(float x) {
  return FLUSHES ? __nvvm_ex2_approx_ftz_f(x) : __nvvm_ex2_approx_f(x);
}
INTERNAL float approximate_log2(float x) {
  return FLUSHES ? __nvvm_lg2_approx_ftz_f(x) : __nvvm_lg2_approx_f(x);
}
INTERNAL float approximate_div(float a, float b) {
  return FLUSHES ? __nvvm_div_approx_ftz_f(a, b) : __nvvm_div_approx_f(a, b);
}

DEVICE float __nv_fast_sinf(float x) {
  return FLUSHES ? __nvvm_sin_approx_ftz_f(x) : __nvvm_sin_approx_f(x);
}
DEVICE float __nv_fast_cosf(float x) {
  return FLUSHES ? __nvvm_cos_approx_ftz_f(x) : __nvvm_cos_approx_f(x);
}
DEVICE void __nv_fast_sincosf(float x, float* sine, float* cosine) {
  *sine = __nv_fast_sinf(x);
  *cosine = __nv_fast_cosf(x);
}
DEVICE float __nv_fast_tanf(float x) {
  return approximate_div(__nv_fast_sinf(x), __nv_fast_cosf(x));
}
DEVICE float __nv_fast_expf(float x) { return approximate_exp2(x * 1.4426950408889634f); }
DEVICE float __nv_fast_exp10f(float x) { return approximate_exp2(x * 3.3219280948873624f); }
DEVICE float __nv_fast_logf(float x) { return approximate_log2(x) * 0.6931471805599453f; }
DEVICE float __nv_fast_log2f(float x) { return approximate_log2(x); }
DEVICE float __nv_fast_log10f(float x) { return approximate_log2(x) * 0.3010299956639812f; }
DEVICE float __nv_fast_powf(float x, float y) { return approximate_exp2(y * approximate_log2(x)); }
DEVICE float __nv_fast_fdividef(float a, float b) { return approximate_div(a, b); }
