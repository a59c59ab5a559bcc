// Sine, cosine and tangent of floats, and the error function and hyperbolic tangent.
#include "device.h"
#include "float_parts.h"

float __nv_fast_tanf(float);

// A word of zeros, then the bits of 2/pi.
static const __attribute__((address_space(4))) uint kTwoOverPi[7] = {
    0x00000000, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041};

// Payne and Hanek: of the product with 2/pi only the bits around the binary point are computed.
INTERNAL float reduce_large(float x, int* quadrant) {
  const uint bits = bits_of(x);
  const int position = (int)((bits >> 23) & 0xff) - 158 + 30;
  const int word = position >> 5;
  const int shift = position & 31;
  const uint t0 = kTwoOverPi[word], t1 = kTwoOverPi[word + 1], t2 = kTwoOverPi[word + 2],
             t3 = kTwoOverPi[word + 3];
  const uint w0 = (uint)(((((uint64)t0 << 32) | t1) << shift) >> 32);
  const uint w1 = (uint)(((((uint64)t1 << 32) | t2) << shift) >> 32);
  const uint w2 = (uint)(((((uint64)t2 << 32) | t3) << shift) >> 32);
  const uint64 m = ((bits << 8) | 0x80000000u);
  const uint64 product = ((m * w2) >> 32) + m * w1 + ((uint64)((uint)m * w0) << 32);
  const int64 fraction = (int64)(product << 2);
  const int q = (int)(product >> 62) + (fraction < 0);
  const float r = (float)((double)fraction * 0x1.921fb54442d18p-64);
  const int negative = bits >> 31 != 0;
  *quadrant = negative ? -q : q;
  return negative ? -r : r;
}

// x = quadrant * pi/2 + r with |r| <= pi/4. Three parts of pi/2 suffice up to 2^16.7 (Cody and
// Waite, with fused steps).
INTERNAL float reduce(float x, int* quadrant) {
  const float shifted = __builtin_fmaf(x, 0x1.45f306p-1f, kToInteger);
  const float n = add(shifted, -kToInteger);
  *quadrant = (int)bits_of(shifted);
  float r = __builtin_fmaf(n, -0x1.921fb6p+0f, x);
  r = __builtin_fmaf(n, 0x1.777a5cp-25f, r);
  r = __builtin_fmaf(n, 0x1.ee59dap-50f, r);
  if (__builtin_fabsf(x) > 105615.0f)
    r = (bits_of(x) & 0x7f800000u) == 0x7f800000u ? __builtin_nanf("") : reduce_large(x, quadrant);
  return r;
}

INTERNAL float sine_part(float r) {
  const float s = mul(r, r);
  float p = __builtin_fmaf(-0x1.994cfap-13f, s, 0x1.11075cp-7f);
  p = __builtin_fmaf(p, s, -0x1.555546p-3f);
  return __builtin_fmaf(p, mul(r, s), r);
}
INTERNAL float cosine_part(float r) {
  const float s = mul(r, r);
  float p = __builtin_fmaf(0x1.99057ep-16f, s, -0x1.6c07eep-10f);
  p = __builtin_fmaf(p, s, 0x1.55553ep-5f);
  p = __builtin_fmaf(p, s, -0.5f);
  return __builtin_fmaf(p, s, 1.0f);
}
// Both parts share their instructions, so that lanes in different quadrants do not diverge.
INTERNAL float part(float r, int cosine) {
  const float s = mul(r, r);
  const float base = cosine ? 1.0f : r;
  float p = cosine ? 0x1.99057ep-16f : 0.0f;
  p = __builtin_fmaf(p, s, cosine ? -0x1.6c07eep-10f : -0x1.994cfap-13f);
  p = __builtin_fmaf(p, s, cosine ? 0x1.55553ep-5f : 0x1.11075cp-7f);
  p = __builtin_fmaf(p, s, cosine ? -0.5f : -0x1.555546p-3f);
  return __builtin_fmaf(p, mul(base, s), base);
}

DEVICE float __nv_sinf(float x) {
  int quadrant;
  const float r = reduce(x, &quadrant);
  const float value = part(r, quadrant & 1);
  return x == 0.0f ? x : (quadrant & 2 ? -value : value);
}
DEVICE float __nv_cosf(float x) {
  int quadrant;
  const float r = reduce(x, &quadrant);
  const float value = part(r, ~quadrant & 1);
  return (quadrant + 1) & 2 ? -value : value;
}
DEVICE void __nv_sincosf(float x, float* sine, float* cosine) {
  int quadrant;
  const float r = reduce(x, &quadrant);
  const float s = sine_part(r);
  const float c = cosine_part(r);
  const float a = quadrant & 1 ? c : s;
  const float b = quadrant & 1 ? s : c;
  *sine = x == 0.0f ? x : (quadrant & 2 ? -a : a);
  *cosine = (quadrant + 1) & 2 ? -b : b;
}
DEVICE float __nv_tanf(float x) {
  if (FLUSHES) return __nv_fast_tanf(x);
  int quadrant;
  const float r = reduce(x, &quadrant);
  const float s = sine_part(r);
  const float c = cosine_part(r);
  const float value = __nvvm_div_rn_f(quadrant & 1 ? -c : s, quadrant & 1 ? s : c);
  return x == 0.0f ? x : value;
}

