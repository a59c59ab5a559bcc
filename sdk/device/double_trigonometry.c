// Sine, cosine and tangent of doubles.
#include "double_parts.h"

// A word of zeros, then the bits of 2/pi.
static const __attribute__((address_space(4))) uint64 kTwoOverPi[21] = {0,
                                                                        0xa2f9836e4e441529ull,
                                                                        0xfc2757d1f534ddc0ull,
                                                                        0xdb6295993c439041ull,
                                                                        0xfe5163abdebbc561ull,
                                                                        0xb7246e3a424dd2e0ull,
                                                                        0x06492eea09d1921cull,
                                                                        0xfe1deb1cb129a73eull,
                                                                        0xe88235f52ebb4484ull,
                                                                        0xe99c7026b45f7e41ull,
                                                                        0x3991d639835339f4ull,
                                                                        0x9c845f8bbdf9283bull,
                                                                        0x1ff897ffde05980full,
                                                                        0xef2f118b5a0a6d1full,
                                                                        0x6d367ecf27cb09b7ull,
                                                                        0x4f463f669e5fea2dull,
                                                                        0x7527bac7ebe5f17bull,
                                                                        0x3d0739f78a5292eaull,
                                                                        0x6bfb5fb11f8d5d08ull,
                                                                        0x56033046fc7b6babull,
                                                                        0xf0cfbc209af4361dull};

INTERNAL uint64 high_product(uint64 a, uint64 b) {
  return (uint64)__nvvm_mulhi_ull((int64)a, (int64)b);
}

// Payne and Hanek: of the product with 2/pi only the bits around the binary point are computed, 128
// of them.
INTERNAL Pair reduce_large(double x, int* quadrant) {
  const uint64 bits = bits_of_double(x);
  const int position =
      (int)((bits >> 52) & 0x7ff) - 1086 + 62;  // bits of 2/pi that only add multiples of four
  const int word = position >> 6, shift = position & 63;
  const uint64 m = (bits << 11) | (1ull << 63);
  uint64 w[3];
  for (int i = 0; i < 3; ++i) {
    const uint64 next = shift == 0 ? 0 : kTwoOverPi[word + i + 1] >> (64 - shift);
    w[i] = (kTwoOverPi[word + i] << shift) | next;
  }
  const uint64 carry = high_product(m, w[2]);
  const uint64 low = m * w[1] + carry;
  const uint64 high = m * w[0] + high_product(m, w[1]) + (low < carry);
  // The top two bits count multiples of pi/2; the rest is a fraction, rounded to the nearest one.
  uint64 fraction = (high << 2) | (low >> 62);
  uint64 fraction_low = low << 2;
  const int up = fraction >> 63 != 0;
  const int q = (int)(high >> 62) + up;
  if (up) {
    fraction = ~fraction + (fraction_low == 0);
    fraction_low = -fraction_low;
  }
  const int zeros = fraction == 0 ? 63 : __builtin_clzll(fraction);
  const uint64 digits =
      zeros == 0 ? fraction : (fraction << zeros) | (fraction_low >> (64 - zeros));
  const double unit = power_of_two(-64 - zeros);
  const int64 rest = (int64)(((digits & 0x7ff) << 52) | ((fraction_low << zeros) >> 12));
  const Pair f = {(double)(int64)(digits >> 11) * (unit * 0x1p11), (double)rest * (unit * 0x1p-52)};
  const Pair p = product_of(f.high, 0x1.921fb54442d18p+0);
  const double p_low =
      fma_d(f.high, 0x1.1a62633145c07p-54, fma_d(f.low, 0x1.921fb54442d18p+0, p.low));
  const int negative = (bits >> 63 != 0) != up;
  *quadrant = bits >> 63 ? -q : q;
  return negative ? (Pair){-p.high, -p_low} : (Pair){p.high, p_low};
}

