// Exponentials, logarithms and powers of floats: Heddle's own short functions, about as long as
// nvcc's code. Coefficients are minimax fits. Errors are within CUDA's published
// bounds (C++ Programming Guide, "Mathematical Functions").
#include "device.h"
#include "float_parts.h"

float __nv_fast_expf(float);
float __nv_fast_exp10f(float);
float __nv_fast_log10f(float);
float __nv_fast_powf(float, float);

// e^x = 2^n * 2^t with an integer n that fits the exponent field; t contains the rest of x.
DEVICE float __nv_expf(float x) {
  if (FLUSHES) return __nv_fast_expf(x);
  const float scaled = __builtin_fminf(__builtin_fmaxf(x * 0x1.715476p+0f, -126.0f), 127.0f);
  const float shifted = add(scaled, kToInteger + 127.0f);
  const float n = add(shifted, -(kToInteger + 127.0f));
  float rest = __builtin_fmaf(n, -0x1.62e430p-1f, x);
  rest = __builtin_fmaf(n, 0x1.05c610p-29f, rest);
  return exp2_ftz(mul(rest, 0x1.715476p+0f)) * float_of(bits_of(shifted) << 23);
}

DEVICE float __nv_exp10f(float x) {
  if (FLUSHES) return __nv_fast_exp10f(x);
  const float scaled = __builtin_fminf(__builtin_fmaxf(x * 0x1.a934f0p+1f, -126.0f), 127.0f);
  const float shifted = add(scaled, kToInteger + 127.0f);
  const float n = add(shifted, -(kToInteger + 127.0f));
  float rest = __builtin_fmaf(n, -0x1.344136p-2f, x);
  rest = __builtin_fmaf(n, 0x1.ec10c0p-27f, rest);
  const float t = __builtin_fmaf(rest, 0x1.a934f0p+1f, rest * 0x1.2f346ep-24f);
  return exp2_ftz(t) * float_of(bits_of(shifted) << 23);
}

DEVICE float __nv_exp2f(float x) {
  return FLUSHES ? __nvvm_ex2_approx_ftz_f(x) : __nvvm_ex2_approx_f(x);
}

// x = 2^e * (1 + f) with 1 + f between the roots of 1/2 and 2; returns log(1 + f) - f.
INTERNAL float log_parts(float x, float* e, float* f) {
  const int subnormal = x < 0x1p-126f;
  const float a = subnormal ? x * 0x1p23f : x;
  const int i = (int)((bits_of(a) - 0x3f3504f3u) & 0xff800000u);
  *f = add(float_of(bits_of(a) - (uint)i), -1.0f);
  *e = __builtin_fmaf((float)i, 0x1p-23f, subnormal ? -23.0f : 0.0f);
  float p = 0x1.1c3728p-4f;
  p = __builtin_fmaf(p, *f, -0x1.e5541ep-4f);
  p = __builtin_fmaf(p, *f, 0x1.e6fba2p-4f);
  p = __builtin_fmaf(p, *f, -0x1.faf820p-4f);
  p = __builtin_fmaf(p, *f, 0x1.232a28p-3f);
  p = __builtin_fmaf(p, *f, -0x1.55642cp-3f);
  p = __builtin_fmaf(p, *f, 0x1.99a518p-3f);
  p = __builtin_fmaf(p, *f, -0x1.ffffeap-3f);
  p = __builtin_fmaf(p, *f, 0x1.555548p-2f);
  p = __builtin_fmaf(p, *f, -0.5f);
  return mul(p, mul(*f, *f));
}

// Special cases: zero, infinity, NaN and negative numbers.
INTERNAL int ordinary(float x) { return bits_of(x) - 1u < 0x7f7fffffu; }
INTERNAL float extraordinary_log(float x) {
  const float finite = x == 0.0f ? -__builtin_inff() : __builtin_nanf("");
  return bits_of(x) - 0x7f800000u < 0x00800000u ? x + x : finite;
}

DEVICE float __nv_logf(float x) {
  float e, f;
  const float tail = log_parts(x, &e, &f);
  const float result = __builtin_fmaf(e, 0x1.62e430p-1f, add(tail, f));
  return ordinary(x) ? result : extraordinary_log(x);
}

DEVICE float __nv_log2f(float x) {
  float e, f;
  const float tail = log_parts(x, &e, &f);
  const float p = mul(f, 0x1.715476p+0f);
  const float p_low = __builtin_fmaf(f, 0x1.4ae0c0p-26f, __builtin_fmaf(f, 0x1.715476p+0f, -p));
  const float high = add(e, p);
  const float low = add(add(add(e, -high), p), p_low);
  const float result = add(high, __builtin_fmaf(tail, 0x1.715476p+0f, low));
  return ordinary(x) ? result : extraordinary_log(x);
}

