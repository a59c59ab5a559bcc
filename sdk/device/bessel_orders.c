// Bessel functions of any order n >= 0, by their recurrence 2n/x B(n) = B(n-1) + B(n+1): upwards
// where it is stable (the second kind, and the first up to n = x), downwards from an order where
// the function is negligible, scaled by J(0) + 2 J(2) + 2 J(4) + ... = 1.
#include "bessel.h"

double __nv_j0(double);
double __nv_j1(double);
double __nv_y0(double);
double __nv_y1(double);

INTERNAL double upwards(int n, double x, double before, double value) {
  for (int k = 1; k < n && value > -__builtin_inf(); ++k) {
    const double next = 2.0 * k / x * value - before;
    before = value;
    value = next;
  }
  return value;
}

INTERNAL double downwards(int n, double x) {
  const int start = (n + 24 + (int)__nv_sqrt(60.0 * n)) / 2 * 2;
  double above = 0.0, value = 0x1p-900, sum = 0.0, wanted = 0.0;
  for (int k = start; k > 0; --k) {
    if (k == n) wanted = value;
    if (k % 2 == 0) sum += 2.0 * value;
    const double below = 2.0 * k / x * value - above;
    above = value;
    value = below;
    if (__builtin_fabs(value) < 0x1p900) continue;
    above *= 0x1p-900, value *= 0x1p-900, sum *= 0x1p-900, wanted *= 0x1p-900;
  }
  return wanted / (sum + value);
}

// The first term of the series, (x/2)^n / n!.
INTERNAL double near_zero(int n, double x) {
  double value = 1.0;
  for (int k = 1; k <= n && value > 0.0; ++k) value *= 0.5 * x / k;
  return value;
}

INTERNAL double jn_of(int n, double x) {
  if (n < 0 || x != x) return __builtin_nan("");
  if (n == 0) return __nv_j0(x);
  if (n == 1) return __nv_j1(x);
  const double a = __builtin_fabs(x), sign = n % 2 && x < 0.0 ? -1.0 : 1.0;
  if (__builtin_isinf(a)) return 0.0;
  if (a < 0x1p-27) return sign * near_zero(n, a);
  return sign * (a > n ? upwards(n, a, __nv_j0(a), __nv_j1(a)) : downwards(n, a));
}
INTERNAL double yn_of(int n, double x) {
  if (n < 0) return __builtin_nan("");
  if (n == 0) return __nv_y0(x);
  if (n == 1 || !(x > 0.0) || __builtin_isinf(x)) return __nv_y1(x);
  return upwards(n, x, __nv_y0(x), __nv_y1(x));
}

DEVICE double __nv_jn(int n, double x) { return jn_of(n, x); }
DEVICE float __nv_jnf(int n, float x) { return (float)jn_of(n, x); }
DEVICE double __nv_yn(int n, double x) { return yn_of(n, x); }
DEVICE float __nv_ynf(int n, float x) { return (float)yn_of(n, x); }
