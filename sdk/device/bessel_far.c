// Bessel functions far from 0, where CUDA bounds the absolute error.
#include "bessel.h"

INTERNAL double p0_far(double t) {
  static const double c[] = {-0x1.660c6058be7f6p-31, 0x1.858ee816522bdp-30,  -0x1.b24c77c8c74f4p-29,
                             0x1.5356325d3895cp-27,  -0x1.4d344de37a9c4p-25, 0x1.b7f14ec7ba44cp-23,
                             -0x1.b8d2d5acc0f2bp-20, 0x1.9be0013cc287cp-16,  -0x1.193600c1df1c5p-10,
                             0x1.ffb8dd3285043p-1};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double q0_far(double t) {
  static const double c[] = {-0x1.5604a6c2a9dbap-32, 0x1.3265b5d6f05f6p-31,  -0x1.ee20abf708f27p-31,
                             0x1.275fe4ade91a8p-29,  -0x1.a0ab48648b53cp-28, 0x1.61b4c18bbb72ap-26,
                             -0x1.858cfe57c5312p-24, 0x1.3135a309d596ap-21,  -0x1.8c843529c3b58p-18,
                             0x1.1e9a613910da4p-13,  -0x1.fdb5c0b2f3d5bp-7};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double p1_far(double t) {
  static const double c[] = {0x1.813841cbbb5ccp-31,  -0x1.a5c2ed5bd7b2ap-30, 0x1.dae84c8ebf9ecp-29,
                             -0x1.77157e63f5841p-27, 0x1.75f06a666039ap-25,  -0x1.f963d6514c18bp-23,
                             0x1.077625917b07ep-19,  -0x1.0b1541ac6a6d5p-15, 0x1.d73b8ea3c194ap-10,
                             0x1.003b71603372fp+0};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double q1_far(double t) {
  static const double c[] = {0x1.6cfcbc02d99acp-32,  -0x1.486fafc44d7e9p-31, 0x1.0aef06fc84dccp-30,
                             -0x1.4157bf7418523p-29, 0x1.c958b2c3ec302p-28,  -0x1.89333d4039b40p-26,
                             0x1.b9300b6f3d56fp-24,  -0x1.64230c89f88a7p-21, 0x1.e8e009cc20986p-18,
                             -0x1.938da0a0b9b28p-13, 0x1.7f323705062fbp-5};
  return polynomial(c, sizeof c / sizeof *c, t);
}

DEVICE double heddle_bessel_far(int order, int second, double x) {
  if (__builtin_isinf(x)) return 0.0;
  if (x != x) return x;
  const double r = 8.0 / x, t = fma_d(r, r, -0.5);
  const double p = order == 0 ? p0_far(t) : p1_far(t), q = r * (order == 0 ? q0_far(t) : q1_far(t));
  const double s = __nv_sin(x), c = __nv_cos(x);
  // w's cosine and sine without their factor of sqrt(1/2)
  const double cosine = order == 0 ? c + s : s - c, sine = order == 0 ? s - c : -(s + c);
  const double wave = second ? fma_d(p, sine, q * cosine) : fma_d(p, cosine, -q * sine);
  return __nv_sqrt(0x1.45f306dc9c883p-2 / x) * wave;
}
