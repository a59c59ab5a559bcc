// What nvcc accepts and clang rejects or compiles to something else. Prints PASS or the failed
// check.
#include <cuda_runtime.h>

#include "check.h"

// Code after a trap is not reached.
[[noreturn]] __device__ void refuse() { __trap(); }
__device__ int count_sides(int corners) {
  if (corners < 0) refuse();
  switch (corners) {
    case 3:
    case 4: return corners;
    default: __trap();
  }
}

// C's variadic functions, which are named in decltype or ignore their last arguments.
struct Yes {
  static constexpr int value = 1;
};
struct No {
  static constexpr int value = 2;
};
template <class F, class A>
__host__ __device__ constexpr auto can_call(F&& f, A&& a) -> decltype(f(a), Yes{}) {
  return {};
}
template <class F>
__host__ __device__ constexpr No can_call(...) {
  return {};
}
struct First {
  template <class T>
  __host__ __device__ T operator()(T a, T, ...) const {
    return a;
  }
};

// A pragma from a macro without parameters.
#ifdef __CUDA_ARCH__
#define UNROLL #pragma unroll
#define UNROLL_FOUR #pragma unroll 4  // iterations
#else
#define UNROLL
#define UNROLL_FOUR
#endif

// The headers of some programs declare the built-in variables for the host.
#ifndef __CUDA_ARCH__
extern const dim3 blockDim, gridDim;
extern const uint3 threadIdx, blockIdx;
#endif

// A member that does not exist, in a member function that is not instantiated.
template <class T>
struct Matrix {
  T value;
  __host__ __device__ T get() const { return value; }
  static Matrix make(const Matrix& from) {
    Matrix made;
    made.set_all(from);
    return made;
  }
};

// A constant of a class template that is not a whole number.
template <class T>
struct Sum {
  static const T identity = static_cast<T>(0.5);
};

__global__ void language(int* out, int n) {
  out[0] = decltype(can_call<int (*)(int)>(nullptr, n))::value;
  out[1] = decltype(can_call<int*>(nullptr, n))::value;
  out[2] = First{}(n, 4, 5.0, 6);
  int sum = 0;
  UNROLL
  for (int i = 0; i < 8; ++i) sum += i * n;
  UNROLL_FOUR
  for (int i = 0; i < n; ++i) sum += out[2];
  out[3] = sum;
  int twice, thrice;
  asm("add.s32 %0, %2, %3;\n\tadd.s32 %1, %2, %4;"
      : "=r"(twice) "=r"(thrice)
      : "r"(n) "r"(n) "r"(n * 2));
  out[4] = twice;
  out[7] = count_sides(n);
  out[5] = thrice;
  out[6] = Matrix<int>{n}.get() + blockDim.x;
  out[8] = static_cast<int>(Sum<float>::identity * n * 4);
}

// Device memory is exhausted, although nothing uses what is allocated.
__global__ void exhaust(int* out) {
  void* const p = malloc(size_t{1} << 40);
  out[0] = p == nullptr;
  const int* const q = new int[size_t{1} << 38];
  out[1] = q == nullptr;
}

// Data that is aligned to 4 bytes and read in pieces of 16, as matrix fragments are, by a lambda
// that clang does not inline, and by functions that are not inlined.
struct Four {
  float e[4];
};
__shared__ int4 exchanged[512];
__global__ void fragments(float* out, int n) {
  float counts[3];
  Four f[16][2];
  for (int i = 0; i < 3; ++i) counts[i] = n + i;
#pragma unroll
  for (int i = 0; i < 32; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) reinterpret_cast<Four*>(f)[i].e[j] = threadIdx.x + i * 4 + j;
  auto exchange = [&]() {
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      exchanged[threadIdx.x] = reinterpret_cast<int4*>(&f)[i];
      __syncthreads();
      const float* const other = reinterpret_cast<float*>(&exchanged[threadIdx.x ^ 1]);
#pragma unroll
      for (int q = 0; q < 4; ++q) reinterpret_cast<Four*>(f)[i].e[q] += other[q];
      __syncthreads();
    }
  };
  for (int r = 0; r < n; ++r) {
    exchange();
    if (r == 2) exchange();
    if (r == 5) {
      exchange();
      out[1] = f[0][1].e[0];
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) sum += reinterpret_cast<Four*>(f)[i].e[j];
  out[2 + threadIdx.x] = sum + counts[n % 3];
}

__noinline__ __device__ int4 read_four(const Four* from, int i) {
  return reinterpret_cast<const int4*>(from)[i];
}
__noinline__ __device__ void write_four(Four* to, int i, int4 value) {
  reinterpret_cast<int4*>(to)[i] = value;
}
__global__ void calls(float* out, int n) {
  float odd[3];
  Four f[8];
  for (int i = 0; i < 3; ++i) odd[i] = n + i;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) f[i].e[j] = i * 4 + j;
  write_four(f, n + 1, read_four(f, n));
  out[0] = f[n + 1].e[3] + odd[n % 3];
}

// Squares that overflow are those of gcc.
__attribute__((noinline)) int different_squares(const int* squares, int from, int to) {
  int different = 0;
  for (int i = from; i < to; ++i) different += squares[i - from] != i * i;
  return different;
}

// Values for arrays of a variable number of elements; the rest is 0.
void check_arrays(int n) {
  int some[n] = {1, 2, 3};
  float none[n] = {0.0f};
  double table[n][n + 1] = {};
  EXPECT(some[0] == 1 && some[2] == 3 && some[n - 1] == 0 && none[n - 1] == 0);
  EXPECT(table[n - 1][n] == 0 && sizeof table == n * (n + 1) * sizeof(double));
}

int main() {
  check_arrays(5);
  int squares[16];
  for (unsigned i = 0; i < 16; ++i) squares[i] = static_cast<int>((i + 65530) * (i + 65530));
  EXPECT(different_squares(squares, 65530, 65546) == 0);
  int* ints;
  float* floats;
  cudaMallocManaged(&ints, 64);
  cudaMallocManaged(&floats, 4096);
  language<<<1, 1>>>(ints, 3);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(ints[0] == 1 && ints[1] == 2 && ints[2] == 3);
  EXPECT(ints[3] == 28 * 3 + 3 * 3);
  EXPECT(ints[4] == 6 && ints[5] == 9 && ints[6] == 4 && ints[7] == 3);
  EXPECT(ints[8] == 6);
  exhaust<<<1, 1>>>(ints);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(ints[0] == 1 && ints[1] == 1);
  fragments<<<1, 256>>>(floats, 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  // After one exchange the elements of lanes 2t and 2t + 1 are 4t + 1 + 2 * (their place).
  for (int t = 0; t < 256; ++t)
    EXPECT(floats[2 + t] == 128 * (4 * (t / 2) + 1) + 2 * (127 * 128 / 2) + 2);
  calls<<<1, 1>>>(floats, 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(floats[0] == 7 + 2);
  return report();
}
