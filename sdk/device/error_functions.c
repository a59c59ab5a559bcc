// Scaled and inverse error functions, and those of the normal distribution.
#include "double_parts.h"

double __nv_erf(double);
double __nv_erfc(double);
double __nv_exp(double);
double __nv_log(double);
double __nv_log1p(double);
double __nv_sqrt(double);

#define kTwoOverRootPi 0x1.20dd750429b6dp+0

// exp(x^2), with the rounding error of the square.
INTERNAL double exp_of_square(double x) {
  const Pair s = product_of(x, x);
  const double e = __nv_exp(s.high);
  return e > 0x1.fffffffffffffp+1023 ? e : fma_d(e, s.low, e);
}

// (1 + 2x) erfcx(x) is smooth in (x - 4) / (x + 4).
DEVICE double __nv_erfcx(double x) {
  const double a = __builtin_fabs(x);
  const double d = a + 4.0;
  const double q = __nvvm_div_rn_d(a - 4.0, d);
  const double t = a > 0x1p60 ? 1.0 : q;
  double p = fma_d(0x1.9f1f896456596p-30, t, -0x1.e003d7f1a945ap-28);
  p = fma_d(p, t, -0x1.1358346d45a71p-26);
  p = fma_d(p, t, 0x1.8f1154abb20b9p-24);
  p = fma_d(p, t, 0x1.2e250483abbd3p-24);
  p = fma_d(p, t, -0x1.ae898c6d97116p-21);
  p = fma_d(p, t, 0x1.4120cdbe599bdp-22);
  p = fma_d(p, t, 0x1.7dcfd8ebe2958p-18);
  p = fma_d(p, t, -0x1.78ae538543ed9p-17);
  p = fma_d(p, t, -0x1.9928762ca5659p-16);
  p = fma_d(p, t, 0x1.3be1671449766p-13);
  p = fma_d(p, t, -0x1.a1e16d4141d98p-13);
  p = fma_d(p, t, -0x1.8d4aaf873c18fp-11);
  p = fma_d(p, t, 0x1.49c676ed770e3p-8);
  p = fma_d(p, t, -0x1.0962386561b1dp-6);
  p = fma_d(p, t, 0x1.3079ede1a7833p-5);
  p = fma_d(p, t, -0x1.0fb06dff243cep-4);
  p = fma_d(p, t, 0x1.7fee004eee65fp-4);
  p = fma_d(p, t, -0x1.9ddb23c3dcd51p-4);
  p = fma_d(p, t, 0x1.16ecefcf9cd69p-4);
  p = fma_d(p, t, 0x1.f7f5df66fb580p-7);
  p = fma_d(p, t, -0x1.1df1ad154a1cdp-3);
  p = fma_d(p, t, 0x1.3ba5916e9fd7fp+0);
  const double near = __nvvm_div_rn_d(p, fma_d(2.0, a, 1.0));
  const double value = a > 0x1p60 ? __nvvm_div_rn_d(0.5 * kTwoOverRootPi, a) : near;
  if (x < -27.0) return __builtin_inf();
  if (a < 1.5) return exp_of_square(x) * __nv_erfc(x);
  return x < 0.0 ? fma_d(2.0, exp_of_square(x), -value) : value;
}

// A first approximation of the inverse from w = -log(erfc(y) (2 - erfc(y))), good to five digits.
INTERNAL double guess_near(double w) {
  double p = fma_d(0x1.529ce651a3b51p-22, w, -0x1.2414d6ce75857p-17);
  p = fma_d(p, w, 0x1.64e3f0cc420f0p-14);
  p = fma_d(p, w, -0x1.a909c338725d8p-13);
  p = fma_d(p, w, -0x1.27d1aace409dap-9);
  p = fma_d(p, w, 0x1.7923bd3955c45p-7);
  p = fma_d(p, w, 0x1.db2e005d686fep-3);
  p = fma_d(p, w, 0x1.c5bf813cf4218p-1);
  return p;
}
// The same for the small values of erfc, from v = sqrt(-log(erfc(y))).
INTERNAL double guess_far(double v) {
  const double u = __nvvm_div_rn_d(1.0, v);
  double p = fma_d(-0x1.b99025525ec50p+1, u, 0x1.907b693510e66p+3);
  p = fma_d(p, u, -0x1.3603fbae3daeap+4);
  p = fma_d(p, u, 0x1.0ed03ac8bb549p+4);
  p = fma_d(p, u, -0x1.31d1b9440ba7fp+3);
  p = fma_d(p, u, 0x1.06c4333c097dep+2);
  p = fma_d(p, u, -0x1.83170b5e42681p+0);
  p = fma_d(p, u, -0x1.de32ef1fc9be5p-6);
  p = fma_d(p, u, 0x1.00145e6737ab3p+0);
  return p * v;
}