// x = quadrant * pi/2 + r with |r| at most pi/4. The first step of Cody and Waite is exact when
// fused.
INTERNAL Pair reduce(double x, int* quadrant) {
  if (__builtin_fabs(x) >= 0x1p30) {
    if ((bits_of_double(x) << 1) < 0xffe0000000000000ull) return reduce_large(x, quadrant);
    *quadrant = 0;
    return (Pair){__builtin_nan(""), 0.0};
  }
  const double shifted = fma_d(x, 0x1.45f306dc9c883p-1, kToIntegerDouble);
  const double n = add_d(shifted, -kToIntegerDouble);
  *quadrant = (int)(uint)bits_of_double(shifted);
  const double t = fma_d(n, -0x1.921fb54442d18p+0, x);
  const Pair p = product_of(n, -0x1.1a62633145c07p-54);
  const Pair r = sum_of(t, p.high);
  return (Pair){r.high, fma_d(n, 0x1.f1976b7ed8fbcp-110, r.low + p.low)};
}

INTERNAL Pair sine_part(Pair r, double s) {
  double p = fma_d(0x1.5e0ac803dd816p-33, s, -0x1.ae600a2510ef2p-26);
  p = fma_d(p, s, 0x1.71de3795bc6b7p-19);
  p = fma_d(p, s, -0x1.a01a019e83135p-13);
  p = fma_d(p, s, 0x1.1111111110bb0p-7);
  p = fma_d(p, s, -0x1.5555555555555p-3);
  return sum_ordered(r.high, fma_d(mul_d(r.high, s), p, fma_d(-0.5 * s, r.low, r.low)));
}
INTERNAL Pair cosine_part(Pair r, double s) {
  double p = fma_d(-0x1.907d4f3cb46bcp-37, s, 0x1.1eeb6877034fcp-29);
  p = fma_d(p, s, -0x1.27e4fa176f90dp-22);
  p = fma_d(p, s, 0x1.a01a019f4e611p-16);
  p = fma_d(p, s, -0x1.6c16c16c16966p-10);
  p = fma_d(p, s, 0x1.5555555555555p-5);
  const double half = 0.5 * s;
  const Pair w = sum_ordered(1.0, -half);
  const double s_low = fma_d(r.high, r.high, -s);
  return sum_ordered(w.high,
                     fma_d(mul_d(s, s), p, fma_d(-0.5, s_low, fma_d(-r.high, r.low, w.low))));
}

INTERNAL void both_parts(double x, int* quadrant, Pair* sine, Pair* cosine) {
  const Pair r = reduce(x, quadrant);
  const double s = mul_d(r.high, r.high);
  *sine = sine_part(r, s);
  *cosine = cosine_part(r, s);
}

// Lanes in different quadrants do not diverge: each takes both parts and selects.
DEVICE double __nv_sin(double x) {
  int quadrant;
  Pair s, c;
  both_parts(x, &quadrant, &s, &c);
  const double value = quadrant & 1 ? c.high : s.high;
  return x == 0.0 ? x : (quadrant & 2 ? -value : value);
}
DEVICE double __nv_cos(double x) {
  int quadrant;
  Pair s, c;
  both_parts(x, &quadrant, &s, &c);
  const double value = quadrant & 1 ? s.high : c.high;
  return (quadrant + 1) & 2 ? -value : value;
}
DEVICE void __nv_sincos(double x, double* sine, double* cosine) {
  *sine = __nv_sin(x);
  *cosine = __nv_cos(x);
}
DEVICE double __nv_tan(double x) {
  int quadrant;
  Pair s, c;
  both_parts(x, &quadrant, &s, &c);
  const Pair a = quadrant & 1 ? (Pair){-c.high, -c.low} : s;
  const Pair b = quadrant & 1 ? s : c;
  const double q = __nvvm_div_rn_d(a.high, b.high);
  const double rest = fma_d(-q, b.high, a.high) + fma_d(-q, b.low, a.low);
  return x == 0.0 ? x : fma_d(rest, __nvvm_rcp_approx_ftz_d(b.high), q);
}
