// Shared by the Bessel functions.
#pragma once

#include "double_parts.h"

double __nv_sin(double);
double __nv_cos(double);
double __nv_sqrt(double);

// Coefficients from the highest power down. Unrolled, so that they become immediate operands.
INTERNAL double polynomial(const double* c, int count, double t) {
  double p = c[0];
#pragma clang loop unroll(full)
  for (int i = 1; i < count; ++i) p = fma_d(p, t, c[i]);
  return p;
}

// From 8 on: sqrt(2 / (pi x)) (P cos w - Q sin w), or with sin and cos exchanged, w = x - pi/4 -
// order pi/2. P and x Q / 8 are polynomials in (8 / x)^2.
double heddle_bessel_far(int order, int second, double x) __attribute__((visibility("hidden")));
INTERNAL double bessel_far(int order, int second, double x) {
  return heddle_bessel_far(order, second, x);
}
