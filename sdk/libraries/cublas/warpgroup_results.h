// How blocks of warpgroups store the sums of their products (warpgroup_kernels.h).
#pragma once
#include "cublas/product.h"

namespace heddle::blas {

// Keeps the computation of a value where it is: the compiler moves it to its use, where a warp
// would wait for it.
template <class T>
__device__ __forceinline__ void compute_here(T& value) {
  if constexpr (sizeof(T) == 8)
    asm volatile("" : "+l"(value));
  else if constexpr (std::is_same_v<T, float>)
    asm volatile("" : "+f"(value));
  else
    asm volatile("" : "+r"(value));
}
__device__ __forceinline__ unsigned pack(__half, float first, float second) {
  unsigned pair;
  asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
__device__ __forceinline__ unsigned pack(__nv_bfloat16, float first, float second) {
  unsigned pair;
  asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
template <int Threads>
__device__ __forceinline__ void synchronize_multipliers() {
  asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
}
// Where a thread writes its first sums in the patch of a block's sums, which has D's columns.
template <class Shape, class T>
__device__ __forceinline__ unsigned place_in_patch(unsigned patch) {
  return patch +
         ((threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4) * Shape::kPitch + threadIdx.x % 4 * 2) *
             static_cast<int>(sizeof(T));
}
// Writes the sums of a block to shared memory.
template <class Shape, class T>
__device__ __forceinline__ void write_patch(unsigned to, const float (&sums)[64]) {
  synchronize_multipliers<Shape::kMultipliers>();  // all tiles there have been multiplied
  constexpr auto place = [](int i) -> unsigned {
    return (i / 2 % 2 * 8 * Shape::kPitch + i / 4 * 8) * sizeof(T);
  };
  if constexpr (std::is_same_v<T, float>) {
#pragma unroll
    for (int i = 0; i < 64; i += 2)
      asm volatile("st.shared.v2.f32 [%0+%1], {%2, %3};" ::"r"(to), "n"(place(i)), "f"(sums[i]),
                   "f"(sums[i + 1])
                   : "memory");
  } else {
    // All before the first store, so that no store waits for its conversion.
    unsigned pairs[32];
#pragma unroll
    for (int i = 0; i < 64; i += 2) pairs[i / 2] = pack(T(), sums[i], sums[i + 1]);
#pragma unroll
    for (int i = 0; i < 64; i += 2)
      asm volatile("st.shared.u32 [%0+%1], %2;" ::"r"(to), "n"(place(i)), "r"(pairs[i / 2])
                   : "memory");
  }
  synchronize_multipliers<Shape::kMultipliers>();
}

// How a block stores its sums when all of them are in D and stay as they are but for a factor. It
// is computed before the products, while the first tiles are on their way.
template <class Shape, class Out>
struct WholeTile {
  static constexpr int kChunk = 16 / sizeof(Out), kInColumn = Shape::kRows / kChunk;
  static constexpr int kStep = Shape::kMultipliers / kInColumn;  // columns
  static constexpr int kEach = Shape::kColumns / kStep;

  bool is_whole;
  float alpha;
  unsigned write_to, read_from;
  Out* to;
  int64_t step;

  template <class In>
  __device__ __forceinline__ WholeTile(const Product<In, float, Out>& p, unsigned patch,
                                       int64_t row, int64_t column, int64_t batch)
      : alpha(p.alpha.get()), write_to(place_in_patch<Shape, Out>(patch)), step(kStep * p.ldd) {
    const int r = threadIdx.x % kInColumn * kChunk, first = threadIdx.x / kInColumn;
    Out* const d = p.d.at(batch);
    read_from = patch + (first * Shape::kPitch + r) * static_cast<int>(sizeof(Out));
    to = d + row + r + (column + first) * p.ldd;
    unsigned whole = p.is_plain() && is_zero(p.beta.get()) && row + Shape::kRows <= p.m &&
                     column + Shape::kColumns <= p.n && reinterpret_cast<uint64_t>(d) % 16 == 0 &&
                     p.ldd % kChunk == 0;
    compute_here(alpha), compute_here(write_to), compute_here(read_from);
    compute_here(to), compute_here(step), compute_here(whole);
    is_whole = whole;
  }
  __device__ __forceinline__ void store(float (&sums)[64]) const {
#pragma unroll
    for (float& sum : sums) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(sum) : "f"(alpha));
    write_patch<Shape, Out>(write_to, sums);
    unsigned values[kEach][4];
#pragma unroll
    for (int e = 0; e < kEach; ++e)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+%5];"
                   : "=r"(values[e][0]), "=r"(values[e][1]), "=r"(values[e][2]), "=r"(values[e][3])
                   : "r"(read_from), "n"(e * kStep * Shape::kPitch * sizeof(Out)));
    Out* column = to;
#pragma unroll
    for (int e = 0; e < kEach; ++e, column += step)
      // The compiler does not see the alignment of the last ones.
      asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(column), "r"(values[e][0]),
                   "r"(values[e][1]), "r"(values[e][2]), "r"(values[e][3])
                   : "memory");
  }
};

template <class Shape, class In, class Out>
__device__ __forceinline__ void store_each(const Product<In, float, Out>& p, const float* patch,
                                           int64_t row, int64_t column, int64_t batch) {
  const float alpha = p.alpha.get(), beta = p.beta.get();
  const Out* const c = p.c.at(batch);
  Out* const d = p.d.at(batch);
#pragma unroll 1
  for (int i = threadIdx.x; i < Shape::kRows * Shape::kColumns; i += Shape::kMultipliers) {
    const int r = i % Shape::kRows, e = i / Shape::kRows;
    p.store(row + r, column + e, patch[e * Shape::kPitch + r], alpha, beta, c, d, batch);
  }
}

}  // namespace heddle::blas