// x = quadrant / 2 + r with |r| at most 1/4, exactly; beyond 2^24 every float is even.
INTERNAL float reduce_half_turn(float x, int* quadrant) {
  const float n = __builtin_rintf(x + x);
  const int small = __builtin_fabsf(x) < 0x1p24f;
  *quadrant = small ? __nvvm_f2i_rn(n) : 0;
  return small ? __builtin_fmaf(n, -0.5f, x) : x * 0.0f;
}
INTERNAL float sine_of_pi_times(float r) {
  const float s = mul(r, r);
  float p = __builtin_fmaf(-0x1.2ee69cp-1f, s, 0x1.4665e6p+1f);
  p = __builtin_fmaf(p, s, -0x1.4abbccp+2f);
  return __builtin_fmaf(r, 0x1.921fb6p+1f, mul(r, __builtin_fmaf(p, s, -0x1.777a5cp-24f)));
}
INTERNAL float cosine_of_pi_times(float r) {
  const float s = mul(r, r);
  float p = __builtin_fmaf(0x1.db6264p-3f, s, -0x1.55cb92p+0f);
  p = __builtin_fmaf(p, s, 0x1.03c1eap+2f);
  p = __builtin_fmaf(p, s, -0x1.3bd3ccp+2f);
  return __builtin_fmaf(p, s, 1.0f);
}
// Whole arguments give a zero with the sign of x for the sine, halves give +0 for the cosine.
DEVICE float __nv_sinpif(float x) {
  int quadrant;
  const float r = reduce_half_turn(x, &quadrant);
  const float value = quadrant & 1 ? cosine_of_pi_times(r) : sine_of_pi_times(r);
  return __builtin_truncf(x) == x ? x * 0.0f : (quadrant & 2 ? -value : value);
}
DEVICE float __nv_cospif(float x) {
  int quadrant;
  const float r = reduce_half_turn(x, &quadrant);
  const float value = quadrant & 1 ? sine_of_pi_times(r) : cosine_of_pi_times(r);
  return quadrant & 1 && r == 0.0f ? 0.0f : ((quadrant + 1) & 2 ? -value : value);
}

// Near zero a polynomial; otherwise 1 - 2^p, where p approximates log2(erfc).
DEVICE float __nv_erff(float x) {
  const float a = __builtin_fabsf(x);
  const float s = mul(x, x);
  float near = __builtin_fmaf(0x1.496a30p-14f, s, -0x1.a3f700p-11f);
  near = __builtin_fmaf(near, s, 0x1.5405b2p-8f);
  near = __builtin_fmaf(near, s, -0x1.b7f90ep-6f);
  near = __builtin_fmaf(near, s, 0x1.ce2cf8p-4f);
  near = __builtin_fmaf(near, s, -0x1.81273ep-2f);
  near = __builtin_fmaf(near, s, 0x1.06eba8p-3f);
  const float b = __builtin_fminf(a, 4.0f);
  float p = __builtin_fmaf(0x1.099088p-19f, b, -0x1.f8fe3cp-15f);
  p = __builtin_fmaf(p, b, 0x1.ac8d72p-11f);
  p = __builtin_fmaf(p, b, -0x1.b6db7ap-8f);
  p = __builtin_fmaf(p, b, 0x1.34ee56p-5f);
  p = __builtin_fmaf(p, b, -0x1.4400acp-3f);
  p = __builtin_fmaf(p, b, -0x1.d2fd36p-1f);
  p = __builtin_fmaf(p, b, -0x1.a15b32p+0f);
  p = __builtin_fmaf(p, b, 0x1.a2e894p-12f);
  const float far = add(1.0f, -exp2_ftz(p));
  if (a < 1.0f) return __builtin_fmaf(near, x, x);
  return a != a ? x : float_of(bits_of(far) | (bits_of(x) & 0x80000000u));
}

DEVICE float __nv_tanhf(float x) {
  const float a = __builtin_fabsf(x);
  const float s = mul(x, x);
  float near = __builtin_fmaf(-0x1.830c08p-8f, s, 0x1.54e01cp-6f);
  near = __builtin_fmaf(near, s, -0x1.b89edap-5f);
  near = __builtin_fmaf(near, s, 0x1.1109dcp-3f);
  near = __builtin_fmaf(near, s, -0x1.55553ep-2f);
  near = __builtin_fmaf(near, mul(a, s), a);
  const float e = exp2_ftz(mul(a, 0x1.715476p+1f));
  const float far = __builtin_fmaf(-2.0f, __nvvm_rcp_approx_ftz_f(add(e, 1.0f)), 1.0f);
  return float_of(bits_of(a < 0.6f ? near : far) | (bits_of(x) & 0x80000000u));
}
