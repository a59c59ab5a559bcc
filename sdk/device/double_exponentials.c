// Exponentials of doubles: 2^n times e^r with |r| at most log(2)/2.
#include "double_cores.h"

// Clamps arguments to those with result 0 or infinity; NaN stays NaN.
INTERNAL double bounded(double x, double limit) {
  return x > limit ? limit : (x < -limit ? -limit : x);
}

DEVICE double __nv_exp(double x) {
  int n;
  const Pair r = reduced(bounded(x, 760.0), 0x1.71547652b82fep+0, 0x1.62e42fefa39efp-1,
                         0x1.abc9e3b39803fp-56, &n);
  return scaled_exp(r, n);
}

DEVICE double __nv_exp2(double x) {
  const double a = bounded(x, 1100.0);
  const double whole = __builtin_rint(a);
  const double rest = a - whole;
  const Pair p = product_of(rest, 0x1.62e42fefa39efp-1);
  return scaled_exp((Pair){p.high, fma_d(rest, 0x1.abc9e3b39803fp-56, p.low)},
                    __nvvm_d2i_rn(whole));
}

DEVICE double __nv_exp10(double x) {
  int n;
  const Pair r = reduced(bounded(x, 330.0), 0x1.a934f0979a371p+1, 0x1.34413509f79ffp-2,
                         -0x1.9dc1da994fd21p-59, &n);
  const Pair p = product_of(r.high, 0x1.26bb1bbb55516p+1);
  return scaled_exp((Pair){p.high, fma_d(r.high, -0x1.f48ad494ea3e9p-53,
                                         fma_d(r.low, 0x1.26bb1bbb55516p+1, p.low))},
                    n);
}

// 2^n (1 + r + tail) - 1; computed as a half, so that the largest results do not overflow.
DEVICE double __nv_expm1(double x) {
  const double a = x > 760.0 ? 760.0 : (x < -60.0 ? -60.0 : x);
  int n;
  const Pair r = reduced(a, 0x1.71547652b82fep+0, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, &n);
  const double tail = fma_d(mul_d(r.high, r.high), exp_tail(r.high), fma_d(r.low, r.high, r.low));
  const double scale = power_of_two(n - 1);
  const Pair power = sum_ordered(scale, mul_d(scale, r.high));
  const Pair s = sum_of(power.high, -0.5);
  const double result = 2.0 * add_d(s.high, fma_d(scale, tail, add_d(s.low, power.low)));
  if (n == 0) return x == 0.0 ? x : add_d(r.high, tail);
  return x > 709.8 ? __builtin_inf() : result;
}

// Half of e^|x| in two doubles, and a quarter of its reciprocal; halved again, so that the
// largest results do not overflow.
DEVICE double __nv_cosh(double x) {
  const double a = __builtin_fabs(x);
  int n;
  const Pair r = reduced(bounded(a, 710.6), 0x1.71547652b82fep+0, 0x1.62e42fefa39efp-1,
                         0x1.abc9e3b39803fp-56, &n);
  const double scale = power_of_two(n - 2);
  const Pair s = sum_ordered(1.0, r.high);
  const double high = mul_d(scale, s.high);
  const double tail = fma_d(mul_d(r.high, r.high), exp_tail(r.high), r.low + s.low);
  const double rest = __nvvm_div_rn_d(0.0625, fma_d(scale, tail, high));
  return 2.0 * add_d(high, fma_d(scale, tail, rest));
}