// One step of Halley's method from the error of the equation over the derivative of erf.
INTERNAL double step(double y, double change) {
  return y + __nvvm_div_rn_d(change, fma_d(y, -change, 1.0));
}
INTERNAL double over_derivative(double error, double y) {
  return error * __nvvm_div_rn_d(__nv_exp(y * y), kTwoOverRootPi);
}

// y >= 0 with erfc(y) = q, for q from 0 to 1/2. The smallest values are compared after division by
// exp(-y^2).
INTERNAL double error_of_small(double y, double q) {
  if (q > 0x1p-600) return over_derivative(__nv_erfc(y) - q, y);
  const double root = __nv_exp(0.5 * y * y);
  return __nvvm_div_rn_d(__nv_erfcx(y) - q * root * root, kTwoOverRootPi);
}
INTERNAL double inverse_of_small(double q) {
  const double y = q < 0.1875 ? guess_far(__nv_sqrt(-__nv_log(q)))
                              : (1.0 - q) * guess_near(-__nv_log(q * (2.0 - q)));
  const double again = step(y, error_of_small(y, q));
  return step(again, error_of_small(again, q));
}
// y with erf(y) = x, for |x| up to 1/2.
INTERNAL double inverse_of_central(double x) {
  const double y = x * guess_near(-__nv_log1p(-x * x));
  const double again = step(y, over_derivative(x - __nv_erf(y), y));
  return x == 0.0 ? x : again;
}

DEVICE double __nv_erfinv(double x) {
  const double a = __builtin_fabs(x);
  if (a <= 0.5) return inverse_of_central(x);
  if (!(a < 1.0)) return a == 1.0 ? x * __builtin_inf() : __builtin_nan("");
  const double y = inverse_of_small(1.0 - a);
  return x < 0.0 ? -y : y;
}
DEVICE double __nv_erfcinv(double q) {
  if (!(q >= 0.0 && q <= 2.0)) return __builtin_nan("");
  if (q >= 0.5 && q <= 1.5) return inverse_of_central(1.0 - q);
  if (q == 0.0 || q == 2.0) return q == 0.0 ? __builtin_inf() : -__builtin_inf();
  return q < 0.5 ? inverse_of_small(q) : -inverse_of_small(2.0 - q);
}
DEVICE double __nv_normcdfinv(double p) {
  return mul_d(__nv_erfcinv(2.0 * p), -0x1.6a09e667f3bcdp+0);
}
DEVICE float __nv_erfcxf(float x) { return (float)__nv_erfcx((double)x); }
DEVICE float __nv_erfinvf(float x) { return (float)__nv_erfinv((double)x); }
DEVICE float __nv_erfcinvf(float x) { return (float)__nv_erfcinv((double)x); }
DEVICE float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv((double)x); }

// The rounding error of x / sqrt(2) is corrected: for large |x| the result amplifies it.
DEVICE double __nv_normcdf(double x) {
  const double b = x > 40.0 ? 40.0 : (x < -40.0 ? -40.0 : x);
  const double a = mul_d(b, -0x1.6a09e667f3bcdp-1);
  const double a_low = fma_d(b, -0x1.6a09e667f3bcdp-1, -a) + b * 0x1.bdd3413b26456p-55;
  const double value = __nv_erfc(a);
  return 0.5 * fma_d(-kTwoOverRootPi * a_low, __nv_exp(-a * a), value);
}
DEVICE float __nv_normcdff(float x) { return (float)__nv_normcdf((double)x); }
