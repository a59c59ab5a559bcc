// Lengths of vectors of doubles, and reciprocal roots. Squares are added in two doubles and scaled,
// so that none overflows.
#include "double_parts.h"

double __nv_cbrt(double);

typedef struct {
  Pair sum;
  double scale;
  int infinite;
} Squares;

INTERNAL Squares squares_of(int n, const double* v) {
  double largest = 0.0;
  Squares result = {{0.0, 0.0}, 1.0, 0};
  for (int i = 0; i < n; ++i) {
    result.infinite |= __builtin_isinf(v[i]);
    largest = __builtin_fmax(largest, __builtin_fabs(v[i]));
  }
  if (largest > 0x1p500) result.scale = 0x1p-540;
  if (largest < 0x1p-450) result.scale = 0x1p540;
  for (int i = 0; i < n; ++i) {
    const Pair square = product_of(v[i] * result.scale, v[i] * result.scale);
    const Pair sum = sum_of(result.sum.high, square.high);
    result.sum = (Pair){sum.high, result.sum.low + (sum.low + square.low)};
  }
  return result;
}

// 1 / sqrt(x.high + x.low): the quotient, and one correction from 1 - x y^2.
INTERNAL double reciprocal_root(Pair x) {
  const double y = __nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(x.high));
  const Pair p = product_of(x.high, y);
  const double left = fma_d(-p.high, y, 1.0) - (p.low + x.low * y) * y;
  return y == 0.0 || __builtin_isinf(y) ? y : fma_d(0.5 * y, left, y);
}

DEVICE double __nv_rsqrt(double x) { return reciprocal_root((Pair){x, 0.0}); }

DEVICE double __nv_rcbrt(double x) {
  const double a = __builtin_fabs(x);
  const double scale = a < 0x1p-1000 ? 0x1p54 : (a > 0x1p1000 ? 0x1p-54 : 1.0);
  const double root = a < 0x1p-1000 ? 0x1p18 : (a > 0x1p1000 ? 0x1p-18 : 1.0);
  const double b = x * scale;
  const double y = __nvvm_rcp_rn_d(__nv_cbrt(b));
  const Pair square = product_of(y, y);
  const Pair cube = product_of(square.high, y);
  const double left = fma_d(-b, cube.high, 1.0) - b * fma_d(square.low, y, cube.low);
  if (y == 0.0 || __builtin_isinf(y)) return y;
  return fma_d(y * 0x1.5555555555555p-2, left, y) * root;
}

DEVICE double __nv_norm(int n, const double* v) {
  const Squares s = squares_of(n, v);
  if (s.infinite) return __builtin_inf();
  const double length = __nvvm_sqrt_rn_d(s.sum.high + s.sum.low);
  return s.scale == 1.0 ? length : length * (s.scale < 1.0 ? 0x1p540 : 0x1p-540);
}
DEVICE double __nv_rnorm(int n, const double* v) {
  const Squares s = squares_of(n, v);
  return s.infinite ? 0.0 : reciprocal_root(s.sum) * s.scale;
}
DEVICE double __nv_norm3d(double a, double b, double c) {
  return __nv_norm(3, (const double[3]){a, b, c});
}
DEVICE double __nv_norm4d(double a, double b, double c, double d) {
  return __nv_norm(4, (const double[4]){a, b, c, d});
}
DEVICE double __nv_rhypot(double a, double b) { return __nv_rnorm(2, (const double[2]){a, b}); }
DEVICE double __nv_rnorm3d(double a, double b, double c) {
  return __nv_rnorm(3, (const double[3]){a, b, c});
}
DEVICE double __nv_rnorm4d(double a, double b, double c, double d) {
  return __nv_rnorm(4, (const double[4]){a, b, c, d});
}
