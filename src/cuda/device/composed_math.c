// Functions composed of others.
#include "device.h"

double __nv_sin(double);
double __nv_cos(double);
double __nv_sinpi(double);
double __nv_cospi(double);
double __nv_cbrt(double);
double __nv_erfc(double);
double __nv_sqrt(double);
double __nv_cosh(double);
double __nv_tgamma(double);
double __nv_hypot(double, double);
float __nv_sinpif(float);
float __nv_cospif(float);

DEVICE void __nv_sincos(double x, double* sine, double* cosine) {
  *sine = __nv_sin(x);
  *cosine = __nv_cos(x);
}
DEVICE void __nv_sincospi(double x, double* sine, double* cosine) {
  *sine = __nv_sinpi(x);
  *cosine = __nv_cospi(x);
}
DEVICE void __nv_sincospif(float x, float* sine, float* cosine) {
  *sine = __nv_sinpif(x);
  *cosine = __nv_cospif(x);
}
DEVICE double __nv_rcbrt(double x) { return 1.0 / __nv_cbrt(x); }
DEVICE float __nv_rcbrtf(float x) { return (float)(1.0 / __nv_cbrt((double)x)); }

// Float lengths are taken in double, where no square overflows.
DEVICE float __nv_rhypotf(float a, float b) {
  if (__builtin_isinf(a) || __builtin_isinf(b)) return 0.0f;
  return (float)(1.0 / __nv_sqrt((double)a * a + (double)b * b));
}
DEVICE double __nv_rhypot(double a, double b) { return 1.0 / __nv_hypot(a, b); }
DEVICE float __nv_norm3df(float a, float b, float c) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c)) return __builtin_inff();
  return (float)__nv_sqrt((double)a * a + (double)b * b + (double)c * c);
}
DEVICE float __nv_norm4df(float a, float b, float c, float d) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d)) return __builtin_inff();
  return (float)__nv_sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d);
}
DEVICE float __nv_rnorm3df(float a, float b, float c) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c)) return 0.0f;
  return (float)(1.0 / __nv_sqrt((double)a * a + (double)b * b + (double)c * c));
}
DEVICE float __nv_rnorm4df(float a, float b, float c, float d) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d)) return 0.0f;
  return (float)(1.0 / __nv_sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d));
}
DEVICE double __nv_norm3d(double a, double b, double c) { return __nv_hypot(__nv_hypot(a, b), c); }
DEVICE double __nv_norm4d(double a, double b, double c, double d) { return __nv_hypot(__nv_hypot(a, b), __nv_hypot(c, d)); }
DEVICE double __nv_rnorm3d(double a, double b, double c) { return 1.0 / __nv_norm3d(a, b, c); }
DEVICE double __nv_rnorm4d(double a, double b, double c, double d) { return 1.0 / __nv_norm4d(a, b, c, d); }

DEVICE double __nv_normcdf(double x) { return 0.5 * __nv_erfc(x * -0.70710678118654752440); }
DEVICE float __nv_normcdff(float x) { return (float)(0.5 * __nv_erfc((double)x * -0.70710678118654752440)); }

// libclc's float versions lose small results or exceed CUDA's bounds; its double versions do not.
DEVICE float __nv_erfcf(float x) { return (float)__nv_erfc((double)x); }
DEVICE float __nv_coshf(float x) { return (float)__nv_cosh((double)x); }
DEVICE float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
