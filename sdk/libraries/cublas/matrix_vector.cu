// Level 2: products of a matrix and a vector, updates of rank one, triangular systems.
#include "cublas/matrices.h"

namespace heddle::blas {
namespace {

constexpr int kRows = 32, kParts = 8;  // of a block: rows of the result, parts of each sum

// y = alpha op(A) x + beta y. A block computes 32 elements; where rows of op(A) are contiguous, the
// 32 lanes of a warp share a row, otherwise a column.
template <class T>
__global__ void multiply_vector(Matrix<T> shape, Batched<const T*> as, int64_t rows,
                                int64_t columns, Scalar<T> alpha, Batched<const T*> xs,
                                int64_t incx, Scalar<T> beta, Batched<T*> ys, int64_t incy) {
  __shared__ T parts[kParts][kRows + 1];
  Matrix<T> a = shape;
  a.data = as.at(blockIdx.y);
  const T* const x = xs.at(blockIdx.y);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kRows;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (a.transposed) {
    for (int r = warp; r < kRows && first + r < rows; r += kParts) {
      T sum = from_real<T>(0);
      for (int64_t c = lane; c < columns; c += 32)
        sum = multiply_add(a.at(first + r, c), x[c * incx], sum);
      for (int half = 16; half > 0; half /= 2) {
        if constexpr (kComplex<T>) {
          sum.x += __shfl_xor_sync(~0u, sum.x, half);
          sum.y += __shfl_xor_sync(~0u, sum.y, half);
        } else {
          sum += __shfl_xor_sync(~0u, sum, half);
        }
      }
      if (lane == 0) parts[0][r] = sum;
    }
  } else {
    T sum = from_real<T>(0);
    if (first + lane < rows)
      for (int64_t c = warp; c < columns; c += kParts)
        sum = multiply_add(a.at(first + lane, c), x[c * incx], sum);
    parts[warp][lane] = sum;
  }
  __syncthreads();
  if (warp != 0 || first + lane >= rows) return;
  T sum = parts[0][lane];
  if (!a.transposed)
    for (int p = 1; p < kParts; ++p) sum = sum + parts[p][lane];
  T& y = ys.at(blockIdx.y)[(first + lane) * incy];
  const T b = beta.get();
  sum = alpha.get() * sum;
  y = is_zero(b) ? sum : multiply_add(b, y, sum);
}

template <class T>
Status launch(cublasHandle_t h, Matrix<T> shape, Batched<const T*> a, int64_t rows, int64_t columns,
              const T* alpha, Batched<const T*> x, int64_t incx, const T* beta, Batched<T*> y,
              int64_t incy, int64_t count) {
  if (rows <= 0 || count <= 0) return CUBLAS_STATUS_SUCCESS;
  const dim3 grid(static_cast<unsigned>(ceil_div(rows, kRows)), static_cast<unsigned>(count));
  multiply_vector<<<grid, kRows * kParts, 0, h->stream>>>(
      shape, a, rows, columns, scalar(*h, alpha), x, incx, scalar(*h, beta), y, incy);
  return launched();
}

template <class T>
Status multiply(cublasHandle_t h, Matrix<T> a, int64_t rows, int64_t columns, const T* alpha,
                const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  return launch<T>(h, a, {a.data}, rows, columns, alpha, {first_of(x, columns, incx)}, incx, beta,
                   {first_of(y, rows, incy)}, incy, 1);
}

template <class T>
Status gemv(cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha,
            const T* a, int64_t lda, const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_operation(trans) && m >= 0 && n >= 0 && holds(lda, m) && incx && incy);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && a && x && y);
  const bool plain = trans == CUBLAS_OP_N;
  return multiply(h, operated(a, lda, trans), plain ? m : n, plain ? n : m, alpha, x, incx, beta, y,
                  incy);
}
template <class T>
Status gemv_batched(cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha,
                    const T* const a[], int64_t lda, const T* const x[], int64_t incx,
                    const T* beta, T* const y[], int64_t incy, int64_t count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_operation(trans) && m >= 0 && n >= 0 && holds(lda, m) && incx && incy &&
              count >= 0);
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && a && x && y);
  if (incx < 0 || incy < 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool plain = trans == CUBLAS_OP_N;
  return launch<T>(h, operated<T>(nullptr, lda, trans), {nullptr, a}, plain ? m : n, plain ? n : m,
                   alpha, {nullptr, x}, incx, beta, {nullptr, y}, incy, count);
}
template <class T>
Status gemv_strided_batched(cublasHandle_t h, cublasOperation_t trans, int64_t m, int64_t n,
                            const T* alpha, const T* a, int64_t lda, int64_t stride_a, const T* x,
                            int64_t incx, int64_t stride_x, const T* beta, T* y, int64_t incy,
                            int64_t stride_y, int64_t count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_operation(trans) && m >= 0 && n >= 0 && holds(lda, m) && incx && incy &&
              count >= 0);
  if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && a && x && y);
  const bool plain = trans == CUBLAS_OP_N;
  const int64_t rows = plain ? m : n, columns = plain ? n : m;
  return launch<T>(h, operated<T>(nullptr, lda, trans), {a, nullptr, stride_a}, rows, columns,
                   alpha, {first_of(x, columns, incx), nullptr, stride_x}, incx, beta,
                   {first_of(y, rows, incy), nullptr, stride_y}, incy, count);
}

