// Generalised eigenvalues of hermitian matrices, A x = w B x, by the Cholesky factor of B.
#include "cusolver/blas.h"

namespace heddle::solver {
namespace {

// Both triangles of a hermitian matrix.
template <class T>
__global__ void unfold(bool lower, int64_t n, const T* a, int64_t lda, T* whole) {
  for (int64_t e = first_index(); e < n * n; e += index_step()) {
    const int64_t i = e % n, j = e / n;
    const bool stored = lower ? i >= j : i <= j;
    whole[e] = stored ? a[i + j * lda] : conjugate(a[j + i * lda]);
  }
}
bool is_type(cusolverEigType_t type) {
  return type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3;
}

// The triangular factor F of B = F F^H, as a factor of n x n matrices.
template <class T>
struct Factor {
  cublasHandle_t blas;
  cublasFillMode_t uplo;
  int64_t n;
  const T* f;
  int64_t ld;

  cublasOperation_t op(bool adjoint) const {
    if (adjoint == (uplo == CUBLAS_FILL_MODE_UPPER)) return CUBLAS_OP_N;
    return kComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  }
  // F^-1 x or x F^-1, of the adjoint F^-H, in place.
  cublasStatus_t divide(cublasSideMode_t side, bool adjoint, T* x) const {
    const T plus = one<T>();
    return trsm(blas, side, uplo, op(adjoint), CUBLAS_DIAG_NON_UNIT, n, n, &plus, f, ld, x, n);
  }
  // y = F x or x F, of the adjoint F^H.
  cublasStatus_t multiply(cublasSideMode_t side, bool adjoint, const T* x, T* y) const {
    const T plus = one<T>();
    return trmm<T>(blas, side, uplo, op(adjoint), CUBLAS_DIAG_NON_UNIT, n, n, &plus, f, ld, x, n, y,
                   n);
  }
};

// info: n plus the order of the minor of B that is not positive definite, as LAPACK says.
template <class T>
Status solve(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
             cublasFillMode_t uplo, int n, T* a, int lda, T* b, int ldb, Real<T>* w, int* info,
             Iterations& iterations) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_type(type) && is_mode(jobz) && holds(lda, n) && (n == 0 || (a && w)));
  HEDDLE_TRY(cholesky<T>(h, uplo, n, b, ldb, info));
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  int failed = 0;
  HEDDLE_TRY(read_back(h->stream, &failed, info, sizeof failed));
  if (failed) {
    failed += n;
    cudaMemcpyAsync(info, &failed, sizeof failed, cudaMemcpyHostToDevice, h->stream);
    cudaStreamSynchronize(h->stream);  // `failed` is read until then
    return launched();
  }
  const int64_t size = int64_t{n} * n;
  const Workspace memory(2 * size * sizeof(T), h->stream);
  T *const c = memory.as<T>(), *const product = c + size;
  if (!c) return CUSOLVER_STATUS_ALLOC_FAILED;
  const Factor<T> factor{h->blas, uplo, n, b, ldb};
  unfold<<<blocks_for(size), kThreads, 0, h->stream>>>(uplo == CUBLAS_FILL_MODE_LOWER, n, a, lda,
                                                       c);
  if (type == CUSOLVER_EIG_TYPE_1) {
    HEDDLE_BLAS(factor.divide(CUBLAS_SIDE_LEFT, false, c));
    HEDDLE_BLAS(factor.divide(CUBLAS_SIDE_RIGHT, true, c));
  } else {
    HEDDLE_BLAS(factor.multiply(CUBLAS_SIDE_LEFT, true, c, product));
    HEDDLE_BLAS(factor.multiply(CUBLAS_SIDE_RIGHT, false, product, c));
  }
  HEDDLE_TRY(find_eigenvalues<T>(h, jobz, uplo, n, c, n, w, info, iterations, 1));
  if (jobz == CUSOLVER_EIG_MODE_NOVECTOR) return launched();
  if (type == CUSOLVER_EIG_TYPE_3) {
    HEDDLE_BLAS(factor.multiply(CUBLAS_SIDE_LEFT, false, c, product));
  } else {
    HEDDLE_BLAS(factor.divide(CUBLAS_SIDE_LEFT, true, c));
  }
  cudaMemcpy2DAsync(a, lda * sizeof(T), type == CUSOLVER_EIG_TYPE_3 ? product : c, n * sizeof(T),
                    n * sizeof(T), n, cudaMemcpyDeviceToDevice, h->stream);
  return launched();
}

template <class T>
Status sygvd(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
             cublasFillMode_t uplo, int n, T* a, int lda, T* b, int ldb, Real<T>* w, T* work,
             int lwork, int* info) {
  HEDDLE_NEED(n == 0 || (work && lwork >= kWorkElements));
  Iterations iterations;
  return solve<T>(h, type, jobz, uplo, n, a, lda, b, ldb, w, info, iterations);
}
template <class T>
Status sygvj(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
             cublasFillMode_t uplo, int n, T* a, int lda, T* b, int ldb, Real<T>* w, T* work,
             int lwork, int* info, syevjInfo_t params) {
  HEDDLE_NEED(params && (n == 0 || (work && lwork >= kWorkElements)));
  return solve<T>(h, type, jobz, uplo, n, a, lda, b, ldb, w, info,
                  *reinterpret_cast<Iterations*>(params));
}
template <class T, class... Rest>
Status sygvd_buffer_size(cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t jobz,
                         cublasFillMode_t uplo, int n, const T*, int lda, const T*, int ldb,
                         const Real<T>*, int* lwork, Rest...) {
  HEDDLE_NEED(is_type(type) && is_mode(jobz) && is_fill(uplo) && n >= 0 && holds(lda, n) &&
              holds(ldb, n));
  return work_size(h, lwork);
}
#define HEDDLE_SAME(name, other)        \
  template <class... Arguments>         \
  Status name(Arguments... arguments) { \
    return other(arguments...);         \
  }
HEDDLE_SAME(sygvj_buffer_size, sygvd_buffer_size)
HEDDLE_SAME(hegvd, sygvd)
HEDDLE_SAME(hegvj, sygvj)
HEDDLE_SAME(hegvd_buffer_size, sygvd_buffer_size)
HEDDLE_SAME(hegvj_buffer_size, sygvd_buffer_size)

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_generalized_calls.inc"
