// The logarithm and the exponential of doubles before rounding, for functions that use them.
#pragma once

#include "double_parts.h"

// log(1 + f + f_low) with 1 + f between the roots of 1/2 and 2, from the series in s = f / (2 + f).
INTERNAL Pair log_near_one(double f, double f_low) {
  const Pair d = sum_ordered(2.0, f);
  const double s = __nvvm_div_rn_d(f, d.high);
  const double rest = fma_d(-s, d.high, f) - s * d.low;  // the error of s * (2 + f)
  const double z = mul_d(s, s);
  double p = fma_d(0x1.2b6076a3c6807p-3, z, 0x1.39fdaa65eab75p-3);
  p = fma_d(p, z, 0x1.7462ba9ab099cp-3);
  p = fma_d(p, z, 0x1.c71c62ceab108p-3);
  p = fma_d(p, z, 0x1.2492492e051fcp-2);
  p = fma_d(p, z, 0x1.9999999995218p-2);
  p = fma_d(p, z, 0x1.5555555555558p-1);
  const double correction = fma_d(-f_low, f * __nvvm_rcp_approx_ftz_d(1.0 + f), f_low);
  const double low =
      fma_d(mul_d(s, z), p, fma_d(2.0 * rest, __nvvm_rcp_approx_ftz_d(d.high), correction));
  return sum_ordered(add_d(s, s), low);
}

// x = 2^e * (1 + f).
INTERNAL double split(double x, double* f) {
  const int subnormal = x < 0x1p-1022;
  const double a = subnormal ? x * 0x1p54 : x;
  const int high = (int)((bits_of_double(a) >> 32) - 0x3fe6a09eu) >> 20;
  *f = add_d(double_of(bits_of_double(a) - ((uint64)(uint)high << 52)), -1.0);
  return (double)(high - (subnormal ? 54 : 0));
}

INTERNAL Pair times(Pair a, double high, double low) {
  const Pair p = product_of(a.high, high);
  return (Pair){p.high, fma_d(a.high, low, fma_d(a.low, high, p.low))};
}

// (e^r - 1 - r) / r^2
INTERNAL double exp_tail(double r) {
  double p = fma_d(0x1.1f8b95345c29ap-29, r, 0x1.af4e56d3373b2p-26);
  p = fma_d(p, r, 0x1.27e4cca2d4ee8p-22);
  p = fma_d(p, r, 0x1.71de01fce71cfp-19);
  p = fma_d(p, r, 0x1.a01a01ad0ca59p-16);
  p = fma_d(p, r, 0x1.a01a01abf8a8ep-13);
  p = fma_d(p, r, 0x1.6c16c16c151ccp-10);
  p = fma_d(p, r, 0x1.11111111100bdp-7);
  p = fma_d(p, r, 0x1.5555555555558p-5);
  p = fma_d(p, r, 0x1.5555555555557p-3);
  return fma_d(p, r, 0.5);
}

// e^r times 2^n in two factors, both in the range of normal numbers.
INTERNAL double scaled_exp(Pair r, int n) {
  const double t = add_d(1.0, add_d(r.high, fma_d(mul_d(r.high, r.high), exp_tail(r.high), r.low)));
  const int half = n >> 1;
  return mul_d(mul_d(t, power_of_two(half)), power_of_two(n - half));
}

INTERNAL Pair reduced(double x, double scale, double high, double low, int* n) {
  const double shifted = fma_d(x, scale, kToIntegerDouble);
  const double whole = add_d(shifted, -kToIntegerDouble);
  *n = (int)(uint)bits_of_double(shifted);
  const double rest = fma_d(whole, -high, x);  // exact
  const double tail = mul_d(whole, -low);
  return sum_of(rest, tail);
}
