// Cholesky and LU factorisations. Panels of kPanel columns are factored by one block; cuBLAS takes
// them out of the rest.

#include "cusolver/blas.h"
#include "shared/pivots.h"

namespace heddle::solver {
namespace {

constexpr int64_t kPanel = 32;

template <class T>
__host__ __device__ T* offset(T* a, int64_t lda, int64_t i, int64_t j) {
  return a + i + j * lda;
}
// Element (i, j) of the factor L of L L^H; U is L^H.
template <class T>
struct Lower {
  T* data;
  int64_t ld;
  bool upper;
  __device__ __forceinline__ T at(int64_t i, int64_t j) const {
    return upper ? conjugate(data[j + i * ld]) : data[i + j * ld];
  }
  __device__ __forceinline__ void put(int64_t i, int64_t j, T value) const {
    if (upper)
      data[j + i * ld] = conjugate(value);
    else
      data[i + j * ld] = value;
  }
};

// A block factors one matrix. `info` gets the order of the first minor that is not positive.
template <class T>
__global__ void factor_cholesky(cublasFillMode_t uplo, int64_t n, T* first, T* const* all,
                                int64_t lda, int64_t before, int* info) {
  __shared__ bool fails;
  const Lower<T> l{all ? all[blockIdx.x] : first, lda, uplo == CUBLAS_FILL_MODE_UPPER};
  const bool failed = info[blockIdx.x] != 0;
  __syncthreads();
  if (failed) return;
  for (int64_t k = 0; k < n; ++k) {
    const Real<T> pivot = real_part(l.at(k, k));
    if (threadIdx.x == 0) {
      fails = !(pivot > 0);
      if (fails) info[blockIdx.x] = static_cast<int>(before + k + 1);
    }
    __syncthreads();
    if (fails) return;
    const Real<T> root = sqrt(pivot);
    if (threadIdx.x == 0) l.put(k, k, from_real<T>(root));
    for (int64_t i = k + 1 + threadIdx.x; i < n; i += kThreads)
      l.put(i, k, (1 / root) * l.at(i, k));
    __syncthreads();
    const int64_t rest = n - k - 1;
    for (int64_t e = threadIdx.x; e < rest * rest; e += kThreads) {
      const int64_t i = k + 1 + e % rest, j = k + 1 + e / rest;
      if (i >= j) l.put(i, j, l.at(i, j) - l.at(i, k) * conjugate(l.at(j, k)));
    }
    __syncthreads();
  }
}
// A block solves one system with all its right-hand sides, one after the other.
template <class T>
__global__ void solve_factored(cublasFillMode_t uplo, int64_t n, int64_t nrhs, T* const* as,
                               int64_t lda, T* const* bs, int64_t ldb) {
  const Lower<T> l{as[blockIdx.x], lda, uplo == CUBLAS_FILL_MODE_UPPER};
  for (int64_t side = 0; side < nrhs; ++side) {
    T* const x = bs[blockIdx.x] + side * ldb;
    for (int64_t i = 0; i < n; ++i) {
      __syncthreads();
      const T value = x[i] * reciprocal(l.at(i, i));
      __syncthreads();
      if (threadIdx.x == 0) x[i] = value;
      for (int64_t j = i + 1 + threadIdx.x; j < n; j += kThreads) x[j] = x[j] - l.at(j, i) * value;
    }
    for (int64_t i = n - 1; i >= 0; --i) {
      __syncthreads();
      const T value = x[i] * reciprocal(l.at(i, i));
      __syncthreads();
      if (threadIdx.x == 0) x[i] = value;
      for (int64_t j = threadIdx.x; j < i; j += kThreads)
        x[j] = x[j] - conjugate(l.at(i, j)) * value;
    }
  }
}
template <class T>
__global__ void set_identity(int64_t n, T* b) {
  for (int64_t i = first_index(); i < n * n; i += index_step())
    b[i] = i % n == i / n ? one<T>() : zero<T>();
}
template <class T>
__global__ void copy_triangle(bool lower, int64_t n, const T* b, T* a, int64_t lda) {
  for (int64_t e = first_index(); e < n * n; e += index_step()) {
    const int64_t i = e % n, j = e / n;
    if (lower ? i >= j : i <= j) a[i + j * lda] = b[e];
  }
}

// LU: a block factors a panel with row exchanges inside the panel.
template <class T, class Pivot>
__global__ void factor_panel(int64_t m, int64_t columns, T* a, int64_t lda, int64_t before,
                             Pivot* pivots, int* info) {
  for (int64_t k = 0; k < columns; ++k) {
    if (pivots) {
      const int64_t row = pivot_row<kThreads>(a + k * lda, k, m);
      if (threadIdx.x == 0) pivots[k] = static_cast<Pivot>(before + row + 1);
      if (row != k)
        for (int64_t j = threadIdx.x; j < columns; j += kThreads)
          exchange_elements(a + j * lda, k, row);
      __syncthreads();
    }
    const T pivot = a[k + k * lda];
    if (is_zero(pivot)) {
      if (threadIdx.x == 0 && *info == 0) *info = static_cast<int>(before + k + 1);
    } else {
      const T factor = reciprocal(pivot);
      for (int64_t i = k + 1 + threadIdx.x; i < m; i += kThreads)
        a[i + k * lda] = a[i + k * lda] * factor;
    }
    __syncthreads();
    const int64_t below = m - k - 1;
    for (int64_t e = threadIdx.x; e < below * (columns - k - 1); e += kThreads) {
      const int64_t i = k + 1 + e % below, j = k + 1 + e / below;
      a[i + j * lda] = a[i + j * lda] - a[i + k * lda] * a[k + j * lda];
    }
    __syncthreads();
  }
}
// Exchanges rows first to last (or back) with those that pivots name, from 1, less `before`.
template <class T, class Pivot>
__global__ void exchange_rows(int64_t columns, T* a, int64_t lda, int64_t first, int64_t last,
                              const Pivot* pivots, int64_t before, bool backward) {
  for (int64_t j = first_index(); j < columns; j += index_step())
    for (int64_t step = first; step < last; ++step) {
      const int64_t i = backward ? first + last - 1 - step : step;
      const int64_t row = static_cast<int64_t>(pivots[i]) - 1 - before;
      if (row != i) exchange_elements(a + j * lda, i, row);
    }
}
template <class T, class Pivot>
void exchange(cudaStream_t stream, int64_t columns, T* a, int64_t lda, int64_t first, int64_t last,
              const Pivot* pivots, int64_t before, bool backward = false) {
  if (columns > 0)
    exchange_rows<<<blocks_for(columns), kThreads, 0, stream>>>(columns, a, lda, first, last,
                                                                pivots, before, backward);
}

}  // namespace

template <class T>
Status cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, T* a, int64_t lda,
                int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n) && info && (n == 0 || a));
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  const cublasOperation_t turned = kComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  const T plus = one<T>();
  for (int64_t j = 0; j < n; j += kPanel) {
    const int64_t size = std::min(kPanel, n - j), rest = n - j - size;
    T* const diagonal = offset(a, lda, j, j);
    factor_cholesky<T><<<1, kThreads, 0, h->stream>>>(uplo, size, diagonal, nullptr, lda, j, info);
    if (rest == 0) break;
    T* const panel = lower ? diagonal + size : diagonal + size * lda;
    HEDDLE_BLAS(trsm(h->blas, lower ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, uplo, turned,
                     CUBLAS_DIAG_NON_UNIT, lower ? rest : size, lower ? size : rest, &plus,
                     diagonal, lda, panel, lda));
    HEDDLE_BLAS(subtract_square(h->blas, uplo, rest, size, panel, lda,
                                offset(a, lda, j + size, j + size), lda));
  }
  return launched();
}
template <class T>
Status solve_cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                      const T* a, int64_t lda, T* b, int64_t ldb, int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && nrhs >= 0 && holds(lda, n) && holds(ldb, n) && info);
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  const T plus = one<T>();
  const cublasOperation_t turned = kComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
  for (const cublasOperation_t op : {lower ? CUBLAS_OP_N : turned, lower ? turned : CUBLAS_OP_N})
    HEDDLE_BLAS(trsm(h->blas, CUBLAS_SIDE_LEFT, uplo, op, CUBLAS_DIAG_NON_UNIT, n, nrhs, &plus, a,
                     lda, b, ldb));
  return launched();
}
template <class T, class Pivot>
Status factor_lu(cusolverDnHandle_t h, int64_t m, int64_t n, T* a, int64_t lda, Pivot* pivots,
                 int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(m >= 0 && n >= 0 && holds(lda, m) && info && (m == 0 || n == 0 || a));
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  const T plus = one<T>();
  for (int64_t j = 0; j < std::min(m, n); j += kPanel) {
    const int64_t size = std::min(kPanel, std::min(m, n) - j), right = n - j - size;
    T* const panel = offset(a, lda, j, j);
    factor_panel<<<1, kThreads, 0, h->stream>>>(m - j, size, panel, lda, j,
                                                pivots ? pivots + j : nullptr, info);
    T* const next = panel + size * lda;
    if (pivots) {
      exchange(h->stream, j, a + j, lda, 0, size, pivots + j, j);
      exchange(h->stream, right, next, lda, 0, size, pivots + j, j);
    }
    if (right == 0) continue;
    HEDDLE_BLAS(trsm(h->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                     CUBLAS_DIAG_UNIT, size, right, &plus, panel, lda, next, lda));
    if (m - j > size)
      HEDDLE_BLAS(subtract_product(h->blas, CUBLAS_OP_N, CUBLAS_OP_N, m - j - size, right, size,
                                   panel + size, lda, next, lda, next + size, lda));
  }
  return launched();
}
template <class T, class Pivot>
Status solve_lu(cusolverDnHandle_t h, cublasOperation_t trans, int64_t n, int64_t nrhs, const T* a,
                int64_t lda, const Pivot* pivots, T* b, int64_t ldb, int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_operation(trans) && n >= 0 && nrhs >= 0 && holds(lda, n) && holds(ldb, n) && info);
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (n == 0 || nrhs == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && b);
  const T plus = one<T>();
  const bool plain = trans == CUBLAS_OP_N;
  if (pivots && plain) exchange(h->stream, nrhs, b, ldb, 0, n, pivots, 0);
  for (const bool unit : {plain, !plain})
    HEDDLE_BLAS(trsm(
        h->blas, CUBLAS_SIDE_LEFT, unit ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, trans,
        unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, nrhs, &plus, a, lda, b, ldb));
  if (pivots && !plain) exchange(h->stream, nrhs, b, ldb, 0, n, pivots, 0, true);
  return launched();
}
#define HEDDLE_INSTANCE(T)                                                                         \
  template Status cholesky(cusolverDnHandle_t, cublasFillMode_t, int64_t, T*, int64_t, int*);      \
  template Status solve_cholesky(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t, const T*, \
                                 int64_t, T*, int64_t, int*);                                      \
  template Status factor_lu(cusolverDnHandle_t, int64_t, int64_t, T*, int64_t, int64_t*, int*);    \
  template Status solve_lu(cusolverDnHandle_t, cublasOperation_t, int64_t, int64_t, const T*,      \
                           int64_t, const int64_t*, T*, int64_t, int*);
