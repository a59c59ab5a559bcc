// Rounding to 16-bit floating point. The intermediate float is rounded to odd: its last bit records
// lost digits. The second rounding then has the result of a single one.
#pragma once

namespace heddle {

enum class Toward { nearest, zero, down, up };

#define HEDDLE_ROUNDS static __inline__ __host__ __device__ __attribute__((always_inline))

HEDDLE_ROUNDS float odd_float(float a) { return a; }
HEDDLE_ROUNDS float odd_float(double a) {
  float f = static_cast<float>(a);
  if (static_cast<double>(f) == a || a != a) return f;
  unsigned int bits;
  __builtin_memcpy(&bits, &f, 4);
  if ((static_cast<double>(f) > a) == !(bits >> 31)) --bits;  // towards zero
  bits |= 1;
  __builtin_memcpy(&f, &bits, 4);
  return f;
}
HEDDLE_ROUNDS float odd_float(unsigned long long a) {
  if (a >> 53)
    a = (a & ~0xfffull) | (a & 0x7ff ? 0x800 : 0) | (a & 0x800);  // lost digits set the last bit
  return odd_float(static_cast<double>(a));
}
HEDDLE_ROUNDS float odd_float(long long a) {
  const float f = odd_float(a < 0 ? 0 - static_cast<unsigned long long>(a)
                                  : static_cast<unsigned long long>(a));
  return a < 0 ? -f : f;
}
HEDDLE_ROUNDS float odd_float(int a) { return odd_float(static_cast<double>(a)); }
HEDDLE_ROUNDS float odd_float(unsigned int a) { return odd_float(static_cast<double>(a)); }
HEDDLE_ROUNDS float odd_float(short a) { return a; }
HEDDLE_ROUNDS float odd_float(unsigned short a) { return a; }

// a * b is exact in a double. Lost digits of the sum set its last bit.
HEDDLE_ROUNDS float odd_fma(float a, float b, float c) {
  const double p = static_cast<double>(a) * static_cast<double>(b), q = c, s = p + q;
  const double back = s - p, lost = (p - (s - back)) + (q - back);
  unsigned long long bits;
  __builtin_memcpy(&bits, &s, 8);
  if (lost != 0 && !(bits & 1) && s - s == 0) bits += (lost > 0) == !(bits >> 63) ? 1 : ~0ull;
  double odd;
  __builtin_memcpy(&odd, &bits, 8);
  return odd_float(odd);
}

// Converts a float without a fraction to an integer and saturates. NaN becomes 0, or the highest
// bit for 64 bits.
template <class T>
HEDDLE_ROUNDS T whole(float a) {
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  constexpr int digits = static_cast<int>(sizeof(T)) * 8 - is_signed;
  constexpr T most = static_cast<T>(~0ull >> (64 - digits)),
              least = is_signed ? static_cast<T>(-most - 1) : static_cast<T>(0);
  if (a != a) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : static_cast<T>(0);
  const float end = static_cast<float>(1ull << (digits - 1)) * 2;
  if (a >= end) return most;
  return a < static_cast<float>(least) ? least : static_cast<T>(a);
}

#undef HEDDLE_ROUNDS

}  // namespace heddle
