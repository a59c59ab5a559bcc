// Functions composed of others.
#include "device.h"

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
// The length of a vector in memory, scaled by its largest element so that no square leaves the range.
DEVICE double __nv_norm(int n, const double* v) {
  double largest = 0.0;
  int infinite = 0;
  for (int i = 0; i < n; ++i) {
    infinite |= __builtin_isinf(v[i]);
    largest = __builtin_fmax(largest, __builtin_fabs(v[i]));
  }
  if (infinite) return __builtin_inf();
  const double down = largest > 1.0 ? 0x1p-540 : 0x1p540;
  const int scaled = largest > 0x1p500 || largest < 0x1p-450;
  double sum = 0.0, lost = 0.0;
  for (int i = 0; i < n; ++i) {
    const double x = scaled ? v[i] * down : v[i];
    const double square = __nvvm_mul_rn_d(x, x);
    const double next = __nvvm_add_rn_d(sum, square);
    lost += __builtin_fma(x, x, -square) + (square > sum ? __nvvm_add_rn_d(sum, -__nvvm_add_rn_d(next, -square))
                                                        : __nvvm_add_rn_d(square, -__nvvm_add_rn_d(next, -sum)));
    sum = next;
  }
  const double length = __nv_sqrt(sum + lost);
  return scaled ? length * (largest > 1.0 ? 0x1p540 : 0x1p-540) : length;
}
DEVICE double __nv_rnorm(int n, const double* v) { return 1.0 / __nv_norm(n, v); }
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
// Three and four of them go the same way; chained hypotenuses would round too often.
DEVICE double __nv_norm3d(double a, double b, double c) {
  const double v[3] = {a, b, c};
  return __nv_norm(3, v);
}
DEVICE double __nv_norm4d(double a, double b, double c, double d) {
  const double v[4] = {a, b, c, d};
  return __nv_norm(4, v);
}
DEVICE double __nv_rnorm3d(double a, double b, double c) { return 1.0 / __nv_norm3d(a, b, c); }
DEVICE double __nv_rnorm4d(double a, double b, double c, double d) { return 1.0 / __nv_norm4d(a, b, c, d); }

// libclc's float versions lose small results or exceed CUDA's bounds; its double versions do not.
DEVICE float __nv_erfcf(float x) { return (float)__nv_erfc((double)x); }
DEVICE float __nv_coshf(float x) { return (float)__nv_cosh((double)x); }
DEVICE float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
