// Sums, transpositions and scalings of matrices.
#include "cublas/matrices.h"

namespace heddle::blas {
namespace {

// C = alpha op(A) + beta op(B). Tiles go through shared memory, so that rows of a transposed matrix
// are read as they lie.
constexpr int kTile = 32, kRows = 8;
template <class T>
__device__ void read_tile(T (&tile)[kTile][kTile + 1], const Matrix<T>& a, int64_t row,
                          int64_t column, int64_t m, int64_t n) {
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const int r = a.transposed ? y : x, c = a.transposed ? x : y;
    if (row + r < m && column + c < n) tile[c][r] = a.at(row + r, column + c);
  }
}
template <class T>
__global__ void add(Matrix<T> a, Matrix<T> b, int64_t m, int64_t n, Scalar<T> alpha, Scalar<T> beta,
                    T* c, int64_t ldc) {
  __shared__ T of_a[kTile][kTile + 1], of_b[kTile][kTile + 1];
  const int64_t row = static_cast<int64_t>(blockIdx.x) * kTile;
  const T first = alpha.get(), second = beta.get();
  for (int64_t column = static_cast<int64_t>(blockIdx.y) * kTile; column < n;
       column += static_cast<int64_t>(gridDim.y) * kTile) {
    if (!is_zero(first)) read_tile(of_a, a, row, column, m, n);
    if (!is_zero(second)) read_tile(of_b, b, row, column, m, n);
    __syncthreads();
    for (int y = threadIdx.y; y < kTile; y += kRows) {
      if (row + threadIdx.x >= m || column + y >= n) continue;
      T sum = from_real<T>(0);
      if (!is_zero(first)) sum = first * of_a[y][threadIdx.x];
      if (!is_zero(second)) sum = multiply_add(second, of_b[y][threadIdx.x], sum);
      c[row + threadIdx.x + (column + y) * ldc] = sum;
    }
    __syncthreads();
  }
}
dim3 grid_of(int64_t m, int64_t n, int64_t columns) {
  return dim3(static_cast<unsigned>(ceil_div(m, kTile)),
              static_cast<unsigned>(std::min<int64_t>(ceil_div(n, columns), 65535)));
}

template <class T>
Status geam(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
            int64_t n, const T* alpha, const T* a, int64_t lda, const T* beta, const T* b,
            int64_t ldb, T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && beta && is_operation(transa) && is_operation(transb) && m >= 0 && n >= 0 &&
              holds(ldc, m));
  const Scalar<T> first = scalar(*h, alpha), second = scalar(*h, beta);
  const bool needs_a = !is_known(first, 0), needs_b = !is_known(second, 0);
  HEDDLE_NEED(!needs_a || holds(lda, transa == CUBLAS_OP_N ? m : n));
  HEDDLE_NEED(!needs_b || holds(ldb, transb == CUBLAS_OP_N ? m : n));
  // In place only without transposition and with the same leading dimension.
  HEDDLE_NEED(c != a || (transa == CUBLAS_OP_N && lda == ldc));
  HEDDLE_NEED(c != b || (transb == CUBLAS_OP_N && ldb == ldc));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(c && (!needs_a || a) && (!needs_b || b));
  add<<<grid_of(m, n, kTile), dim3(kTile, kRows), 0, h->stream>>>(
      operated(a, lda, transa), operated(b, ldb, transb), m, n, first, second, c, ldc);
  return launched();
}

template <class T>
__global__ void scale_by_diagonal(int64_t m, int64_t n, const T* a, int64_t lda, const T* x,
                                  int64_t incx, bool rows, T* c, int64_t ldc) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * kTile + threadIdx.x;
  if (row >= m) return;
  for (int64_t column = static_cast<int64_t>(blockIdx.y) * kRows + threadIdx.y; column < n;
       column += static_cast<int64_t>(gridDim.y) * kRows)
    c[row + column * ldc] = a[row + column * lda] * x[(rows ? row : column) * incx];
}
template <class T>
Status dgmm(cublasHandle_t h, cublasSideMode_t side, int64_t m, int64_t n, const T* a, int64_t lda,
            const T* x, int64_t incx, T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_side(side) && m >= 0 && n >= 0 && holds(lda, m) && holds(ldc, m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && x && c);
  const bool rows = side == CUBLAS_SIDE_LEFT;
  scale_by_diagonal<<<grid_of(m, n, kRows), dim3(kTile, kRows), 0, h->stream>>>(
      m, n, a, lda, first_of(x, rows ? m : n, incx), incx, rows, c, ldc);
  return launched();
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_elementwise_calls.inc"
