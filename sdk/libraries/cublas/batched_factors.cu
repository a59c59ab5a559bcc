// LU factors, solutions and inverses of many small matrices: one block a matrix.
#include "cublas/handle.h"
#include "shared/pivots.h"

namespace heddle::blas {
namespace {

constexpr int kLanes = 128;

// A = P L U in place. Pivots count from 1; without them rows stay where they are. Returns the first
// k with a zero u(k, k), counted from 1, or 0.
template <class T>
__device__ int factor(int n, T* a, int64_t lda, int* pivots) {
  int singular = 0;
  for (int k = 0; k < n; ++k) {
    T* const column = a + k * lda;
    if (pivots) {
      const int row = pivot_row<kLanes>(column, k, n);
      if (threadIdx.x == 0) pivots[k] = row + 1;
      if (row != k)
        for (int j = threadIdx.x; j < n; j += kLanes) exchange_elements(a + j * lda, k, row);
      __syncthreads();
    }
    const T pivot = column[k];
    if (is_zero(pivot)) {
      if (!singular) singular = k + 1;
    } else {
      const T inverse = reciprocal(pivot);
      for (int i = k + 1 + static_cast<int>(threadIdx.x); i < n; i += kLanes)
        column[i] = column[i] * inverse;
    }
    __syncthreads();
    const int left = n - k - 1;
    for (int e = threadIdx.x; e < left * left; e += kLanes) {
      const int i = k + 1 + e % left;
      const int64_t at = (k + 1 + e / left) * lda;
      a[i + at] = a[i + at] - column[i] * a[k + at];
    }
    __syncthreads();
  }
  return singular;
}

// x becomes the solution of op(P L U) x = b, by one thread.
template <class T>
__device__ void solve(cublasOperation_t op, int n, const T* lu, int64_t lda, const int* pivots,
                      T* x) {
  const auto swap_rows = [&](int k) { exchange_elements(x, k, pivots[k] - 1); };
  // Element (i, j) of op(L U), whose triangles are stored as one matrix.
  const auto at = [&](int i, int j) {
    if (op == CUBLAS_OP_N) return lu[i + j * lda];
    const T value = lu[j + i * lda];
    return op == CUBLAS_OP_C ? conjugate(value) : value;
  };
  const bool plain = op == CUBLAS_OP_N;
  if (plain && pivots)
    for (int k = 0; k < n; ++k) swap_rows(k);
  for (int i = 0; i < n; ++i) {
    T value = x[i];
    for (int j = 0; j < i; ++j) value = value - at(i, j) * x[j];
    x[i] = plain ? value : value * reciprocal(at(i, i));
  }
  for (int i = n - 1; i >= 0; --i) {
    T value = x[i];
    for (int j = i + 1; j < n; ++j) value = value - at(i, j) * x[j];
    x[i] = plain ? value * reciprocal(at(i, i)) : value;
  }
  if (!plain && pivots)
    for (int k = n - 1; k >= 0; --k) swap_rows(k);
}

template <class T>
__device__ int singular_at(int n, const T* lu, int64_t lda) {
  for (int k = 0; k < n; ++k)
    if (is_zero(lu[k + k * lda])) return k + 1;
  return 0;
}
template <class T>
__device__ void invert(int n, const T* lu, int64_t lda, const int* pivots, T* c, int64_t ldc) {
  for (int j = threadIdx.x; j < n; j += kLanes) {
    T* const x = c + j * ldc;
    for (int i = 0; i < n; ++i) x[i] = from_real<T>(i == j);
    solve(CUBLAS_OP_N, n, lu, lda, pivots, x);
  }
}

template <class T>
__global__ void __launch_bounds__(kLanes)
    factor_each(int n, T* const* a, int64_t lda, int* pivots, int* info) {
  const int64_t own = blockIdx.x;
  const int singular = factor(n, a[own], lda, pivots ? pivots + own * n : nullptr);
  if (threadIdx.x == 0) info[own] = singular;
}
template <class T>
__global__ void __launch_bounds__(kLanes)
    solve_each(cublasOperation_t op, int n, int count, const T* const* a, int64_t lda,
               const int* pivots, T* const* b, int64_t ldb) {
  const int64_t own = blockIdx.x;
  for (int j = threadIdx.x; j < count; j += kLanes)
    solve(op, n, a[own], lda, pivots ? pivots + own * n : nullptr, b[own] + j * ldb);
}
template <class T>
__global__ void __launch_bounds__(kLanes)
    invert_each(int n, const T* const* a, int64_t lda, const int* pivots, T* const* c, int64_t ldc,
                int* info) {
  const int64_t own = blockIdx.x;
  const int singular = singular_at(n, a[own], lda);
  if (threadIdx.x == 0) info[own] = singular;
  if (!singular) invert(n, a[own], lda, pivots ? pivots + own * n : nullptr, c[own], ldc);
}
constexpr int kMostInverted = 32;
template <class T>
__global__ void __launch_bounds__(kLanes)
    factor_and_invert_each(int n, const T* const* a, int64_t lda, T* const* c, int64_t ldc,
                           int* info) {
  __shared__ alignas(16) unsigned char bytes[kMostInverted * kMostInverted * sizeof(T)];
  __shared__ int pivots[kMostInverted];
  T* const lu = reinterpret_cast<T*>(bytes);
  const int64_t own = blockIdx.x;
  for (int e = threadIdx.x; e < n * n; e += kLanes) lu[e] = a[own][e % n + e / n * lda];
  __syncthreads();
  const int singular = factor(n, lu, n, pivots);
  if (threadIdx.x == 0) info[own] = singular;
  if (!singular) invert(n, lu, n, pivots, c[own], ldc);
}

template <class T>
Status getrf_batched(cublasHandle_t h, int n, T* const a[], int lda, int* pivots, int* info,
                     int count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && count >= 0 && holds(lda, n));
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && info);
  factor_each<<<count, kLanes, 0, h->stream>>>(n, a, lda, pivots, info);
  return launched();
}
// The first bad argument is in `info`, which is in host memory.
template <class T>
Status getrs_batched(cublasHandle_t h, cublasOperation_t op, int n, int columns, const T* const a[],
                     int lda, const int* pivots, T* const b[], int ldb, int* info, int count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(info);
  *info = !is_operation(op) ? -1
          : n < 0           ? -2
          : columns < 0     ? -3
          : !holds(lda, n)  ? -5
          : !holds(ldb, n)  ? -8
          : count < 0       ? -10
                            : 0;
  HEDDLE_NEED(*info == 0);
  if (n == 0 || columns == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && b);
  solve_each<<<count, kLanes, 0, h->stream>>>(op, n, columns, a, lda, pivots, b, ldb);
  return launched();
}
template <class T>
Status getri_batched(cublasHandle_t h, int n, const T* const a[], int lda, const int* pivots,
                     T* const c[], int ldc, int* info, int count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && count >= 0 && holds(lda, n) && holds(ldc, n));
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && c && info);
  invert_each<<<count, kLanes, 0, h->stream>>>(n, a, lda, pivots, c, ldc, info);
  return launched();
}
template <class T>
Status matinv_batched(cublasHandle_t h, int n, const T* const a[], int lda, T* const c[], int ldc,
                      int* info, int count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && n <= kMostInverted && count >= 0 && holds(lda, n) && holds(ldc, n));
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && c && info);
  factor_and_invert_each<<<count, kLanes, 0, h->stream>>>(n, a, lda, c, ldc, info);
  return launched();
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_batched_factors_calls.inc"
