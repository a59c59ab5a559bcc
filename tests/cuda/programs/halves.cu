// Every function of cuda_fp16.h and cuda_bf16.h, on edge cases and ordinary numbers, compared with
// doubles of the host that are rounded once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "check.h"

constexpr int kNumbers = 64;
constexpr int kMax = 256;  // functions

// A 16-bit format on the host: mantissa and exponent bits.
struct Format {
  int mantissa, exponent;
  double value(unsigned bits) const {
    const int e = static_cast<int>(bits >> mantissa) & ((1 << exponent) - 1),
              bias = (1 << (exponent - 1)) - 1;
    const unsigned m = bits & ((1u << mantissa) - 1);
    const double sign = bits >> 15 ? -1 : 1;
    if (e == (1 << exponent) - 1) return m ? NAN : sign * INFINITY;
    return sign * (e ? std::ldexp(static_cast<double>(m + (1u << mantissa)), e - bias - mantissa)
                     : std::ldexp(static_cast<double>(m), 1 - bias - mantissa));
  }
  // Rounds in a direction: 0 nearest even, 1 towards zero, 2 down, 3 up. From a long double, so
  // that nothing is rounded before.
  unsigned bits(long double x, int direction = 0) const {
    const unsigned infinity = ((1u << exponent) - 1) << mantissa,
                   sign = std::signbit(x) ? 0x8000 : 0;
    if (x != x) return 0x7fff;
    if (std::isinf(x)) return sign | infinity;
    unsigned lower = 0;  // the largest pattern not above |x|
    for (unsigned step = 0x4000; step; step >>= 1) {
      if (lower + step > infinity) continue;
      const long double there = lower + step == infinity
                                    ? std::ldexp(1.0L, 1 << (exponent - 1))
                                    : static_cast<long double>(value(lower + step));
      if (there <= std::fabs(x)) lower += step;
    }
    if (lower == infinity)
      return direction == 1 || (direction == 2 && !sign) || (direction == 3 && sign)
                 ? sign | (infinity - 1)
                 : sign | infinity;
    const long double low = value(lower), high = lower + 1 == infinity
                                                     ? std::ldexp(1.0L, 1 << (exponent - 1))
                                                     : value(lower + 1);
    if (low == std::fabs(x)) return sign | lower;
    bool up = false;
    if (direction == 0)
      up = std::fabs(x) - low > high - std::fabs(x) ||
           (std::fabs(x) - low == high - std::fabs(x) && (lower & 1));
    if (direction == 2) up = sign != 0;
    if (direction == 3) up = sign == 0;
    return sign | (lower + up);
  }
};
constexpr Format kHalf{10, 5}, kBrain{7, 8};

// Functions by their operands. ref: computed from A, B, C (doubles). `loose` results may differ by
// one unit.
#define ARITHMETIC(F1, F2, F3, L1)              \
  F1(__habs, std::fabs(A))                      \
  F1(__hneg, -A)                                \
  F1(hfloor, std::floor(A))                     \
  F1(hceil, std::ceil(A))                       \
  F1(htrunc, std::trunc(A))                     \
  F1(hrint, std::nearbyint(A))                  \
  F2(__hadd, A + B)                             \
  F2(__hsub, A - B)                             \
  F2(__hmul, A* B)                              \
  F2(__hadd_rn, A + B)                          \
  F2(__hsub_rn, A - B)                          \
  F2(__hmul_rn, A* B)                           \
  L2_DIVISION(F2)                               \
  F2(__hadd_sat, sat(A + B))                    \
  F2(__hsub_sat, sat(A - B))                    \
  F2(__hmul_sat, sat(A* B))                     \
  F2(__hmax, larger(A, B))                      \
  F2(__hmin, -larger(-A, -B))                   \
  F2(__hmax_nan, nan_of(A, B, larger(A, B)))    \
  F2(__hmin_nan, nan_of(A, B, -larger(-A, -B))) \
  F3(__hfma, fused(A, B, C))                    \
  F3(__hfma_sat, sat(fused(A, B, C)))           \
  F3(__hfma_relu, relu(fused(A, B, C)))         \
  L1(hsqrt, std::sqrt(A))                       \
  L1(hrsqrt, 1 / std::sqrt(A))                  \
  L1(hrcp, 1 / A)                               \
  L1(hexp, std::exp(A))                         \
  L1(hexp2, std::exp2(A))                       \
  L1(hexp10, std::pow(10, A))                   \
  L1(hlog, std::log(A))                         \
  L1(hlog2, std::log2(A))                       \
  L1(hlog10, std::log10(A))                     \
  L1(hsin, ordinary(A) ? std::sin(A) : NAN)     \
  L1(hcos, ordinary(A) ? std::cos(A) : NAN)     \
  L1(htanh, std::tanh(A))
