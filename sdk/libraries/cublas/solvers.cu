// Triangular systems with many right-hand sides. Blocks of 32 unknowns are solved in shared memory;
// products of matrices take them out of what is left.
#include <memory>

#include "cublas/product.h"

namespace heddle::blas {
namespace {

constexpr int kBlock = 32;

// Solves op(A) X = B for one diagonal block of A and 32 right-hand sides of B. A right-hand side is
// a column of B, or a row when A stands on the right.
template <class T>
__global__ void solve_block(Matrix<T> shape, Batched<const T*> as, int order, bool forward,
                            Batched<T*> bs, int64_t along, int64_t across, int64_t count,
                            Scalar<T> alpha) {
  __shared__ T a[kBlock][kBlock + 1], x[kBlock][kBlock + 1];
  const int lane = threadIdx.x, part = threadIdx.y;
  const int64_t side = static_cast<int64_t>(blockIdx.x) * kBlock;
  Matrix<T> matrix = shape;
  matrix.data = as.at(blockIdx.y);
  T* const b = bs.at(blockIdx.y) + side * across;
  const T scale = alpha.get();
  for (int i = part; i < kBlock; i += blockDim.y) {
    if (lane < order && i < order) a[i][lane] = matrix.at(i, lane);
    const int unknown = along == 1 ? lane : i, rhs = along == 1 ? i : lane;
    T value = from_real<T>(0);
    if (unknown < order && side + rhs < count) value = scale * b[unknown * along + rhs * across];
    x[unknown][rhs] = value;
  }
  __syncthreads();
  if (part == 0) {
    for (int step = 0; step < order; ++step) {
      const int i = forward ? step : order - 1 - step;
      if (!matrix.unit) x[i][lane] = x[i][lane] * reciprocal(a[i][i]);
      for (int s = step + 1; s < order; ++s) {
        const int j = forward ? s : order - 1 - s;
        x[j][lane] = x[j][lane] - a[j][i] * x[i][lane];
      }
    }
  }
  __syncthreads();
  for (int i = part; i < kBlock; i += blockDim.y) {
    const int unknown = along == 1 ? lane : i, rhs = along == 1 ? i : lane;
    if (unknown < order && side + rhs < count) b[unknown * along + rhs * across] = x[unknown][rhs];
  }
}

template <class T>
struct System {
  cublasOperation_t trans;
  int64_t m, n, lda, ldb;
  Matrix<T> a;
  bool left;
};

// op(A) X = alpha B, or X op(A) = alpha B, which is op(A)^T X^T = alpha B^T.
template <class T>
Status solve(cublasHandle_t h, const System<T>& s, Scalar<T> alpha, const T* a, T* b) {
  Matrix<T> matrix = s.a;
  if (!s.left) matrix.transposed = !matrix.transposed;
  const int64_t order = s.left ? s.m : s.n, count = s.left ? s.n : s.m;
  const int64_t along = s.left ? 1 : s.ldb, across = s.left ? s.ldb : 1;
  const bool forward = matrix.lower != matrix.transposed;
  const int64_t blocks = ceil_div(order, kBlock);
  const Scalar<T> minus = constant(from_real<T>(-1)), one = constant(from_real<T>(1));
  for (int64_t n = 0; n < blocks; ++n) {
    const int64_t first = (forward ? n : blocks - 1 - n) * kBlock;
    const int size = static_cast<int>(std::min<int64_t>(kBlock, order - first));
    const dim3 grid(static_cast<unsigned>(ceil_div(count, kBlock)));
    solve_block<T><<<grid, dim3(kBlock, 8), 0, h->stream>>>(matrix, {a + first * (s.lda + 1)}, size,
                                                            forward, {b + first * along}, along,
                                                            across, count, n == 0 ? alpha : one);
    // B_rest = alpha B_rest - op(A)_rest,block X_block. Alpha is applied with the first block.
    const int64_t rest = forward ? first + size : 0, rests = forward ? order - rest : first;
    if (rests == 0) continue;
    const Scalar<T> beta = n == 0 ? alpha : one;
    const bool swaps = s.trans != CUBLAS_OP_N;
    const int64_t row = s.left ? rest : first, column = s.left ? first : rest;
    const T* const factor = a + (swaps ? column + row * s.lda : row + column * s.lda);
    const Status status =
        s.left ? multiply_matrices<T>(*h, s.trans, CUBLAS_OP_N, rests, count, size, minus, factor,
                                      s.lda, b + first, s.ldb, beta, b + rest, s.ldb)
               : multiply_matrices<T>(*h, CUBLAS_OP_N, s.trans, count, rests, size, minus,
                                      b + first * s.ldb, s.ldb, factor, s.lda, beta,
                                      b + rest * s.ldb, s.ldb);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return launched();
}

template <class T>
bool is_system(cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
               cublasDiagType_t diag, int64_t m, int64_t n, int64_t lda, int64_t ldb) {
  return is_side(side) && is_fill(uplo) && is_operation(trans) && is_diagonal(diag) && m >= 0 &&
         n >= 0 && holds(lda, side == CUBLAS_SIDE_LEFT ? m : n) && holds(ldb, m);
}
template <class T>
Status trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
            cublasDiagType_t diag, int64_t m, int64_t n, const T* alpha, const T* a, int64_t lda,
            T* b, int64_t ldb) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_system<T>(side, uplo, trans, diag, m, n, lda, ldb));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && a && b);
  const Matrix<T> matrix = triangle(a, lda, Shape::triangular, uplo, trans, diag);
  return solve<T>(h, {trans, m, n, lda, ldb, matrix, side == CUBLAS_SIDE_LEFT}, scalar(*h, alpha),
                  a, b);
}
// Small systems, as programs give them: one after the other, with pointers read by the host.
template <class T>
Status trsm_batched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n,
                    const T* alpha, const T* const a[], int64_t lda, T* const b[], int64_t ldb,
                    int64_t count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_system<T>(side, uplo, trans, diag, m, n, lda, ldb) && count >= 0);
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && a && b);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int64_t order = left ? m : n, sides = left ? n : m;
  if (order > kBlock) {
    std::unique_ptr<const T*[]> as(new const T*[count]);
    std::unique_ptr<T*[]> bs(new T*[count]);
    if (cudaMemcpyAsync(as.get(), a, count * sizeof(T*), cudaMemcpyDeviceToHost, h->stream) ||
        cudaMemcpyAsync(bs.get(), b, count * sizeof(T*), cudaMemcpyDeviceToHost, h->stream) ||
        cudaStreamSynchronize(h->stream))
      return CUBLAS_STATUS_EXECUTION_FAILED;
    for (int64_t i = 0; i < count; ++i) {
      const Status status = trsm(h, side, uplo, trans, diag, m, n, alpha, as[i], lda, bs[i], ldb);
      if (status != CUBLAS_STATUS_SUCCESS) return status;
    }
    return CUBLAS_STATUS_SUCCESS;
  }
  Matrix<T> matrix = triangle<T>(nullptr, lda, Shape::triangular, uplo, trans, diag);
  if (!left) matrix.transposed = !matrix.transposed;
  const dim3 grid(static_cast<unsigned>(ceil_div(sides, kBlock)), static_cast<unsigned>(count));
  solve_block<T><<<grid, dim3(kBlock, 8), 0, h->stream>>>(
      matrix, {nullptr, a}, static_cast<int>(order), matrix.lower != matrix.transposed,
      {nullptr, b}, left ? 1 : ldb, left ? ldb : 1, sides, scalar(*h, alpha));
  return launched();
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_solvers_calls.inc"
