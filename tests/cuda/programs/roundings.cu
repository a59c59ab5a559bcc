// Conversions of integers to floats round as the function's name says, also next to another
// conversion of the same number. __byte_perm uses three bits per selector.
#include <cstdio>

struct Rounded {
  float of_int[4], of_unsigned[4], of_long[4];
  double of_long_as_double[4];
  unsigned bytes;
};

__global__ void round(int i, unsigned u, long long l, unsigned selector, Rounded* out) {
  *out = {{__int2float_rn(i), __int2float_rz(i), __int2float_ru(i), __int2float_rd(i)},
          {__uint2float_rn(u), __uint2float_rz(u), __uint2float_ru(u), __uint2float_rd(u)},
          {__ll2float_rn(l), __ll2float_rz(l), __ll2float_ru(l), __ll2float_rd(l)},
          {__ll2double_rn(l), __ll2double_rz(l), __ll2double_ru(l), __ll2double_rd(l)},
          __byte_perm(0x80818283, 0x94959697, selector)};
}

int main() {
  Rounded* out;
  cudaMallocManaged(&out, sizeof *out);
  round<<<1, 1>>>(-0x7fffffff, 0xffffffffu, 0x7fffffffffffffff, 0xfa51, out);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  const float ints[4] = {-0x1p31f, -0x1.fffffep30f, -0x1.fffffep30f, -0x1p31f},
              words[4] = {0x1p32f, 0x1.fffffep31f, 0x1p32f, 0x1.fffffep31f};
  const float longs[4] = {0x1p63f, 0x1.fffffep62f, 0x1p63f, 0x1.fffffep62f};
  const double doubles[4] = {0x1p63, 0x1.fffffffffffffp62, 0x1p63, 0x1.fffffffffffffp62};
  for (int n = 0; n < 4; ++n) {
    right = right && out->of_int[n] == ints[n] && out->of_unsigned[n] == words[n];
    right = right && out->of_long[n] == longs[n] && out->of_long_as_double[n] == doubles[n];
  }
  right = right && out->bytes == 0x94819682;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
