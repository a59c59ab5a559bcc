// The handle of cuSOLVER and what its calls share. Products and triangular systems go to cuBLAS.
#pragma once
#include <cusolverDn.h>

#include "shared/launches.h"
#include "shared/numbers.h"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cublasHandle_t blas = nullptr;
  cusolverDeterministicMode_t determinism = CUSOLVER_DETERMINISTIC_RESULTS;
  cusolverMathMode_t math = CUSOLVER_DEFAULT_MATH;
};

namespace heddle::solver {

using Status = cusolverStatus_t;

#define HEDDLE_NEED_HANDLE(h) \
  if (!(h)) return CUSOLVER_STATUS_NOT_INITIALIZED
#define HEDDLE_NEED(condition) \
  if (!(condition)) return CUSOLVER_STATUS_INVALID_VALUE
#define HEDDLE_TRY(call) \
  if (const Status status_ = (call); status_ != CUSOLVER_STATUS_SUCCESS) return status_
#define HEDDLE_BLAS(call) \
  if ((call) != CUBLAS_STATUS_SUCCESS) return CUSOLVER_STATUS_INTERNAL_ERROR

// How the iterations of syevj and gesvdj end, and how they ended.
struct Iterations {
  double tolerance = 0;  // 0: the precision of the type
  int sweeps = 100;
  bool sorts = true;
  double residual = 0;
  int executed = 0;
};

// The kernels allocate what they need; a program's workspace only has to exist.
constexpr int kWorkElements = 32;

inline Status launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
                                              : CUSOLVER_STATUS_EXECUTION_FAILED;
}
inline Status work_size(cusolverDnHandle_t h, int* lwork) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(lwork);
  *lwork = kWorkElements;
  return CUSOLVER_STATUS_SUCCESS;
}
inline bool is_operation(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }
inline bool is_fill(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_mode(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR;
}
inline bool holds(int64_t ld, int64_t rows) { return ld >= std::max<int64_t>(1, rows); }
// Device memory that a call wrote, on the host.
inline Status read_back(cudaStream_t stream, void* host, const void* device, size_t bytes) {
  return cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
                 cudaStreamSynchronize(stream) == cudaSuccess
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}

template <class T>
HEDDLE_NUMBER Real<T> real_part(T a) {
  if constexpr (kComplex<T>)
    return a.x;
  else
    return a;
}
// |a|^2
template <class T>
HEDDLE_NUMBER Real<T> square(T a) {
  if constexpr (kComplex<T>)
    return a.x * a.x + a.y * a.y;
  else
    return a * a;
}
template <class T>
HEDDLE_NUMBER T zero() {
  return from_real<T>(0);
}
template <class T>
HEDDLE_NUMBER T one() {
  return from_real<T>(1);
}
// The sum over a block of kThreads threads, in a fixed order. All threads get it.
template <class T>
__device__ __forceinline__ T sum_block(T value) {
  __shared__ T sums[kThreads];
  sums[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + half];
  }
  __syncthreads();
  const T sum = sums[0];
  __syncthreads();
  return sum;
}

// The factorisations for any element type and index type of pivots, which the typed calls and
// those with types as arguments share.
template <class T>
Status cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, T* a, int64_t lda,
                int* info);
template <class T>
Status solve_cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                      const T* a, int64_t lda, T* b, int64_t ldb, int* info);
template <class T, class Pivot>
Status factor_lu(cusolverDnHandle_t h, int64_t m, int64_t n, T* a, int64_t lda, Pivot* pivots,
                 int* info);
template <class T, class Pivot>
Status solve_lu(cusolverDnHandle_t h, cublasOperation_t trans, int64_t n, int64_t nrhs, const T* a,
                int64_t lda, const Pivot* pivots, T* b, int64_t ldb, int* info);
template <class T>
Status factor_qr(cusolverDnHandle_t h, int64_t m, int64_t n, T* a, int64_t lda, T* tau, int* info);
// Eigenvalues of `count` hermitian matrices that lie lda * n apart.
template <class T>
Status find_eigenvalues(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                        int64_t n, T* a, int64_t lda, Real<T>* w, int* info, Iterations& iterations,
                        int64_t count = 1);
template <class T>
Status find_singular_values(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int64_t m,
                            int64_t n, T* a, int64_t lda, Real<T>* s, T* u, int64_t ldu, T* vt,
                            int64_t ldvt, int* info);

#define HEDDLE_EACH_TYPE(use) use(float) use(double) use(float2) use(double2)

}  // namespace heddle::solver