template <class T>
Status multiply_mirrored(cublasHandle_t h, Shape shape, cublasFillMode_t uplo, int64_t n,
                         const T* alpha, const T* a, int64_t lda, const T* x, int64_t incx,
                         const T* beta, T* y, int64_t incy) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n) && incx && incy);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && a && x && y);
  return multiply(h, triangle(a, lda, shape, uplo), n, n, alpha, x, incx, beta, y, incy);
}
template <class T>
Status symv(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* a,
            int64_t lda, const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  return multiply_mirrored(h, Shape::symmetric, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}
template <class T>
Status hemv(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* a,
            int64_t lda, const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  return multiply_mirrored(h, Shape::hermitian, uplo, n, alpha, a, lda, x, incx, beta, y, incy);
}

template <class T>
__global__ void copy_vector(int64_t n, const T* x, int64_t incx, T* y) {
  for (int64_t i = first_index(); i < n; i += index_step()) y[i] = x[i * incx];
}
template <class T>
Status trmv(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
            int64_t n, const T* a, int64_t lda, T* x, int64_t incx) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && is_operation(trans) && is_diagonal(diag) && n >= 0 &&
              holds(lda, n) && incx);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && x);
  const Workspace kept(n * sizeof(T), h->stream);
  if (!kept.as<T>()) return CUBLAS_STATUS_ALLOC_FAILED;
  copy_vector<<<blocks_for(n), kThreads, 0, h->stream>>>(n, first_of(x, n, incx), incx,
                                                         kept.as<T>());
  const cublasPointerMode_t mode = h->pointer_mode;
  h->pointer_mode = CUBLAS_POINTER_MODE_HOST;
  const T one = from_real<T>(1), zero = from_real<T>(0);
  const Status status = multiply<T>(h, triangle(a, lda, Shape::triangular, uplo, trans, diag), n, n,
                                    &one, kept.as<T>(), 1, &zero, x, incx);
  h->pointer_mode = mode;
  return status;
}

// Forward or backward substitution by one block.
template <class T>
__global__ void substitute(Matrix<T> a, int64_t n, T* x, int64_t incx, bool forward) {
  __shared__ T solved;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = forward ? step : n - 1 - step;
    if (threadIdx.x == 0) {
      T value = x[i * incx];
      if (!a.unit) value = value * reciprocal(a.at(i, i));
      x[i * incx] = solved = value;
    }
    __syncthreads();
    for (int64_t s = step + 1 + threadIdx.x; s < n; s += blockDim.x) {
      const int64_t j = forward ? s : n - 1 - s;
      x[j * incx] = x[j * incx] - a.at(j, i) * solved;
    }
    __syncthreads();
  }
}
template <class T>
Status trsv(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
            int64_t n, const T* a, int64_t lda, T* x, int64_t incx) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && is_operation(trans) && is_diagonal(diag) && n >= 0 &&
              holds(lda, n) && incx);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(a && x);
  const Matrix<T> matrix = triangle(a, lda, Shape::triangular, uplo, trans, diag);
  substitute<<<1, kThreads, 0, h->stream>>>(matrix, n, first_of(x, n, incx), incx,
                                            matrix.lower != matrix.transposed);
  return launched();
}

