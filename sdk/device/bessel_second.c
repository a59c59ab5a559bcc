// Bessel functions of the second kind, orders 0 and 1, with the method of bessel_first.c. Near 0
// their logarithm is computed separately.
#include "bessel.h"

double __nv_log(double);
double __nv_j0(double);
double __nv_j1(double);

#define kTwoOverPi 0x1.45f306dc9c883p-1

INTERNAL double y0_small(double t) {
  static const double c[] = {-0x1.a4f151e5803e4p-31, 0x1.ba6bde3a48252p-24, -0x1.3c6ee752c8d50p-17,
                             0x1.17e6fedafd8f1p-11,  -0x1.040faf4c2e107p-6, 0x1.638f0dda15f00p-3,
                             -0x1.a8c8fbe2fb5d2p-5};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y0_near_0(double t) {
  static const double c[] = {
      0x1.19d447e714282p+1, -0x1.fff83be9c42d3p+0, -0x1.db2f4deb7b9dfp-4, 0x1.9ae38364500a0p-4,
      0x1.5301d5272ae04p-1, -0x1.36590e900f9acp-1, 0x1.8e0a886e2e4fdp-2,  -0x1.700f7f0af6da7p-2,
      0x1.6df41a3239761p-2, -0x1.541b35c445cfbp-2, 0x1.3af5a2acd1901p-2,  -0x1.2733dfa8f2fe6p-2,
      0x1.163bc6240c0b6p-2, -0x1.079ed23729401p-2, 0x1.f6f1b36dc1d22p-3,  -0x1.e3a78afdafb38p-3,
      0x1.d59d2b9ac6cabp-3, -0x1.cd5c32d3d30d7p-3, 0x1.cbd945993963bp-3,  -0x1.d3a9809b387ffp-3,
      0x1.e9907c92bdb1dp-3, -0x1.f1eb3f0a9cce0p-3, 0x1.de75072a2382ep-3,  -0x1.004343a055815p-1,
      0x1.c6fbc942ae2c5p-1};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y0_near_1(double t) {
  static const double c[] = {
      -0x1.021de95e1e656p-26, 0x1.0d79d7ec3a964p-25, -0x1.24acef3b7caedp-26, 0x1.365708fc25d49p-25,
      -0x1.37d13a4542db8p-23, 0x1.496ea31e6e9adp-22, -0x1.3fbcda3f9650fp-21, 0x1.54a5fced12ba6p-20,
      -0x1.702109bf7e8cbp-19, 0x1.8b8ee528f2064p-18, -0x1.aaf975b667969p-17, 0x1.d01a8d1847042p-16,
      -0x1.fc78d7fff25adp-15, 0x1.17c1c4ac261f8p-13, -0x1.317f41eb671a3p-12, 0x1.68bad968d4fa9p-11,
      -0x1.fc6550b881536p-10, 0x1.6e6a04c612e9fp-9,  0x1.a57be2ff6e449p-8,   0x1.1359572454ed2p-5,
      -0x1.20b670067d2f2p-2,  0x1.b667a3914664cp-4,  0x1.054ff5cd68c8dp-1};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y0_near_2(double t) {
  static const double c[] = {
      -0x1.98e1fa051b9a8p-45, 0x1.ac7bcbdc8828ap-43, -0x1.f4aaf525e5a21p-42, 0x1.086e3e9e90493p-39,
      -0x1.41e084fbb2096p-37, 0x1.563f4edd4ba02p-35, -0x1.63027103f89bep-33, 0x1.70d67181cea17p-31,
      -0x1.c477a3a781371p-29, 0x1.296ef3659eb65p-26, -0x1.e795873e2095dp-27, -0x1.427a61b8b930ep-22,
      -0x1.4f23dfa870bffp-18, 0x1.9ee31c58efdccp-15, 0x1.b43d2913295d2p-13,  -0x1.189ac769f25d0p-9,
      -0x1.d9148e1aae5abp-8,  0x1.d81bdc6027c10p-5,  0x1.c8e28281e5a23p-5,   -0x1.99e4979e09865p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y0_near_3(double t) {
  static const double c[] = {0x1.09247221667dbp-50,  -0x1.7b0ea7c15ce01p-50, -0x1.24caa1f3df732p-43,
                             -0x1.175e2451ff051p-41, 0x1.28c057e5a188bp-35,  0x1.f10a33ee23fe8p-35,
                             -0x1.7705da31c44c7p-28, -0x1.ee1d70846fa62p-28, 0x1.5fd2bd73fde9ep-21,
                             0x1.afbc3d48ea752p-22,  -0x1.ac262d474e6dbp-15, -0x1.3db77db6c836ap-18,
                             0x1.3385efd113876p-9,   -0x1.d7c6523369ed7p-11, -0x1.97699163ced14p-5,
                             0x1.8edebca11b015p-6,   0x1.329d2b890b782p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y0_near(double x) {
  if (x < 1.25) return y0_near_0(x - 0.875) * (x - 0x1.c982eb8d417eap-1 - 0x1.ea9d270347f83p-56);
  if (x < 2.75) return y0_near_1(x - 2.0);
  if (x < 5.25) return y0_near_2(x - 4.0) * (x - 0x1.fa9534d98569cp+1 + 0x1.f06ae7804384ep-54);
  return y0_near_3(x - 6.625) * (x - 0x1.c581dc4e72103p+2 + 0x1.9774a495f56cfp-54);
}

INTERNAL double y1_small(double t) {
  static const double c[] = {-0x1.eec52cd81127cp-35, 0x1.3171ddfe535b7p-27, -0x1.08f954488b8e2p-20,
                             0x1.2a6a4eeb450bfp-14,  -0x1.7fd93c324aea1p-9, 0x1.b7330e33551efp-5,
                             -0x1.83b4b88f7ede5p-3};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near_0(double t) {
  static const double c[] = {
      -0x1.cf72deee11f90p+9, 0x1.5b918d4effc67p+9, -0x1.786fa77625487p+7, 0x1.1a4c90e971bdcp+7,
      -0x1.3bcb5c9b9de40p+7, 0x1.d9a393daf1e95p+6, -0x1.50a3dab308d77p+6, 0x1.f8e025c439d89p+5,
      -0x1.7ca70ae63b5b8p+5, 0x1.1d6a93f5f1f74p+5, -0x1.abd58256bcf43p+4, 0x1.40bd74f02412bp+4,
      -0x1.e0d8e8d2f356cp+3, 0x1.685bbdb11b4e9p+3, -0x1.0df95da589a1ep+3, 0x1.944dbba3a9646p+2,
      -0x1.2e70ddce8ae1dp+2, 0x1.c3f8917e8dab7p+1, -0x1.518fb90f547d3p+1, 0x1.e635f86ee467ap+0,
      -0x1.3bff7587068a5p+0, 0x1.3f0ca40455e69p+0, -0x1.099fcbe60fd83p+0};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near_1(double t) {
  static const double c[] = {-0x1.362938d62b9bfp-10, 0x1.aa5db7cc065f3p-10, -0x1.651912289da34p-10,
                             0x1.ead00ce283d43p-10,  -0x1.757f62d1d2b97p-9, 0x1.00a35011d892bp-8,
                             -0x1.5d6e42b6dae66p-8,  0x1.e00f369ca1131p-8,  -0x1.49dc2f052cf0bp-7,
                             0x1.c4ed7b3feffeap-7,   -0x1.36cf6b98f7c4bp-6, 0x1.aa4f8363ac68fp-6,
                             -0x1.2412773b0ae65p-5,  0x1.8f1db65872f02p-5,  -0x1.101d32005ad24p-4,
                             0x1.7c4cf81af8c04p-4,   -0x1.01bffb1095576p-3, 0x1.a398f175ac0d8p-4,
                             -0x1.0ff4e521071d8p-3,  0x1.5f89cacf80442p-1,  -0x1.fc23d82d1ea13p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near_2(double t) {
  static const double c[] = {
      -0x1.b0c7bb61923e0p-27, 0x1.00c6c6764d610p-25, -0x1.8e0212f682a13p-25, 0x1.d81818a98a863p-24,
      -0x1.2dd96212c9081p-22, 0x1.65e0ce612ac72p-21, -0x1.a5a3e3028963ep-20, 0x1.f37f9d4e5d1e5p-19,
      -0x1.27c237be5b2dcp-17, 0x1.5dcd0c4568d76p-16, -0x1.9dbb6ef6c6e21p-15, 0x1.e9cf5225f0874p-14,
      -0x1.1ac220d3a2024p-12, 0x1.3a1fe6c3800d8p-11, -0x1.c632d37d60cdbp-10, 0x1.6abc1da95eb54p-8,
      -0x1.ea5e2f1965f87p-13, -0x1.17ad63be39d43p-5, -0x1.0b45017d4dc51p-3,  0x1.fe9da07da6154p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near_3(double t) {
  static const double c[] = {-0x1.1a50b793833f6p-33, 0x1.07c54f4dd4fa7p-31,  -0x1.98877cab553afp-30,
                             0x1.7b3c8a067e543p-28,  -0x1.6069886c03d3dp-26, 0x1.589b8a0601121p-24,
                             -0x1.726be913e76d5p-22, 0x1.a2138b5af45c1p-21,  0x1.d6a6b7dadbef7p-20,
                             0x1.288dca75afdf8p-15,  -0x1.ae5f3f55b6886p-12, -0x1.6b749f6156c2dp-11,
                             0x1.85aa42f27c73ap-7,   0x1.254e042dd0015p-6,   -0x1.8490ac36aa1e0p-3,
                             -0x1.a41c995e807b7p-6,  0x1.a9d9815adc5afp-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near_4(double t) {
  static const double c[] = {
      -0x1.a2b7dd26de779p-43, 0x1.36be0911e1630p-40, -0x1.d6a038cace8cfp-39, -0x1.a34cf979358e9p-40,
      -0x1.a794593cda4dap-32, 0x1.6c3bf4f581c90p-28, 0x1.f800f9163aee9p-26,  -0x1.1c0bcf6c3ee2fp-21,
      -0x1.a8ffe5bbb21ddp-19, 0x1.794529e59f477p-15, 0x1.5bf2ac1c70af4p-13,  -0x1.14b2a9f18c6a4p-9,
      -0x1.38118d892fae7p-8,  0x1.99a770a1f95e5p-5,  0x1.3ae4cf58073fbp-5,   -0x1.59f8ff9e374e6p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near_5(double t) {
  static const double c[] = {0x1.b073dec9cd585p-40,  0x1.82a2d0c985dd7p-36,  -0x1.64767a667dcd4p-32,
                             -0x1.d97ec20a82bf7p-29, 0x1.8d866e217b25bp-25,  0x1.a34851bf942b6p-22,
                             -0x1.387fba5522dfep-18, -0x1.d6f4455a1371bp-16, 0x1.3352c0d2aa88fp-12,
                             0x1.2c91fc0d5fb27p-10,  -0x1.49b872b4a6639p-7,  -0x1.4a33767824ef3p-6,
                             0x1.162dde69a6851p-3,   0x1.69cf713b612fdp-4,   -0x1.284ad730f7a36p-2};
  return polynomial(c, sizeof c / sizeof *c, t);
}
INTERNAL double y1_near(double x) {
  if (x < 1.0) return y1_near_0(x - 0.75);
  if (x < 1.75) return y1_near_1(x - 1.375);
  if (x < 3.0) return y1_near_2(x - 2.375) * (x - 0x1.193bed4dff243p+1 + 0x1.bd1e50d219bfdp-55);
  if (x < 4.5) return y1_near_3(x - 3.75);
  if (x < 6.5) return y1_near_4(x - 5.5) * (x - 0x1.5b7fe4e87b02ep+2 - 0x1.dfe7bac228e8cp-52);
  return y1_near_5(x - 7.25);
}

DEVICE double __nv_y0(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
  if (x < 0.5) return fma_d(kTwoOverPi * __nv_log(x), __nv_j0(x), y0_small(x * x - 0.125));
  if (x < 8.0) return y0_near(x);
  return bessel_far(0, 1, x);
}
DEVICE double __nv_y1(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
  if (x < 0.5)
    return kTwoOverPi * fma_d(__nv_log(x), __nv_j1(x), -1.0 / x) + x * y1_small(x * x - 0.125);
  if (x < 8.0) return y1_near(x);
  return bessel_far(1, 1, x);
}
DEVICE float __nv_y0f(float x) { return (float)__nv_y0(x); }
DEVICE float __nv_y1f(float x) { return (float)__nv_y1(x); }