DEVICE float __nv_log10f(float x) {
  if (FLUSHES) return __nv_fast_log10f(x);
  float e, f;
  const float tail = log_parts(x, &e, &f);
  float r = __builtin_fmaf(f, -0x1.5b235ep-27f, mul(e, -0x1.ec10c0p-27f));
  r = __builtin_fmaf(tail, 0x1.bcb7b2p-2f, r);
  r = __builtin_fmaf(f, 0x1.bcb7b2p-2f, r);
  const float result = __builtin_fmaf(e, 0x1.344136p-2f, r);
  return ordinary(x) ? result : extraordinary_log(x);
}

// |x|^y for finite positive |x| and finite y: log2|x| to about 31 bits in two floats, times y, to
// the power of two.
INTERNAL float pow_core(float x, float y) {
  const int subnormal = x < 0x1p-126f;
  const float a = subnormal ? x * 0x1p24f : x;
  const int i = (int)((bits_of(a) - 0x3f3504f3u) & 0xff800000u);
  const float m = float_of(bits_of(a) - (uint)i);
  const float e = __builtin_fmaf((float)i, 0x1p-23f, subnormal ? -24.0f : 0.0f);
  // log(m) = u + u^3 q(u^2) with u = 2 (m - 1) / (m + 1), in two floats.
  const float f = add(m, -1.0f);
  const float d = add(f, 2.0f);
  const float d_low = add(f, -add(d, -2.0f));
  const float inverse = __nvvm_rcp_approx_ftz_f(d);
  const float u = mul(mul(f, 2.0f), inverse);
  const float rest = __builtin_fmaf(-u, d_low, __builtin_fmaf(-u, d, mul(f, 2.0f)));
  const float s = mul(u, u);
  float q = __builtin_fmaf(0x1.e2f8bep-12f, s, 0x1.2438c8p-9f);
  q = __builtin_fmaf(q, s, 0x1.999a7ap-7f);
  q = __builtin_fmaf(q, s, 0x1.555554p-4f);
  const float w = mul(s, q);
  const float t = mul(u, w);
  const float u_low = mul(rest, __builtin_fmaf(inverse, mul(w, 3.0f), inverse));
  const float v = add(u, t);
  const float v_low = add(add(add(u, -v), t), u_low);
  // log2|x| = e + log(m) log2(e).
  const float p = mul(v, 0x1.715476p+0f);
  const float p_low =
      __builtin_fmaf(v_low, 0x1.715476p+0f,
                     __builtin_fmaf(v, 0x1.4ae0c0p-26f, __builtin_fmaf(v, 0x1.715476p+0f, -p)));
  const float whole = add(e, p);
  const float part = add(add(add(e, -whole), p), p_low);
  const float z = mul(whole, y);
  const float z_low = __builtin_fmaf(part, y, __builtin_fmaf(whole, y, -z));
  const float bounded = __builtin_fminf(__builtin_fmaxf(z, -126.0f), 127.0f);
  const float shifted = add(bounded, kToInteger + 127.0f);
  const float n = add(shifted, -(kToInteger + 127.0f));
  const float power = add(add(z, -n), __builtin_fabsf(z) < 0x1p10f ? z_low : 0.0f);
  return exp2_ftz(power) * float_of(bits_of(shifted) << 23);
}

DEVICE float __nv_powf(float x, float y) {
  if (FLUSHES) return __nv_fast_powf(x, y);
  if (x == 1.0f || y == 0.0f) return 1.0f;
  const float a = __builtin_fabsf(x);
  if (x != x || y != y) return x + y;
  const int whole = __builtin_truncf(y) == y;
  const int odd = whole && __builtin_truncf(y * 0.5f) != y * 0.5f;
  if (__builtin_fabsf(y) == __builtin_inff())
    return a == 1.0f ? 1.0f : ((a > 1.0f) == (y > 0.0f) ? __builtin_inff() : 0.0f);
  if (a == 0.0f || a == __builtin_inff()) {
    const float limit = (a == 0.0f) == (y > 0.0f) ? 0.0f : __builtin_inff();
    return odd && bits_of(x) >> 31 ? -limit : limit;
  }
  const float result = pow_core(a, y);
  if (x < 0.0f) return whole ? (odd ? -result : result) : __builtin_nanf("");
  return result;
}
