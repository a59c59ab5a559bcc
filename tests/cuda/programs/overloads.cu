// Functions that CUDA has for more types than clang's headers. Prints PASS or FAIL.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include <cstdio>
#include <type_traits>

#include "check.h"

constexpr int kItems = 64;

// Loads and stores with a cache operator, of every width.
template <class T>
__device__ int cached(T* words, T value) {
  __stcg(words, value), __stcs(words + 1, value), __stwt(words + 2, value),
      __stwb(words + 3, value);
  const T loaded[] = {__ldcg(words), __ldca(words + 1), __ldcs(words + 2), __ldlu(words + 3),
                      __ldcv(words)};
  int same = 0;
  for (const T& word : loaded) {
    bool equal = true;
    for (unsigned int i = 0; i < sizeof value; ++i)
      equal &= reinterpret_cast<const char*>(&word)[i] == reinterpret_cast<const char*>(&value)[i];
    same += equal;
  }
  return same;
}

__global__ void access(int* ok, unsigned char* memory) {
  const auto at = [&](int i) { return memory + 64 * i; };
  ok[0] = cached(reinterpret_cast<signed char*>(at(0)), static_cast<signed char>(-7));
  ok[1] = cached(reinterpret_cast<short*>(at(1)), static_cast<short>(-700));
  ok[2] = cached(reinterpret_cast<float*>(at(2)), 1.5f);
  ok[3] = cached(reinterpret_cast<double*>(at(4)), -2.5);
  ok[4] = cached(reinterpret_cast<char4*>(at(6)), make_char4(1, -2, 3, -4));
  ok[5] = cached(reinterpret_cast<int4*>(at(8)), make_int4(1, -2, 3, -4));
  ok[6] = cached(reinterpret_cast<double2*>(at(10)), make_double2(0.5, -0.25));
  ok[7] = cached(reinterpret_cast<long*>(at(12)), -5l);
  ok[8] = cached(reinterpret_cast<ushort4*>(at(14)), make_ushort4(1, 2, 3, 65535));
}

__global__ void compute(double* results, long long* bits) {
  float sine, cosine;
  sincos(0.5f, &sine, &cosine);
  results[0] = sine, results[1] = cosine;
  sincospi(0.25f, &sine, &cosine);
  results[2] = sine, results[3] = cosine;
  const auto root = rsqrt(4.0f);
  static_assert(std::is_same<decltype(root), const float>::value, "a float gives a float");
  results[4] = root;
  results[5] = exp10(2.0f), results[6] = rcbrt(8.0f), results[7] = sinpi(0.5f),
  results[8] = cospi(1.0f);
  results[9] = erfinv(erff(0.5f)), results[10] = normcdf(0.0f), results[11] = normcdfinv(0.5f),
  results[12] = erfcx(0.0f), results[13] = erfcinv(1.0f);
  results[14] = __low2float(__half2half2(__float2half(3.0f))) +
                __high2float(__half2half2(__float2half(4.0f)));
  results[15] = __low2float(__bfloat162bfloat162(__float2bfloat16(3.0f))) +
                __high2float(__bfloat162bfloat162(__float2bfloat16(4.0f)));
  results[16] = __dp2a_lo(make_short2(2, -3), make_char4(5, 7, 11, 13), 100);
  results[17] = __dp2a_hi(make_ushort2(2, 3), make_uchar4(5, 7, 11, 13), 100u);
  results[18] = fabsf(__tanhf(0.5f) - 0.46211716f) < 1e-3f;
  int agree = 0;
  __match_all_sync(1u, 2.5f, &agree), results[19] = agree;
  __match_all_sync(1u, 2.5, &agree), results[20] = agree;
  atomicAnd(&bits[0], -4ll), atomicOr(&bits[1], 1ll << 40), atomicXor_block(&bits[2], -1ll);
  __shared__ int word;
  word = 17;
  results[21] = *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&word)));
  const double4_32a wide = make_double4_32a(1, 2, 3, 4);
  results[22] = wide.w + alignof(double4_32a) + alignof(longlong4_16a);
  __prof_trigger(1);
}

int main() {
  int* ok = nullptr;
  unsigned char* memory = nullptr;
  double* results = nullptr;
  long long* bits = nullptr;
  cudaMallocManaged(&ok, kItems * sizeof *ok), cudaMallocManaged(&memory, 4096);
  cudaMallocManaged(&results, kItems * sizeof *results), cudaMallocManaged(&bits, 3 * sizeof *bits);
  bits[0] = 7, bits[1] = 1, bits[2] = 5;
  access<<<1, 1>>>(ok, memory);
  compute<<<1, 1>>>(results, bits);
  if (cudaDeviceSynchronize() != cudaSuccess) ++mistakes;
  for (int i = 0; i < 9; ++i)
    if (ok[i] != 5) ++mistakes, std::printf("access %d: %d of 5\n", i, ok[i]);
  const double expected[] = {std::sin(0.5),
                             std::cos(0.5),
                             std::sqrt(0.5),
                             std::sqrt(0.5),
                             0.5,
                             100,
                             0.5,
                             1,
                             -1,
                             0.5,
                             0.5,
                             0,
                             1,
                             0,
                             7,
                             7,
                             89,
                             161,
                             1,
                             1,
                             1,
                             17,
                             52};
  for (int i = 0; i < 23; ++i)
    if (!(std::fabs(results[i] - expected[i]) < 1e-6 * (1 + std::fabs(expected[i]))))
      ++mistakes, std::printf("result %d: %g, expected %g\n", i, results[i], expected[i]);
  if (bits[0] != 4 || bits[1] != (1ll << 40) + 1 || bits[2] != ~5ll)
    ++mistakes, std::printf("atomics: %lld %lld %lld\n", bits[0], bits[1], bits[2]);
  float sine, cosine;
  sincos(0.5f, &sine, &cosine);
  if (std::fabs(sine * sine + cosine * cosine - 1) > 1e-6 || rsqrt(16.0f) != 0.25f)
    ++mistakes, std::printf("host\n");
  void* call = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  if (cudaGetDriverEntryPointByVersion("cuInit", &call, 12000, cudaEnableDefault, &found) !=
          cudaSuccess ||
      !call || found != cudaDriverEntryPointSuccess)
    ++mistakes, std::printf("entry point\n");
  int blocks = 0, threads = 0;
  if (cudaOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &threads, access, 0, 64, 0) !=
          cudaSuccess ||
      threads != 64)
    ++mistakes, std::printf("occupancy\n");
  const cudaChannelFormatDesc halves = cudaCreateChannelDescHalf2();
  if (halves.x != 16 || halves.y != 16 || halves.z != 0 || halves.f != cudaChannelFormatKindFloat)
    ++mistakes, std::printf("channels\n");
  return report();
}
