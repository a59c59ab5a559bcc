// fmod is exact: the remainder of the integer mantissas, reduced by as many bits per step as fit
// into an integer. The remainder is in units of the divisor's last place.
#include "double_parts.h"

// Returns the low bits of the quotient, for remquo.
INTERNAL uint64 divided(uint64 rest, uint64 divisor, int shift, int room, uint* quotient) {
  uint64 q = rest / divisor;
  rest %= divisor;
  *quotient = (uint)q;
  while (shift > 0 && (rest != 0 || *quotient != 0)) {
    const int step = shift < room ? shift : room;
    q = (rest << step) / divisor;
    rest = (rest << step) % divisor;
    *quotient = step > 31 ? (uint)q : (*quotient << step) + (uint)q;
    shift -= step;
  }
  return rest;
}
INTERNAL uint64 remainder_of(uint64 rest, uint64 divisor, int shift, int room) {
  uint ignored;
  return divided(rest, divisor, shift, room, &ignored);
}

DEVICE float __nv_fmodf(float x, float y) {
  const uint a = bits_of(x) & 0x7fffffffu, b = bits_of(y) & 0x7fffffffu;
  if (a >= 0x7f800000u || b == 0 || b > 0x7f800000u) return __builtin_nanf("");
  if (a < b) return x;
  const int ea = a >> 23 ? (int)(a >> 23) : 1, eb = b >> 23 ? (int)(b >> 23) : 1;
  const uint ma = (a & 0x7fffffu) | (a >> 23 ? 0x800000u : 0u),
             mb = (b & 0x7fffffu) | (b >> 23 ? 0x800000u : 0u);
  const uint64 rest = remainder_of(ma, mb, ea - eb, 40);
  const float magnitude = (float)((double)rest * power_of_two(eb - 150));
  return float_of(bits_of(magnitude) | (bits_of(x) & 0x80000000u));
}

DEVICE double __nv_fmod(double x, double y) {
  const uint64 sign = 1ull << 63, infinity = 0x7ff0000000000000ull, hidden = 1ull << 52;
  const uint64 a = bits_of_double(x) & ~sign, b = bits_of_double(y) & ~sign;
  if (a >= infinity || b == 0 || b > infinity) return __builtin_nan("");
  if (a < b) return x;
  const int ea = a >> 52 ? (int)(a >> 52) : 1, eb = b >> 52 ? (int)(b >> 52) : 1;
  const uint64 ma = (a & (hidden - 1)) | (a >> 52 ? hidden : 0),
               mb = (b & (hidden - 1)) | (b >> 52 ? hidden : 0);
  const uint64 rest = remainder_of(ma, mb, ea - eb, 11);
  const int half =
      (eb - 1075) / 2;  // in two steps: the factor itself may be below the smallest normal number
  const double magnitude = (double)rest * power_of_two(half) * power_of_two(eb - 1075 - half);
  return double_of(bits_of_double(magnitude) | (bits_of_double(x) & sign));
}

// With the nearest integer quotient, ties to even; stores its sign and low three bits in *quotient.
DEVICE double __nv_remquo(double x, double y, int* quotient) {
  const uint64 sign = 1ull << 63, infinity = 0x7ff0000000000000ull, hidden = 1ull << 52;
  const uint64 a = bits_of_double(x) & ~sign, b = bits_of_double(y) & ~sign;
  *quotient = 0;
  if (a >= infinity || b == 0 || b > infinity) return __builtin_nan("");
  if (b == infinity) return x;
  const int ea = a >> 52 ? (int)(a >> 52) : 1, eb = b >> 52 ? (int)(b >> 52) : 1;
  const uint64 ma = (a & (hidden - 1)) | (a >> 52 ? hidden : 0),
               mb = (b & (hidden - 1)) | (b >> 52 ? hidden : 0);
  const double divisor = double_of(b);
  uint q = 0;
  double rest = double_of(a);
  if (a >= b) {
    const uint64 digits = divided(ma, mb, ea - eb, 11, &q);
    const int half = (eb - 1075) / 2;
    rest = (double)digits * power_of_two(half) * power_of_two(eb - 1075 - half);
  }
  const double above = divisor - rest;  // exact where it matters
  if (above < rest || (above == rest && q & 1)) {
    rest = -above;
    ++q;
  }
  const int negative = (bits_of_double(x) ^ bits_of_double(y)) >> 63 != 0;
  *quotient = negative ? -(int)(q & 7) : (int)(q & 7);
  return bits_of_double(x) >> 63 ? -rest : rest;
}
DEVICE double __nv_remainder(double x, double y) {
  int ignored;
  return __nv_remquo(x, y, &ignored);
}
// Floats use the double function: the result is exact in both types.
DEVICE float __nv_remquof(float x, float y, int* quotient) {
  return (float)__nv_remquo((double)x, (double)y, quotient);
}
DEVICE float __nv_remainderf(float x, float y) {
  int ignored;
  return __nv_remquof(x, y, &ignored);
}