#define L2_DIVISION(F2) F2(__hdiv, A / B)
#define COMPARISONS(F)      \
  F(eq, A == B)             \
  F(ne, A<B || A> B)        \
  F(lt, A < B)              \
  F(le, A <= B)             \
  F(gt, A > B)              \
  F(ge, A >= B)             \
  F(equ, !(A < B || A > B)) \
  F(neu, !(A == B))         \
  F(ltu, !(A >= B))         \
  F(leu, !(A > B))          \
  F(gtu, !(A <= B))         \
  F(geu, !(A < B))

static long double larger(long double a, long double b) {
  if (a != a) return b;
  if (b != b) return a;
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
static long double nan_of(long double a, long double b, long double r) {
  return a != a || b != b ? static_cast<long double>(NAN) : r;
}
static long double sat(long double a) { return a > 0 ? (a < 1 ? a : 1) : 0; }
static long double relu(long double a) { return a != a ? a : a > 0 ? a : 0; }
static bool ordinary(long double a) { return std::fabs(a) < 100; }
// The product is exact in a 64-bit mantissa. Lost digits of the sum set its last bit.
static long double fused(long double a, long double b, long double c) {
  const long double p = a * b, s = p + c, back = s - p, lost = (p - (s - back)) + (c - back);
  return lost != 0 && std::isfinite(s) ? s + lost : s;
}

template <class N>
__device__ unsigned bits_of(N a) {
  unsigned short b;
  memcpy(&b, &a, 2);
  return b;
}
template <class P>
__device__ unsigned pair_bits(P a) {
  unsigned b;
  memcpy(&b, &a, 4);
  return b;
}

template <class N, class P>
__global__ void apply(const unsigned short* in, unsigned* out) {
  const int t = threadIdx.x;
  N a, b, c;
  memcpy(&a, &in[t], 2), memcpy(&b, &in[(5 * t + 1) % kNumbers], 2),
      memcpy(&c, &in[(11 * t + 2) % kNumbers], 2);
  int n = 0;
#define F1(name, ref) out[kNumbers * n++ + t] = bits_of(name(a));
#define F2(name, ref) out[kNumbers * n++ + t] = bits_of(name(a, b));
#define F3(name, ref) out[kNumbers * n++ + t] = bits_of(name(a, b, c));
  ARITHMETIC(F1, F2, F3, F1)
#undef F1
#undef F2
#undef F3
  const P p(a, b), q(b, c);
#define F(name, ref)                                       \
  out[kNumbers * n++ + t] = __h##name(a, b);               \
  out[kNumbers * n++ + t] = __h##name##2_mask(p, q);       \
  out[kNumbers * n++ + t] = pair_bits(__h##name##2(p, q)); \
  out[kNumbers * n++ + t] = __hb##name##2(p, q);
  COMPARISONS(F)
#undef F
}

static bool agrees(const Format& f, unsigned got, unsigned want, bool loose) {
  const bool nan = f.value(want) != f.value(want);
  if (nan) return f.value(got) != f.value(got);
  return got == want || (loose && (got + 1 == want || got == want + 1));
}

template <class N, class P>
void check(const Format& f, const char* type) {
  unsigned short in[kNumbers];
  const double edges[] = {0.0,  -0.0, 1,     -1,     INFINITY, -INFINITY, NAN, 0.5,
                          -2.5, 1e-6, 60000, -60000, 0.1,      3.5,       2.5, 1e-7};
  unsigned seed = 9;
  for (int i = 0; i < kNumbers; ++i) {
    seed = seed * 1664525 + 1013904223;
    in[i] = static_cast<unsigned short>(
        i < 16 ? f.bits(edges[i])
               : f.bits((static_cast<double>(seed >> 8) / (1 << 24) - 0.5) * (i % 3 ? 16 : 0.01)));
  }
  unsigned short* din;
  unsigned* dout;
  static unsigned out[kMax * kNumbers];
  cudaMalloc(&din, sizeof in);
  cudaMalloc(&dout, sizeof out);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  apply<N, P><<<1, kNumbers>>>(din, dout);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  for (int t = 0; t < kNumbers; ++t) {
    const int at[] = {t, (5 * t + 1) % kNumbers, (11 * t + 2) % kNumbers};
    const double a = f.value(in[at[0]]), b = f.value(in[at[1]]), c = f.value(in[at[2]]);
    const long double A = a, B = b, C = c;
    (void)C;
    int n = 0;
    const auto judge = [&](const char* name, long double ref, bool loose) {
      const unsigned got = out[kNumbers * n++ + t], want = f.bits(ref);
      if (agrees(f, got, want, loose) || (loose && ref != ref && !ordinary(a)))
        return;  // sines of large angles are not defined well enough
      if (++mistakes < 20)
        std::printf("%s %s(%g, %g, %g): %04x, not %04x\n", type, name, a, b, c, got, want);
    };
#define EXACT(name, ref) judge(#name, ref, false);
#define LOOSE(name, ref) judge(#name, ref, true);
    ARITHMETIC(EXACT, EXACT, EXACT, LOOSE)
#undef EXACT
#undef LOOSE
    const auto holds = [&](const char* name, unsigned want) {
      const unsigned got = out[kNumbers * n++ + t];
      if (got != want && ++mistakes < 20)
        std::printf("%s %s(%g, %g, %g): %x, not %x\n", type, name, a, b, c, got, want);
    };
    const auto test = [&](const char* name, bool first, bool second) {
      const unsigned one = f.bits(1);
      holds(name, first);
      holds(name, (first ? 0xffffu : 0) | (second ? 0xffff0000u : 0));
      holds(name, (first ? one : 0) | (second ? one << 16 : 0));
      holds(name, first && second);
    };
#define F(name, ref)                                        \
  {                                                         \
    const auto of = [](double A, double B) { return ref; }; \
    test(#name, of(a, b), of(b, c));                        \
  }
    COMPARISONS(F)
#undef F
  }
}

// Conversions, in all rounding directions.
#define EACH_MODE(F, ...) \
  F(_rn, 0, __VA_ARGS__)  \
  F(_rz, 1, __VA_ARGS__)  \
  F(_rd, 2, __VA_ARGS__)  \
  F(_ru, 3, __VA_ARGS__)
#define FROM_TYPES(F)        \
  F(int, int)                \
  F(uint, unsigned)          \
  F(short, short)            \
  F(ushort, unsigned short)  \
  F(ll, long long)           \
  F(ull, unsigned long long) \
  F(float, float)
#define TO_TYPES(F)         \
  F(int, int)               \
  F(uint, unsigned)         \
  F(short, short)           \
  F(ushort, unsigned short) \
  F(ll, long long)          \
  F(ull, unsigned long long)

template <class T>
__host__ __device__ T sample(int t) {
  const unsigned long long word = 0x9e3779b97f4a7c15ull * static_cast<unsigned long long>(t + 1);
  return static_cast<T>(t < 8 ? word >> 40 : t < 40 ? word >> (t % 8 + 44) : word);
}
template <>
__host__ __device__ float sample<float>(int t) {
  return static_cast<float>(sample<int>(t)) * (t % 2 ? 1e-6f : -3e-10f);
}

#define CONVERSIONS(name, N)                                            \
  __global__ void from_##name(unsigned* out) {                          \
    const int t = threadIdx.x;                                          \
    int n = 0;                                                          \
    FROM_TYPES(FROM_##name)                                             \
  }                                                                     \
  __global__ void to_##name(const unsigned short* in, long long* out) { \
    const int t = threadIdx.x;                                          \
    N a;                                                                \
    memcpy(&a, &in[t], 2);                                              \
    int n = 0;                                                          \
    TO_TYPES(TO_##name)                                                 \
  }
#define FROM_half(source, T) EACH_MODE(FROM_ONE_half, source, T)
#define FROM_ONE_half(mode, direction, source, T) \
  out[kNumbers * n++ + t] = bits_of(__##source##2half##mode(sample<T>(t)));
#define TO_half(target, T) EACH_MODE(TO_ONE_half, target, T)
#define TO_ONE_half(mode, direction, target, T) \
  out[kNumbers * n++ + t] = static_cast<long long>(__half2##target##mode(a));
#define FROM_bfloat16(source, T) EACH_MODE(FROM_ONE_bfloat16, source, T)
#define FROM_ONE_bfloat16(mode, direction, source, T) \
  out[kNumbers * n++ + t] = bits_of(__##source##2bfloat16##mode(sample<T>(t)));
#define TO_bfloat16(target, T) EACH_MODE(TO_ONE_bfloat16, target, T)
#define TO_ONE_bfloat16(mode, direction, target, T) \
  out[kNumbers * n++ + t] = static_cast<long long>(__bfloat162##target##mode(a));
CONVERSIONS(half, __half)
CONVERSIONS(bfloat16, __nv_bfloat16)

template <class T>
T clamped(double x, int direction) {
  const double whole = direction == 0   ? std::nearbyint(x)
                       : direction == 1 ? std::trunc(x)
                       : direction == 2 ? std::floor(x)
                                        : std::ceil(x);
  const bool is_signed = static_cast<T>(-1) < 0;
  const int digits = static_cast<int>(sizeof(T)) * 8 - is_signed;
  if (whole != whole) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : T(0);
  const double end = std::ldexp(1.0, digits);
  if (whole >= end) return static_cast<T>(~0ull >> (64 - digits));
  if (whole < (is_signed ? -end : 0))
    return is_signed ? static_cast<T>(1ull << (sizeof(T) * 8 - 1)) : T(0);
  return static_cast<T>(whole);
}

void check_conversions(const Format& f, const char* type, void (*from)(unsigned*),
                       void (*to)(const unsigned short*, long long*)) {
  unsigned* dfrom;
  long long* dto;
  unsigned short* din;
  static unsigned of[28 * kNumbers];
  static long long into[24 * kNumbers];
  unsigned short in[kNumbers];
  for (int i = 0; i < kNumbers; ++i)
    in[i] = static_cast<unsigned short>(i < 8 ? i * 0x2400 : i * 977 + 0x3000);
  cudaMalloc(&dfrom, sizeof of);
  cudaMalloc(&dto, sizeof into);
  cudaMalloc(&din, sizeof in);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  from<<<1, kNumbers>>>(dfrom);
  to<<<1, kNumbers>>>(din, dto);
  cudaMemcpy(of, dfrom, sizeof of, cudaMemcpyDeviceToHost);
  cudaMemcpy(into, dto, sizeof into, cudaMemcpyDeviceToHost);
  for (int t = 0; t < kNumbers; ++t) {
    int n = 0, m = 0;
#define HOST_FROM(source, T) EACH_MODE(HOST_FROM_ONE, source, T)
#define HOST_FROM_ONE(mode, direction, source, T)                       \
  if (const unsigned got = of[kNumbers * n++ + t],                      \
      want = f.bits(static_cast<long double>(sample<T>(t)), direction); \
      got != want && ++mistakes < 20)                                   \
    std::printf("%s from " #source #mode "(%Lg): %x, not %x\n", type,   \
                static_cast<long double>(sample<T>(t)), got, want);
    FROM_TYPES(HOST_FROM)
#define HOST_TO(target, T) EACH_MODE(HOST_TO_ONE, target, T)
#define HOST_TO_ONE(mode, direction, target, T)                             \
  if (const long long got = into[kNumbers * m++ + t],                       \
      want = static_cast<long long>(clamped<T>(f.value(in[t]), direction)); \
      got != want && ++mistakes < 20)                                       \
    std::printf("%s to " #target #mode "(%g): %lld, not %lld\n", type, f.value(in[t]), got, want);
    TO_TYPES(HOST_TO)
  }
}

int main() {
  check<__half, __half2>(kHalf, "half");
  check<__nv_bfloat16, __nv_bfloat162>(kBrain, "bfloat16");
  check_conversions(kHalf, "half", from_half, to_half);
  check_conversions(kBrain, "bfloat16", from_bfloat16, to_bfloat16);
  return report();
}
