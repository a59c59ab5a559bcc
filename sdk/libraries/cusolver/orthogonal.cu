// QR by Householder reflections, and products with Q. A reflection is I - tau v v^H.
#include "cusolver/blas.h"

namespace heddle::solver {
namespace {

constexpr int64_t kPanel = 32;

// One block factors a panel, as LAPACK's geqr2.
template <class T>
__global__ void factor_panel(int64_t m, int64_t columns, T* a, int64_t lda, T* tau) {
  for (int64_t k = 0; k < columns; ++k) {
    T* const v = a + k * lda;
    Real<T> sum = 0;
    for (int64_t i = k + 1 + threadIdx.x; i < m; i += kThreads) sum += square(v[i]);
    sum = sum_block(sum);
    const T alpha = v[k];
    const Real<T> size = sqrt(square(alpha) + sum);
    const bool plain = sum == 0 && is_zero(alpha - from_real<T>(real_part(alpha)));
    const Real<T> beta = plain ? real_part(alpha) : real_part(alpha) < 0 ? size : -size;
    const T factor = plain ? zero<T>() : (1 / beta) * (from_real<T>(beta) - alpha);
    __syncthreads();
    if (threadIdx.x == 0) {
      tau[k] = factor;
      v[k] = from_real<T>(beta);
    }
    if (plain) continue;
    const T scale = reciprocal(alpha - from_real<T>(beta));
    for (int64_t i = k + 1 + threadIdx.x; i < m; i += kThreads) v[i] = scale * v[i];
    __syncthreads();
    for (int64_t j = k + 1; j < columns; ++j) {
      T* const c = a + j * lda;
      T dot = threadIdx.x == 0 ? c[k] : zero<T>();
      for (int64_t i = k + 1 + threadIdx.x; i < m; i += kThreads)
        dot = dot + conjugate(v[i]) * c[i];
      dot = conjugate(factor) * sum_block(dot);
      if (threadIdx.x == 0) c[k] = c[k] - dot;
      for (int64_t i = k + 1 + threadIdx.x; i < m; i += kThreads) c[i] = c[i] - dot * v[i];
    }
    __syncthreads();
  }
}
// A block applies reflections 0 to k - 1, or back, to one vector. A row is its conjugate.
template <class T>
__global__ void apply(int64_t length, int64_t k, const T* v, int64_t ldv, const T* tau, T* c,
                      int64_t along, int64_t across, bool backward, bool conjugates_tau,
                      bool is_row) {
  T* const x = c + blockIdx.x * across;
  for (int64_t step = 0; step < k; ++step) {
    const int64_t r = backward ? k - 1 - step : step;
    const T* const reflector = v + r * ldv;
    T dot = zero<T>();
    for (int64_t i = r + threadIdx.x; i < length; i += kThreads) {
      const T element = is_row ? conjugate(x[i * along]) : x[i * along];
      dot = dot + (i == r ? element : conjugate(reflector[i]) * element);
    }
    dot = (conjugates_tau ? conjugate(tau[r]) : tau[r]) * sum_block(dot);
    for (int64_t i = r + threadIdx.x; i < length; i += kThreads) {
      const T change = i == r ? dot : dot * reflector[i];
      x[i * along] = x[i * along] - (is_row ? conjugate(change) : change);
    }
    __syncthreads();
  }
}
template <class T>
__global__ void start_identity(int64_t m, int64_t n, int64_t k, T* a, int64_t lda, T* reflectors) {
  for (int64_t e = first_index(); e < m * n; e += index_step()) {
    const int64_t i = e % m, j = e / m;
    if (j < k) reflectors[e] = a[i + j * lda];
    a[i + j * lda] = i == j ? one<T>() : zero<T>();
  }
}
bool is_workspace(const void* work, int lwork) { return work && lwork >= kWorkElements; }

}  // namespace

template <class T>
Status factor_qr(cusolverDnHandle_t h, int64_t m, int64_t n, T* a, int64_t lda, T* tau, int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(m >= 0 && n >= 0 && holds(lda, m) && info);
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (m == 0 || n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && tau);
  for (int64_t j = 0; j < std::min(m, n); j += kPanel) {
    const int64_t size = std::min(kPanel, std::min(m, n) - j), right = n - j - size;
    T* const panel = a + j + j * lda;
    factor_panel<<<1, kThreads, 0, h->stream>>>(m - j, size, panel, lda, tau + j);
    if (right > 0)
      apply<T><<<static_cast<unsigned>(right), kThreads, 0, h->stream>>>(
          m - j, size, panel, lda, tau + j, panel + size * lda, 1, lda, false, true, false);
  }
  return launched();
}
#define HEDDLE_INSTANCE(T) \
  template Status factor_qr(cusolverDnHandle_t, int64_t, int64_t, T*, int64_t, T*, int*);
HEDDLE_EACH_TYPE(HEDDLE_INSTANCE)

namespace {

template <class T>
Status geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T* work, int lwork,
             int* info) {
  HEDDLE_NEED(m == 0 || n == 0 || is_workspace(work, lwork));
  return factor_qr<T>(h, m, n, a, lda, tau, info);
}
template <class T>
Status geqrf_buffer_size(cusolverDnHandle_t h, int m, int n, T*, int lda, int* lwork) {
  HEDDLE_NEED(m >= 0 && n >= 0 && holds(lda, m));
  return work_size(h, lwork);
}
template <class T>
Status orgqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda, const T* tau, T* work,
             int lwork, int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && m >= n && k >= 0 && k <= n && holds(lda, m) && info);
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && (k == 0 || tau) && is_workspace(work, lwork));
  const int64_t size = static_cast<int64_t>(m) * n;
  const Workspace memory(size * sizeof(T), h->stream);
  T* const reflectors = memory.as<T>();
  if (!reflectors) return CUSOLVER_STATUS_ALLOC_FAILED;
  start_identity<<<blocks_for(size), kThreads, 0, h->stream>>>(m, n, k, a, lda, reflectors);
  apply<T><<<n, kThreads, 0, h->stream>>>(m, k, reflectors, m, tau, a, 1, lda, true, false, false);
  return launched();
}
template <class T>
Status orgqr_buffer_size(cusolverDnHandle_t h, int m, int n, int k, const T*, int lda, const T*,
                         int* lwork) {
  HEDDLE_NEED(n >= 0 && m >= n && k >= 0 && k <= n && holds(lda, m));
  return work_size(h, lwork);
}
template <class T>
bool is_product(cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, int lda,
                int ldc) {
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  return (side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT) &&
         (trans == CUBLAS_OP_N || trans == CUBLAS_OP_C || (trans == CUBLAS_OP_T && !kComplex<T>)) &&
         m >= 0 && n >= 0 && k >= 0 && k <= order && holds(lda, order) && holds(ldc, m);
}
template <class T>
Status ormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int m, int n,
             int k, const T* a, int lda, const T* tau, T* c, int ldc, T* work, int lwork,
             int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_product<T>(side, trans, m, n, k, lda, ldc) && info);
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (m == 0 || n == 0 || k == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && tau && c && is_workspace(work, lwork));
  // Q is H0 H1 ...; a row times Q is the conjugate of Q^H times its conjugate.
  const bool left = side == CUBLAS_SIDE_LEFT, plain = trans == CUBLAS_OP_N;
  apply<T><<<left ? n : m, kThreads, 0, h->stream>>>(left ? m : n, k, a, lda, tau, c,
                                                     left ? 1 : ldc, left ? ldc : 1, left == plain,
                                                     left != plain, !left);
  return launched();
}
template <class T>
Status ormqr_buffer_size(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans,
                         int m, int n, int k, const T*, int lda, const T*, const T*, int ldc,
                         int* lwork) {
  HEDDLE_NEED(is_product<T>(side, trans, m, n, k, lda, ldc));
  return work_size(h, lwork);
}
// Least squares, m >= n: R X = the first n rows of Q^H B. B is overwritten by Q^H B.
template <class T>
Status gels(cusolverDnHandle_t h, int m, int n, int nrhs, T* a, int lda, T* b, int ldb, T* x,
            int ldx, void* work, size_t bytes, int* iterations, int* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && m >= n && nrhs >= 0 && holds(lda, m) && holds(ldb, m) && holds(ldx, n) &&
              iterations && info && work && bytes >= kWorkElements * sizeof(T));
  *iterations = 0;
  const Workspace memory((n + 1) * sizeof(T), h->stream);
  T* const tau = memory.as<T>();
  if (!tau) return CUSOLVER_STATUS_ALLOC_FAILED;
  HEDDLE_TRY(factor_qr<T>(h, m, n, a, lda, tau, info));
  if (n == 0 || nrhs == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_TRY(ormqr<T>(h, CUBLAS_SIDE_LEFT, kComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T, m, nrhs, n, a,
                      lda, tau, b, ldb, static_cast<T*>(work), kWorkElements, info));
  cudaMemcpy2DAsync(x, ldx * sizeof(T), b, ldb * sizeof(T), n * sizeof(T), nrhs, cudaMemcpyDefault,
                    h->stream);
  const T plus = one<T>();
  HEDDLE_BLAS(trsm(h->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                   CUBLAS_DIAG_NON_UNIT, n, nrhs, &plus, a, lda, x, ldx));
  return launched();
}
template <class T>
Status gels_buffer_size(cusolverDnHandle_t h, int m, int n, int nrhs, T*, int lda, T*, int ldb, T*,
                        int ldx, void*, size_t* bytes) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && m >= n && nrhs >= 0 && holds(lda, m) && holds(ldb, m) && holds(ldx, n) &&
              bytes);
  *bytes = kWorkElements * sizeof(T);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class... Arguments>
Status ungqr(Arguments... arguments) {
  return orgqr(arguments...);
}
template <class... Arguments>
Status ungqr_buffer_size(Arguments... arguments) {
  return orgqr_buffer_size(arguments...);
}
template <class... Arguments>
Status unmqr(Arguments... arguments) {
  return ormqr(arguments...);
}
template <class... Arguments>
Status unmqr_buffer_size(Arguments... arguments) {
  return ormqr_buffer_size(arguments...);
}

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_orthogonal_calls.inc"