// A += alpha x y^T, everywhere or in one triangle.
template <class T, class A>
__global__ void update(int64_t m, int64_t n, Scalar<A> alpha, const T* x, int64_t incx, const T* y,
                       int64_t incy, T* a, int64_t lda, bool conjugates, Part part) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * 32 + threadIdx.x;
  const int64_t column = static_cast<int64_t>(blockIdx.y) * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  if (part == Part::lower ? row < column : part == Part::upper && row > column) return;
  T& value = a[row + column * lda];
  T other = y[column * incy];
  if (conjugates) other = conjugate(other);
  value = value + alpha.get() * (x[row * incx] * other);
  if constexpr (kComplex<T>)
    if (conjugates && part != Part::all && row == column) value.y = 0;
}
template <class T, class A>
Status update_rank_one(cublasHandle_t h, int64_t m, int64_t n, const A* alpha, const T* x,
                       int64_t incx, const T* y, int64_t incy, T* a, int64_t lda, bool conjugates,
                       Part part) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(m >= 0 && n >= 0 && holds(lda, m) && incx && incy);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && a && x && y);
  const dim3 grid(static_cast<unsigned>(ceil_div(m, 32)), static_cast<unsigned>(ceil_div(n, 8)));
  update<<<grid, dim3(32, 8), 0, h->stream>>>(m, n, scalar(*h, alpha), first_of(x, m, incx), incx,
                                              first_of(y, n, incy), incy, a, lda, conjugates, part);
  return launched();
}
template <class T>
Status ger(cublasHandle_t h, int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx,
           const T* y, int64_t incy, T* a, int64_t lda) {
  return update_rank_one(h, m, n, alpha, x, incx, y, incy, a, lda, false, Part::all);
}
template <class T>
Status geru(cublasHandle_t h, int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx,
            const T* y, int64_t incy, T* a, int64_t lda) {
  return update_rank_one(h, m, n, alpha, x, incx, y, incy, a, lda, false, Part::all);
}
template <class T>
Status gerc(cublasHandle_t h, int64_t m, int64_t n, const T* alpha, const T* x, int64_t incx,
            const T* y, int64_t incy, T* a, int64_t lda) {
  return update_rank_one(h, m, n, alpha, x, incx, y, incy, a, lda, true, Part::all);
}
template <class T>
Status syr(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x,
           int64_t incx, T* a, int64_t lda) {
  HEDDLE_NEED(is_fill(uplo));
  return update_rank_one(h, n, n, alpha, x, incx, x, incx, a, lda, false, part_of(uplo));
}
template <class T>
Status her(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const Real<T>* alpha, const T* x,
           int64_t incx, T* a, int64_t lda) {
  HEDDLE_NEED(is_fill(uplo));
  return update_rank_one(h, n, n, alpha, x, incx, x, incx, a, lda, true, part_of(uplo));
}

// alpha x y^T + alpha y x^T, or alpha x y^H + conj(alpha) y x^H.
template <class T>
__global__ void update_twice(int64_t n, Scalar<T> alpha, const T* x, int64_t incx, const T* y,
                             int64_t incy, T* a, int64_t lda, bool conjugates, Part part) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * 32 + threadIdx.x;
  const int64_t column = static_cast<int64_t>(blockIdx.y) * 8 + threadIdx.y;
  if (row >= n || column >= n || (part == Part::lower ? row < column : row > column)) return;
  const T factor = alpha.get(), turned = conjugates ? conjugate(factor) : factor;
  T other_x = x[column * incx], other_y = y[column * incy];
  if (conjugates) other_x = conjugate(other_x), other_y = conjugate(other_y);
  T& value = a[row + column * lda];
  value = value + factor * (x[row * incx] * other_y) + turned * (y[row * incy] * other_x);
  if constexpr (kComplex<T>)
    if (conjugates && row == column) value.y = 0;
}
template <class T>
Status update_rank_two(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const T* alpha,
                       const T* x, int64_t incx, const T* y, int64_t incy, T* a, int64_t lda,
                       bool conjugates) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n) && incx && incy);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && a && x && y);
  const dim3 grid(static_cast<unsigned>(ceil_div(n, 32)), static_cast<unsigned>(ceil_div(n, 8)));
  update_twice<<<grid, dim3(32, 8), 0, h->stream>>>(n, scalar(*h, alpha), first_of(x, n, incx),
                                                    incx, first_of(y, n, incy), incy, a, lda,
                                                    conjugates, part_of(uplo));
  return launched();
}
template <class T>
Status syr2(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x,
            int64_t incx, const T* y, int64_t incy, T* a, int64_t lda) {
  return update_rank_two(h, uplo, n, alpha, x, incx, y, incy, a, lda, false);
}
template <class T>
Status her2(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, const T* alpha, const T* x,
            int64_t incx, const T* y, int64_t incy, T* a, int64_t lda) {
  return update_rank_two(h, uplo, n, alpha, x, incx, y, incy, a, lda, true);
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_matrix_vector_calls.inc"
