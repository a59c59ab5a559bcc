// Shared by the double functions: numbers as unevaluated sums high + low. The compiler does not
// fuse add_d and mul_d.
#pragma once

#include "device.h"

typedef struct {
  double high;
  double low;
} Pair;

INTERNAL double add_d(double a, double b) { return __nvvm_add_rn_d(a, b); }
INTERNAL double mul_d(double a, double b) { return __nvvm_mul_rn_d(a, b); }
INTERNAL double fma_d(double a, double b, double c) { return __builtin_fma(a, b, c); }

// Requires |a| >= |b|, or a = 0.
INTERNAL Pair sum_ordered(double a, double b) {
  const double s = add_d(a, b);
  return (Pair){s, add_d(b, -add_d(s, -a))};
}
INTERNAL Pair sum_of(double a, double b) {
  const double s = add_d(a, b);
  const double t = add_d(s, -a);
  return (Pair){s, add_d(add_d(a, -add_d(s, -t)), add_d(b, -t))};
}
INTERNAL Pair product_of(double a, double b) {
  const double p = mul_d(a, b);
  return (Pair){p, fma_d(a, b, -p)};
}
// Adding this to a double below 2^51 in magnitude rounds it to a whole number, found in the low
// bits of the sum.
#define kToIntegerDouble 0x1.8p52

INTERNAL double power_of_two(int exponent) { return double_of((uint64)(exponent + 1023) << 52); }
