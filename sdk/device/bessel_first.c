// Bessel functions of the first kind, orders 0 and 1. Below 8: one polynomial per interval,
// multiplied by the distance to the zero in it, so that values near the zero are exact. Above: the
// amplitudes of bessel_far.c. Coefficients: interpolation at Chebyshev points with 50 digits.
#include "bessel.h"

INTERNAL double j0_small(double t) {
  static const double c[] = {-0x1.fc4a5f117a595p-56, 0x1.3fdd9f55cb4f8p-47,  -0x1.3d9b714eab15bp-39,
                             0x1.e1f6940f0e486p-32,  -0x1.0bd8fb580c356p-24, 0x1.9b73ac0db3dcfp-18,
                             -0x1.90fd323c4264ep-12, 0x1.afd36c73264f1p-7,   -0x1.8a3bafbd8015bp-3,
                             0x1.1e46d4a0b681ep-1};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j0_near_0(double t) {
  static const double c[] = {
      -0x1.4897382067589p-47, 0x1.c74d840c0c35fp-48, 0x1.4ded3340e441ap-39, -0x1.2e1dd6697362bp-39,
      -0x1.fcfef7da815f1p-32, 0x1.1d1cd99f3ca5dp-31, 0x1.1c147067e0bbcp-24, -0x1.7b5a5969cac77p-24,
      -0x1.b5ca63b20ceccp-18, 0x1.53358de09c457p-17, 0x1.aa22a3ef75822p-12, -0x1.77905e3e6d230p-11,
      -0x1.c27d8b963acd9p-7,  0x1.bc8a0eb8874eep-6,  0x1.71be713bc7d82p-3,  -0x1.9327d655a1364p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j0_near_1(double t) {
  static const double c[] = {-0x1.107a04ea4a200p-43, -0x1.75458cf75c25ap-40, 0x1.e92b74f8ab96bp-36,
                             0x1.15a9cafdb7016p-32,  -0x1.45b96abfc152ep-28, -0x1.258316588e818p-25,
                             0x1.36433ce1dd671p-21,  0x1.a1138a0e492b4p-19,  -0x1.89f723c1264aep-15,
                             -0x1.6394ea3472bd8p-13, 0x1.2a27c6d94f964p-9,   0x1.23928de481153p-8,
                             -0x1.b452909e17580p-5,  -0x1.d60346027baefp-6,  0x1.5d0afcf0baf5ep-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j0_near_2(double t) {
  static const double c[] = {-0x1.d77ee59513da5p-40, -0x1.7eafc77de24d7p-36, 0x1.70cd92a770ad7p-32,
                             0x1.e238c5938c407p-29,  -0x1.a406189b596d8p-25, -0x1.a3e9401a718bdp-22,
                             0x1.4aa086773065dp-18,  0x1.d37910acaa0b4p-16,  -0x1.4864f8161ecf7p-12,
                             -0x1.1f0c4462fa8fdp-10, 0x1.5f8ff4e4eef5bp-7,   0x1.22207637f7b85p-6,
                             -0x1.21517a8f84f2bp-3,  -0x1.18e920168c570p-4,  0x1.2b013ddfbec0bp-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j0_near(double x) {
  if (x < 4.5) return j0_near_0(x - 3.25) * (x - 0x1.33d152e971b40p+1 + 0x1.0f539d7da258ep-53);
  if (x < 6.5) return j0_near_1(x - 5.5) * (x - 0x1.6148f5b2c2e45p+2 - 0x1.75054cd60a517p-54);
  return j0_near_2(x - 7.25);
}

INTERNAL double j1_small(double t) {
  static const double c[] = {0x1.1dea3712e83e9p-51,  -0x1.3fde6b9503976p-43, 0x1.15e80322a1ccdp-35,
                             -0x1.6978ef01b7c02p-28, 0x1.4ecf3a2e0f504p-21,  -0x1.9b73ac0db45cap-15,
                             0x1.2cbde5ad31cbbp-9,   -0x1.afd36c73264f0p-5,  0x1.8a3bafbd8015bp-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j1_near_0(double t) {
  static const double c[] = {-0x1.169f791c6f4b8p-51, -0x1.6016f69cfc833p-49, 0x1.41f0fb6bca75dp-43,
                             0x1.5d6f7fc570047p-41,  -0x1.19e162e91dd34p-35, -0x1.fd77cf11901a5p-34,
                             0x1.71e389e6cdc6bp-28,  0x1.0baaecd098c36p-26,  -0x1.5a5021ddeee8bp-21,
                             -0x1.7a72da382352ep-20, 0x1.af3e980b7be8ap-15,  0x1.4286dc10caa18p-14,
                             -0x1.403b1e3850372p-9,  -0x1.0deff5c2f627fp-9,  0x1.d33c1f210380bp-5,
                             0x1.0206deee1be97p-6,   -0x1.a8181f74ef7b1p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j1_near_1(double t) {
  static const double c[] = {0x1.1c418f7875daep-51,  0x1.6cb170f948c4bp-51,  -0x1.46bcb58d9fa96p-43,
                             -0x1.2504fbf0902b0p-43, 0x1.1bfacb73f0f65p-35,  0x1.23c746562eea2p-36,
                             -0x1.70bb582bd581fp-28, -0x1.bbc8d1c39765fp-31, 0x1.53d2ad8d1b695p-21,
                             -0x1.ec064dc6cd5b3p-24, -0x1.9cbaeed616dadp-15, 0x1.7a11529a32d36p-16,
                             0x1.25bfadb1283aep-9,   -0x1.73a59e34c2ed6p-10, -0x1.8bedb81f6736dp-5,
                             0x1.d08a4092f3ab2p-6,   0x1.318ace8aae254p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double j1_near(double x) {
  if (x < 5.0) return j1_near_0(x - 3.5) * (x - 0x1.ea75575af6f09p+1 + 0x1.60155a9d1b256p-53);
  return j1_near_1(x - 6.5) * (x - 0x1.c0ff5f3b47250p+2 + 0x1.b226d9d243827p-54);
}

DEVICE double __nv_j0(double x) {
  const double a = __builtin_fabs(x);
  if (a < 2.0) return j0_small(a * a - 2.0);
  if (a < 8.0) return j0_near(a);
  return bessel_far(0, 0, a);
}
DEVICE double __nv_j1(double x) {
  const double a = __builtin_fabs(x);
  double value;
  if (a < 2.0)
    value = a * j1_small(a * a - 2.0);
  else if (a < 8.0)
    value = j1_near(a);
  else
    value = bessel_far(1, 0, a);
  return __builtin_copysign(1.0, x) * value;
}
DEVICE float __nv_j0f(float x) { return (float)__nv_j0(x); }
DEVICE float __nv_j1f(float x) { return (float)__nv_j1(x); }