HEDDLE_EACH_TYPE(HEDDLE_INSTANCE)

namespace {

template <class T>
Status potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* a, int lda, T* work, int lwork,
             int* info) {
  HEDDLE_NEED(n == 0 || (work && lwork >= kWorkElements));
  return cholesky<T>(h, uplo, n, a, lda, info);
}
template <class T>
Status potrf_buffer_size(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T*, int lda,
                         int* lwork) {
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n));
  return work_size(h, lwork);
}
template <class T>
Status potrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int nrhs, const T* a, int lda,
             T* b, int ldb, int* info) {
  return solve_cholesky<T>(h, uplo, n, nrhs, a, lda, b, ldb, info);
}
template <class T>
Status potri(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* a, int lda, T* work, int lwork,
             int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n) && info);
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && work && lwork >= kWorkElements);
  const int64_t order = n;
  const Workspace memory(order * order * sizeof(T), h->stream);
  T* const inverse = memory.as<T>();
  if (!inverse) return CUSOLVER_STATUS_ALLOC_FAILED;
  set_identity<<<blocks_for(order * order), kThreads, 0, h->stream>>>(order, inverse);
  HEDDLE_TRY(solve_cholesky<T>(h, uplo, n, n, a, lda, inverse, n, info));
  copy_triangle<<<blocks_for(order * order), kThreads, 0, h->stream>>>(
      uplo == CUBLAS_FILL_MODE_LOWER, order, inverse, a, lda);
  return launched();
}
template <class T>
Status potri_buffer_size(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* a, int lda,
                         int* lwork) {
  return potrf_buffer_size(h, uplo, n, a, lda, lwork);
}
template <class T>
Status potrf_batched(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* as[], int lda,
                     int* info, int count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n) && count >= 0);
  if (count == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(info && (n == 0 || as));
  cudaMemsetAsync(info, 0, count * sizeof *info, h->stream);
  if (n > 0)
    factor_cholesky<T><<<count, kThreads, 0, h->stream>>>(uplo, n, nullptr, as, lda, 0, info);
  return launched();
}
template <class T>
Status potrs_batched(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int nrhs, T* as[], int lda,
                     T* bs[], int ldb, int* info, int count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && nrhs >= 0 && holds(lda, n) && holds(ldb, n) &&
              count >= 0 && info);
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (count == 0 || n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(as && bs);
  solve_factored<T><<<count, kThreads, 0, h->stream>>>(uplo, n, nrhs, as, lda, bs, ldb);
  return launched();
}
template <class T>
Status getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* work, int* pivots, int* info) {
  HEDDLE_NEED(m == 0 || n == 0 || work);
  return factor_lu<T>(h, m, n, a, lda, pivots, info);
}
template <class T>
Status getrf_buffer_size(cusolverDnHandle_t h, int m, int n, T*, int lda, int* lwork) {
  HEDDLE_NEED(m >= 0 && n >= 0 && holds(lda, m));
  return work_size(h, lwork);
}
template <class T>
Status getrs(cusolverDnHandle_t h, cublasOperation_t trans, int n, int nrhs, const T* a, int lda,
             const int* pivots, T* b, int ldb, int* info) {
  return solve_lu<T>(h, trans, n, nrhs, a, lda, pivots, b, ldb, info);
}
// In one precision, so that nothing is left to refine.
template <class T>
Status gesv(cusolverDnHandle_t h, int n, int nrhs, T* a, int lda, int* pivots, T* b, int ldb, T* x,
            int ldx, void* work, size_t bytes, int* iterations, int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && nrhs >= 0 && holds(ldb, n) && holds(ldx, n) && iterations &&
              (n == 0 || (work && bytes >= kWorkElements * sizeof(T) && pivots && b && x)));
  *iterations = 0;
  HEDDLE_TRY(factor_lu<T>(h, n, n, a, lda, pivots, info));
  int failed = 0;
  HEDDLE_TRY(read_back(h->stream, &failed, info, sizeof failed));
  if (failed || n == 0 || nrhs == 0) return CUSOLVER_STATUS_SUCCESS;
  cudaMemcpy2DAsync(x, ldx * sizeof(T), b, ldb * sizeof(T), n * sizeof(T), nrhs, cudaMemcpyDefault,
                    h->stream);
  return solve_lu<T>(h, CUBLAS_OP_N, n, nrhs, a, lda, pivots, x, ldx, info);
}
template <class T>
Status gesv_buffer_size(cusolverDnHandle_t h, int n, int nrhs, T*, int lda, int*, T*, int ldb, T*,
                        int ldx, void*, size_t* bytes) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && nrhs >= 0 && holds(lda, n) && holds(ldb, n) && holds(ldx, n) && bytes);
  *bytes = kWorkElements * sizeof(T);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
Status laswp(cusolverDnHandle_t h, int n, T* a, int lda, int k1, int k2, const int* pivots,
             int incx) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && lda >= 1 && k1 >= 1 && k2 >= k1 && (incx == 1 || incx == -1) && a &&
              pivots);
  exchange(h->stream, n, a, lda, k1 - 1, k2, pivots, 0, incx < 0);
  return launched();
}

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_factors_calls.inc"
