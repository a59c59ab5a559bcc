// Functions composed of others.
#include "double_parts.h"

double __nv_sinpi(double);
double __nv_cospi(double);
double __nv_cbrt(double);
double __nv_erfc(double);
double __nv_sqrt(double);
double __nv_cosh(double);
double __nv_tgamma(double);
float __nv_sinpif(float);
float __nv_cospif(float);

DEVICE void __nv_sincospi(double x, double* sine, double* cosine) {
  *sine = __nv_sinpi(x);
  *cosine = __nv_cospi(x);
}
DEVICE void __nv_sincospif(float x, float* sine, float* cosine) {
  *sine = __nv_sinpif(x);
  *cosine = __nv_cospif(x);
}
DEVICE float __nv_rcbrtf(float x) { return (float)(1.0 / __nv_cbrt((double)x)); }

// Lengths of floats are computed in double, where no square overflows.
DEVICE float __nv_rhypotf(float a, float b) {
  if (__builtin_isinf(a) || __builtin_isinf(b)) return 0.0f;
  return (float)(1.0 / __nv_sqrt((double)a * a + (double)b * b));
}
DEVICE float __nv_norm3df(float a, float b, float c) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c)) return __builtin_inff();
  return (float)__nv_sqrt((double)a * a + (double)b * b + (double)c * c);
}
DEVICE float __nv_norm4df(float a, float b, float c, float d) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d))
    return __builtin_inff();
  return (float)__nv_sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d);
}
DEVICE float __nv_rnorm3df(float a, float b, float c) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c)) return 0.0f;
  return (float)(1.0 / __nv_sqrt((double)a * a + (double)b * b + (double)c * c));
}
DEVICE float __nv_rnorm4df(float a, float b, float c, float d) {
  if (__builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d))
    return 0.0f;
  return (float)(1.0 / __nv_sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d));
}
DEVICE float __nv_normf(int n, const float* v) {
  double sum = 0.0;
  int infinite = 0;
  for (int i = 0; i < n; ++i) {
    infinite |= __builtin_isinf(v[i]);
    sum += (double)v[i] * v[i];
  }
  return infinite ? __builtin_inff() : (float)__nv_sqrt(sum);
}
DEVICE float __nv_rnormf(int n, const float* v) {
  double sum = 0.0;
  int infinite = 0;
  for (int i = 0; i < n; ++i) {
    infinite |= __builtin_isinf(v[i]);
    sum += (double)v[i] * v[i];
  }
  return infinite ? 0.0f : (float)(1.0 / __nv_sqrt(sum));
}
// libclc's float versions lose small results or exceed CUDA's bounds; its double versions do not.
DEVICE float __nv_erfcf(float x) { return (float)__nv_erfc((double)x); }
DEVICE float __nv_coshf(float x) { return (float)__nv_cosh((double)x); }
DEVICE float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }

// Scaling by powers of two, rounded once. Steps down keep a margin, so that only the last can lose
// digits.
DEVICE double __nv_ldexp(double x, int n) {
  double y = x;
  int left = n < -2200 ? -2200 : (n > 2200 ? 2200 : n);
  for (int i = 0; i < 2; ++i) {
    const int step = left > 1023 ? 1023 : (left < -1022 ? -969 : 0);
    y *= power_of_two(step);
    left -= step;
  }
  return y * power_of_two(left > 1023 ? 1023 : (left < -1022 ? -1022 : left));
}
DEVICE float __nv_ldexpf(float x, int n) {
  return (float)((double)x * power_of_two(n < -400 ? -400 : (n > 400 ? 400 : n)));
}
DEVICE double __nv_scalbn(double x, int n) { return __nv_ldexp(x, n); }
DEVICE float __nv_scalbnf(float x, int n) { return __nv_ldexpf(x, n); }
