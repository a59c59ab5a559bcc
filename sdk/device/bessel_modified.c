// Modified Bessel functions of the first kind, orders 0 and 1: polynomials in x^2 below 4; above,
// polynomials in 1/x times an exponential.
#include "bessel.h"

double __nv_exp(double);

INTERNAL double i0_small(double t) {
  static const double c[] = {0x1.ab29999412d34p-73, 0x1.99ebbbfc5080cp-64, 0x1.45c4e8604f75dp-55,
                             0x1.a54d738fc2c40p-47, 0x1.b0c169bf5a0f9p-39, 0x1.56d933658a09fp-31,
                             0x1.937448a71e5cbp-24, 0x1.4f4992c56f550p-17, 0x1.6ecea8727e024p-11,
                             0x1.db864905d2b11p-6,  0x1.3289e41860f8ep-1,  0x1.1026844da528ap+2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double i1_small(double t) {
  static const double c[] = {0x1.19308a64a7ddbp-77, 0x1.25b32ee0e9fa8p-68, 0x1.000765f91b86ep-59,
                             0x1.6e7d83925c914p-51, 0x1.a54d7d726f1d2p-43, 0x1.7aa93c87caf79p-35,
                             0x1.0122e68b317e6p-27, 0x1.f8515ad0e5d72p-21, 0x1.4f4992c56fa1ep-14,
                             0x1.131afe55de81bp-8,  0x1.db864905d2b0ep-4,  0x1.3289e41860f8ep+0};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double i0_middle(double t) {
  static const double c[] = {-0x1.778d481f581e4p+28, 0x1.8c4bc79965156p+26, -0x1.2f5b36afc3456p+22,
                             -0x1.5857bc4f39e00p+21, 0x1.a08b5d3d613b1p+19, -0x1.5b9a68a1cf8f9p+16,
                             -0x1.d414010cbf77ap+13, 0x1.b0afde33b1f6ap+12, -0x1.5e8b97a45e853p+9,
                             -0x1.6e33b8d30031cp+7,  0x1.ccba0515f2a75p+5,  0x1.48c5a2dc43dc6p+1,
                             -0x1.7820638af54a0p+1,  -0x1.cbb7da85e3e11p-3, 0x1.0e5dc4d62038ap-3,
                             0x1.212b6d156534dp-4,   0x1.0e9b1d2f9ea4ep-4,  0x1.a36701c1e0ad8p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double i1_middle(double t) {
  static const double c[] = {0x1.6aae612a18e6dp+28, -0x1.9b6e13d72ff99p+26, 0x1.9f02c56a3cda0p+22,
                             0x1.43688ed2c6561p+21, -0x1.b2b4ac342f3d4p+19, 0x1.989b654030be5p+16,
                             0x1.98b4a29481d00p+13, -0x1.c473a6a21cccep+12, 0x1.aaa41e5dc9656p+9,
                             0x1.5a8aed3eb68dcp+7,  -0x1.00bae20060dacp+6,  -0x1.7667fcde1b30dp+0,
                             0x1.a851656bc063fp+1,  0x1.808810e7c4966p-3,   -0x1.63f4f0aea853ap-3,
                             -0x1.a1c1aa4142695p-4, -0x1.65b054d6fb18ep-3,  0x1.79b47c9608785p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double i0_far(double t) {
  static const double c[] = {
      -0x1.36e52c10032d7p+62, -0x1.52109c25bd9ecp+56, 0x1.1ce14787c5bdep+57,  0x1.42a55974d41b8p+51,
      -0x1.e8fd992032bedp+50, -0x1.31c908a5dd531p+45, 0x1.0ab5ef575d285p+44,  0x1.9bbbfe31d81e9p+38,
      -0x1.a9411c5b0ad08p+36, -0x1.df1549cddfaf8p+31, 0x1.047454ffcb608p+29,  0x1.0317d4c7b215ap+25,
      -0x1.77cc956faaa2fp+20, -0x1.cc90f59ec1228p+17, -0x1.ce768f00b5374p+12, 0x1.03896efb09a41p+9,
      0x1.7224b1828e507p+6,   0x1.51ced7b713adcp+3,   0x1.7d0f75812d9bcp+0,   0x1.3f49a6bcfc2d9p-2,
      0x1.8e513a1d5e52bp-4,   0x1.75e5ee71edd14p-5,   0x1.1daa72b5e650cp-5,   0x1.b87969bb93b75p-5,
      0x1.9bd428ad249a5p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double i1_far(double t) {
  static const double c[] = {
      0x1.432b0a4121172p+62, 0x1.33e83e12ca3b4p+56, -0x1.2839623e2341cp+57, -0x1.272ae05110368p+51,
      0x1.fce6b32270b52p+50, 0x1.1aee882806184p+45, -0x1.162964d5f91dbp+44, -0x1.858c7591014bdp+38,
      0x1.bdc8daed57db9p+36, 0x1.d4345a69bfc30p+31, -0x1.1465ce7d29637p+29, -0x1.0630cddd4e099p+25,
      0x1.9f203cf2783b7p+20, 0x1.e20e7d69649cap+17, 0x1.cd81846fb3ff1p+12,  -0x1.21895bb7ba33fp+9,
      -0x1.9180f82a1d429p+6, -0x1.727a73a8063a8p+3, -0x1.ad8db6e1fecbbp+0,  -0x1.76137e6905189p-2,
      -0x1.ec8e101744487p-4, -0x1.f89c23066d278p-5, -0x1.cbc54df1ece76p-5,  -0x1.3f796198ee628p-3,
      0x1.8ebe783a84030p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}

// e^x / sqrt(x) p, with e^x in two factors, so that it overflows later.
INTERNAL double grown(double x, double p) {
  const double half = __nv_exp(0.5 * x);
  return half * (half * (p * __nvvm_div_rn_d(1.0, __nv_sqrt(x))));
}
INTERNAL double i0_of(double a) {
  if (a < 4.0) return i0_small(a * a - 8.0);
  const double r = __nvvm_div_rn_d(1.0, a);
  return __builtin_isinf(a) ? a : grown(a, a < 8.0 ? i0_middle(r - 0.1875) : i0_far(r - 0.0625));
}
INTERNAL double i1_of(double a) {
  if (a < 4.0) return a * i1_small(a * a - 8.0);
  const double r = __nvvm_div_rn_d(1.0, a);
  return __builtin_isinf(a) ? a : grown(a, a < 8.0 ? i1_middle(r - 0.1875) : i1_far(r - 0.0625));
}

DEVICE double __nv_cyl_bessel_i0(double x) { return i0_of(__builtin_fabs(x)); }
DEVICE double __nv_cyl_bessel_i1(double x) {
  return __builtin_copysign(1.0, x) * i1_of(__builtin_fabs(x));
}
DEVICE float __nv_cyl_bessel_i0f(float x) { return (float)i0_of(__builtin_fabsf(x)); }
DEVICE float __nv_cyl_bessel_i1f(float x) {
  return (float)(__builtin_copysign(1.0, x) * i1_of(__builtin_fabsf(x)));
}
