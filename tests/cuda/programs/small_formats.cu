// Floats of 4 and 6 bits and powers of two of 8 bits: every number, and conversions of every half
// precision number, compared with the nearest number of a table. Prints PASS or the failed check.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

#include "check.h"

struct Codes {
  unsigned char e2m1, e2m3, e3m2, up, down;
  float from_e2m1, from_e2m3, from_e3m2, from_e8m0;
};
__host__ __device__ Codes convert(unsigned short bits) {
  __half_raw raw;
  raw.x = bits;
  __nv_bfloat16_raw wide;
  wide.x = bits;
  const auto code = static_cast<unsigned char>(bits);
  Codes c;
  c.e2m1 = __nv_cvt_halfraw_to_fp4(raw, __NV_E2M1, cudaRoundNearest);
  c.e2m3 = __nv_cvt_halfraw_to_fp6(raw, __NV_E2M3, cudaRoundNearest);
  c.e3m2 = __nv_cvt_halfraw_to_fp6(raw, __NV_E3M2, cudaRoundNearest);
  c.up = __nv_cvt_bfloat16raw_to_e8m0(wide, __NV_SATFINITE, cudaRoundPosInf);
  c.down = __nv_cvt_bfloat16raw_to_e8m0(wide, __NV_NOSAT, cudaRoundZero);
  c.from_e2m1 = __half2float(__half(__nv_cvt_fp4_to_halfraw(code & 15, __NV_E2M1)));
  c.from_e2m3 = __half2float(__half(__nv_cvt_fp6_to_halfraw(code & 63, __NV_E2M3)));
  c.from_e3m2 = __half2float(__half(__nv_cvt_fp6_to_halfraw(code & 63, __NV_E3M2)));
  c.from_e8m0 = __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(code)));
  return c;
}
__global__ void convert_all(Codes* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = convert(static_cast<unsigned short>(i));
}

// The number of a code, by the definition of the format.
static double value(unsigned code, int exponent_bits, int mantissa_bits, int bias) {
  const int exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double fraction = (code & ((1 << mantissa_bits) - 1)) / std::ldexp(1, mantissa_bits);
  const double size =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return code >> (exponent_bits + mantissa_bits) ? -size : size;
}

// The code of the nearest number; of two equally near ones the even code.
static unsigned nearest(double x, int exponent_bits, int mantissa_bits, int bias) {
  const unsigned sign = 1u << (exponent_bits + mantissa_bits);
  if (std::isnan(x)) return sign - 1;
  unsigned best = 0;
  for (unsigned code = 1; code < sign; ++code) {
    const double old = std::fabs(std::fabs(x) - value(best, exponent_bits, mantissa_bits, bias));
    const double now = std::fabs(std::fabs(x) - value(code, exponent_bits, mantissa_bits, bias));
    if (now < old || (now == old && code % 2 == 0)) best = code;
  }
  if (std::isinf(x)) best = sign - 1;
  return best | (std::signbit(x) ? sign : 0);
}

static unsigned power_of_two(float x, bool up, unsigned too_large) {
  if (std::isnan(x)) return 255;
  if (std::isinf(x)) return too_large;
  int exponent;
  const double fraction = std::frexp(std::fabs(x), &exponent);  // 0.5 to 1
  if (x == 0 || exponent - 1 < -127) return 0;
  const int code = exponent - 1 + 127 + (up && fraction != 0.5);
  return code > 254 ? too_large : code;
}

static void check(unsigned i, const Codes& c) {
  __half_raw raw;
  raw.x = static_cast<unsigned short>(i);
  __nv_bfloat16_raw wide;
  wide.x = raw.x;
  const float x = __half2float(__half(raw)), y = __bfloat162float(__nv_bfloat16(wide));
  EXPECT(c.e2m1 == nearest(x, 2, 1, 1));
  EXPECT(c.e2m3 == nearest(x, 2, 3, 1));
  EXPECT(c.e3m2 == nearest(x, 3, 2, 3));
  EXPECT(c.up == power_of_two(y, true, 254));
  EXPECT(c.down == power_of_two(y, false, 255));
  if (i > 255) return;
  EXPECT(c.from_e2m1 == value(i & 15, 2, 1, 1));
  EXPECT(c.from_e2m3 == value(i & 63, 2, 3, 1));
  EXPECT(c.from_e3m2 == value(i & 63, 3, 2, 3));
  EXPECT(i == 255 ? std::isnan(c.from_e8m0) : c.from_e8m0 == std::ldexp(1.0, int(i) - 127));
}

struct Groups {
  __nv_fp8x4_e4m3 halves, bfloats;
  __nv_fp8x4_e5m2 wide;
  __nv_fp4x2_e2m1 two;
  __nv_fp4x4_e2m1 four;
  __nv_fp6x4_e3m2 six;
  __nv_fp8x2_e8m0 scales;
};
__host__ __device__ Groups make_groups() {
  const __half2 a = __floats2half2_rn(1, -2.5f), b = __floats2half2_rn(0.3125f, 448);
  Groups g;
  g.halves = __nv_fp8x4_e4m3(a, b);
  g.bfloats = __nv_fp8x4_e4m3(__floats2bfloat162_rn(1, -2.5f), __floats2bfloat162_rn(0.3125f, 448));
  g.wide = __nv_fp8x4_e5m2(a, b);
  g.two = __nv_fp4x2_e2m1(make_float2(1.5f, -100));
  g.four = __nv_fp4x4_e2m1(a, b);
  g.six = __nv_fp6x4_e3m2(make_float4(1, -28, 0.0625f, 5));
  g.scales = __nv_fp8x2_e8m0(make_float2(3, 0.25f));
  return g;
}
__global__ void group(Groups* out) { *out = make_groups(); }

static void check(const Groups& g) {
  EXPECT(g.halves.__x == 0x7e2ac238u && g.bfloats.__x == g.halves.__x);
  EXPECT(g.wide.__x == 0x5f35c13cu);
  EXPECT(g.two.__x == 0xf3);
  EXPECT(g.four.__x == 0x71c2);  // -2.5 is between -2 and -3: even is -2; 0.3125 becomes 0.5
  EXPECT(g.six.__x == 0x15013f0cu);
  EXPECT(g.scales.__x == 0x7d81);
  const float4 back = static_cast<float4>(g.halves);
  EXPECT(back.x == 1 && back.y == -2.5f && back.z == 0.3125f && back.w == 448);
  const float2 scales = static_cast<float2>(g.scales);
  EXPECT(scales.x == 4 && scales.y == 0.25f);
}

int main() {
  constexpr int count = 1 << 16;
  Codes* codes;
  Groups* groups;
  cudaMallocManaged(&codes, count * sizeof(Codes));
  cudaMallocManaged(&groups, sizeof(Groups));
  convert_all<<<count / 256, 256>>>(codes);
  group<<<1, 1>>>(groups);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < count && mistakes < 10; ++i) {
    check(i, codes[i]);
    check(i, convert(static_cast<unsigned short>(i)));
  }
  check(*groups);
  check(make_groups());
  EXPECT(static_cast<int>(__nv_fp4_e2m1(-2.6f)) == -3 && static_cast<float>(__nv_fp6_e2m3(7)) == 7);
  EXPECT(static_cast<bool>(__nv_fp8_e8m0(0)) && !static_cast<bool>(__nv_fp4_e2m1(0.1f)));
  EXPECT(static_cast<signed char>(__nv_fp8_e5m2(1000.0f)) == 127);
  return report();
}
