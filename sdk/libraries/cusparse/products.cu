// Products of a sparse and a dense operand: SpMV, SpMM, SDDMM. Rows that lie together are summed by
// lanes of a warp; a matrix in another order adds to its results by atomic operations.
#include "cusparse/handle.h"

namespace heddle::sparse {
namespace {

constexpr int kWarp = 32;

template <class T>
__device__ __forceinline__ T sum_lanes(T sum, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    if constexpr (kComplex<T>) {
      sum.x += __shfl_xor_sync(~0u, sum.x, step);
      sum.y += __shfl_xor_sync(~0u, sum.y, step);
    } else {
      sum += __shfl_xor_sync(~0u, sum, step);
    }
  }
  return sum;
}
template <class T>
__device__ __forceinline__ void finish(const Dense<T>& c, int64_t i, int64_t j, T alpha, T sum,
                                       T beta) {
  sum = alpha * sum;
  if (!is_zero(beta)) sum = multiply_add(beta, c.at(i, j), sum);
  c.put(i, j, sum);
}

// A row is summed by 2^log_lanes lanes, which read its entries side by side.
template <class T>
__global__ void multiply_vector(Sparse<T> a, Dense<T> x, Scalar<T> alpha, Scalar<T> beta,
                                Dense<T> y, int log_lanes, bool conjugates) {
  const int lanes = 1 << log_lanes, lane = threadIdx.x & (lanes - 1);
  const int64_t step = index_step() >> log_lanes;
  for (int64_t first = (first_index() & -kWarp) >> log_lanes; first < a.majors; first += step) {
    const int64_t row = first + ((threadIdx.x & (kWarp - 1)) >> log_lanes);
    T sum = from_real<T>(0);
    if (row < a.majors) {
      const int64_t end = a.offsets.at(row + 1);
      for (int64_t e = a.offsets.at(row) + lane; e < end; e += lanes) {
        const T value = a.values.at(e);
        sum = multiply_add(conjugates ? conjugate(value) : value, x.at(a.minors.at(e), 0), sum);
      }
    }
    sum = sum_lanes(sum, lanes);
    if (row < a.majors && lane == 0) finish(y, row, 0, alpha.get(), sum, beta.get());
  }
}
// Threads side by side compute columns side by side of one row.
template <class T>
__global__ void multiply_matrix(Sparse<T> a, Dense<T> b, int64_t columns, Scalar<T> alpha,
                                Scalar<T> beta, Dense<T> c, bool conjugates) {
  for (int64_t i = first_index(); i < a.majors * columns; i += index_step()) {
    const int64_t row = i / columns, column = i % columns, end = a.offsets.at(row + 1);
    T sum = from_real<T>(0);
    for (int64_t e = a.offsets.at(row); e < end; ++e) {
      const T value = a.values.at(e);
      sum = multiply_add(conjugates ? conjugate(value) : value, b.at(a.minors.at(e), column), sum);
    }
    finish(c, row, column, alpha.get(), sum, beta.get());
  }
}
template <class T>
__device__ __forceinline__ void add_atomically(T* sum, T value) {
  if constexpr (kComplex<T>) {
    atomicAdd(&sum->x, value.x);
    atomicAdd(&sum->y, value.y);
  } else {
    atomicAdd(sum, value);
  }
}
template <class T>
__global__ void add_entries(Sparse<T> a, Dense<T> b, int64_t columns, T* sums, bool to_major,
                            bool conjugates) {
  for (int64_t i = first_index(); i < a.count * columns; i += index_step()) {
    const int64_t e = i / columns, column = i % columns;
    const int64_t major = a.major_of(e), minor = a.minors.at(e);
    const T value = a.values.at(e);
    add_atomically(
        sums + (to_major ? major : minor) * columns + column,
        (conjugates ? conjugate(value) : value) * b.at(to_major ? minor : major, column));
  }
}
template <class T>
__global__ void finish_sums(const T* sums, int64_t rows, int64_t columns, Scalar<T> alpha,
                            Scalar<T> beta, Dense<T> c) {
  for (int64_t i = first_index(); i < rows * columns; i += index_step())
    finish(c, i / columns, i % columns, alpha.get(), sums[i], beta.get());
}

// C = alpha op(A) B + beta C of one batch.
template <class T>
Status multiply(cudaStream_t stream, const Matrix& m, Operation op, Sparse<T> a, Dense<T> b,
                int64_t columns, Scalar<T> alpha, Scalar<T> beta, Dense<T> c) {
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool conjugates = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const int64_t rows = plain ? m.rows : m.columns;
  if (rows == 0 || columns == 0) return CUSPARSE_STATUS_SUCCESS;
  // An empty matrix may have no offsets.
  if (m.count > 0 && m.format != CUSPARSE_FORMAT_COO &&
      plain == (m.format == CUSPARSE_FORMAT_CSR)) {
    if (columns == 1) {
      int log_lanes = 1;
      while ((1 << log_lanes) < kWarp && (rows << (log_lanes + 1)) < m.count) ++log_lanes;
      multiply_vector<<<blocks_for(rows << log_lanes, 512), kThreads, 0, stream>>>(
          a, b, alpha, beta, c, log_lanes, conjugates);
    } else {
      multiply_matrix<<<blocks_for(rows * columns), kThreads, 0, stream>>>(a, b, columns, alpha,
                                                                           beta, c, conjugates);
    }
    return launched();
  }
  const Workspace memory(rows * columns * sizeof(T), stream);
  T* const sums = memory.as<T>();
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaMemsetAsync(sums, 0, rows * columns * sizeof(T), stream);
  const bool to_major = plain == (m.format != CUSPARSE_FORMAT_CSC);
  if (m.count > 0)
    add_entries<<<blocks_for(m.count * columns), kThreads, 0, stream>>>(a, b, columns, sums,
                                                                        to_major, conjugates);
  finish_sums<<<blocks_for(rows * columns), kThreads, 0, stream>>>(sums, rows, columns, alpha, beta,
                                                                   c);
  return launched();
}

Status check_vector_product(cusparseHandle_t h, Operation op, const void* alpha,
                            cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                            const void* beta, cusparseDnVecDescr_t y, cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && a && x && beta && y && is_operation(op));
  HEDDLE_SUPPORT(is_listed(*a));
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  HEDDLE_NEED(x->size == (plain ? a->columns : a->rows) &&
              y->size == (plain ? a->rows : a->columns));
  return with_type(compute, [&]<class T>(T) {
    HEDDLE_SUPPORT(is_stored_as<T>(a->type) && is_stored_as<T>(x->type) &&
                   is_result_of<T>(y->type));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
Status sp_mv_buffer_size(cusparseHandle_t h, Operation op, const void* alpha,
                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t,
                         size_t* bytes) {
  HEDDLE_TRY(check_vector_product(h, op, alpha, a, x, beta, y, compute));
  return buffer_size(h, bytes);
}
Status sp_mv_preprocess(cusparseHandle_t h, Operation op, const void* alpha,
                        cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                        cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void*) {
  return check_vector_product(h, op, alpha, a, x, beta, y, compute);
}
Status sp_mv(cusparseHandle_t h, Operation op, const void* alpha, cusparseConstSpMatDescr_t a,
             cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y,
             cudaDataType compute, cusparseSpMVAlg_t, void*) {
  HEDDLE_TRY(check_vector_product(h, op, alpha, a, x, beta, y, compute));
  return with_type(compute, [&]<class T>(T) {
    return multiply<T>(h->stream, *a, op, sparse<T>(*a), {{x->values, x->type}, 1, 0, false}, 1,
                       scalar<T>(*h, alpha), scalar<T>(*h, beta),
                       {{y->values, y->type}, 1, 0, false});
  });
}

int64_t rows_of(const DenseMatrix& m, Operation op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m.rows : m.columns;
}
int64_t columns_of(const DenseMatrix& m, Operation op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m.columns : m.rows;
}
bool fits(int batches, int all) { return batches == all || batches == 1; }

Status check_matrix_product(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                            cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                            const void* beta, cusparseDnMatDescr_t c, cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && a && b && beta && c && is_operation(op_a) && is_operation(op_b));
  HEDDLE_SUPPORT(is_listed(*a));
  const bool plain = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE;
  HEDDLE_NEED(rows_of(*b, op_b) == (plain ? a->columns : a->rows) &&
              c->rows == (plain ? a->rows : a->columns) && c->columns == columns_of(*b, op_b));
  HEDDLE_NEED(fits(a->batches, c->batches) && fits(b->batches, c->batches));
  return with_type(compute, [&]<class T>(T) {
    HEDDLE_SUPPORT(is_stored_as<T>(a->type) && is_stored_as<T>(b->type) &&
                   is_result_of<T>(c->type));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
Status sp_mm_buffer_size(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
                         cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t,
                         size_t* bytes) {
  HEDDLE_TRY(check_matrix_product(h, op_a, op_b, alpha, a, b, beta, c, compute));
  return buffer_size(h, bytes);
}
Status sp_mm_preprocess(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
                        cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t, void*) {
  return check_matrix_product(h, op_a, op_b, alpha, a, b, beta, c, compute);
}
Status sp_mm(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
             cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
             cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t, void*) {
  HEDDLE_TRY(check_matrix_product(h, op_a, op_b, alpha, a, b, beta, c, compute));
  return with_type(compute, [&]<class T>(T) {
    for (int batch = 0; batch < c->batches; ++batch)
      HEDDLE_TRY(multiply<T>(h->stream, *a, op_a, sparse<T>(*a, a->batches > 1 ? batch : 0),
                             dense<T>(*b, op_b, b->batches > 1 ? batch : 0), c->columns,
                             scalar<T>(*h, alpha), scalar<T>(*h, beta),
                             dense<T>(*c, CUSPARSE_OPERATION_NON_TRANSPOSE, batch)));
    return CUSPARSE_STATUS_SUCCESS;
  });
}

// The entries of C that exist: each is a product of a row and a column, by 8 lanes.
template <class T>
__global__ void multiply_sampled(Dense<T> a, Dense<T> b, int64_t k, Scalar<T> alpha, Scalar<T> beta,
                                 Sparse<T> c, bool by_columns) {
  constexpr int kLanes = 8;
  const int lane = threadIdx.x % kLanes;
  const int64_t step = index_step() / kLanes;
  for (int64_t first = first_index() / kWarp * kWarp / kLanes; first < c.count; first += step) {
    const int64_t e = first + threadIdx.x % kWarp / kLanes;
    T sum = from_real<T>(0);
    if (e < c.count) {
      const int64_t major = c.major_of(e), minor = c.minors.at(e);
      for (int64_t i = lane; i < k; i += kLanes)
        sum = multiply_add(a.at(by_columns ? minor : major, i), b.at(i, by_columns ? major : minor),
                           sum);
    }
    sum = alpha.get() * sum_lanes(sum, kLanes);
    if (e < c.count && lane == 0) {
      const T factor = beta.get();
      c.values.put(e, is_zero(factor) ? sum : multiply_add(factor, c.values.at(e), sum));
    }
  }
}
Status check_sampled(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                     cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
                     cusparseSpMatDescr_t c, cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && a && b && beta && c && is_operation(op_a) && is_operation(op_b));
  HEDDLE_SUPPORT(is_listed(*c));
  HEDDLE_NEED(rows_of(*a, op_a) == c->rows && columns_of(*b, op_b) == c->columns &&
              columns_of(*a, op_a) == rows_of(*b, op_b));
  HEDDLE_NEED(fits(a->batches, c->batches) && fits(b->batches, c->batches));
  return with_type(compute, [&]<class T>(T) {
    HEDDLE_SUPPORT(is_stored_as<T>(a->type) && is_stored_as<T>(b->type) &&
                   is_result_of<T>(c->type));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
Status sddmm_buffer_size(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                         cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
                         cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t,
                         size_t* bytes) {
  HEDDLE_TRY(check_sampled(h, op_a, op_b, alpha, a, b, beta, c, compute));
  return buffer_size(h, bytes);
}
Status sddmm_preprocess(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                        cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
                        cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t, void*) {
  return check_sampled(h, op_a, op_b, alpha, a, b, beta, c, compute);
}
Status sddmm(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
             cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta,
             cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t, void*) {
  HEDDLE_TRY(check_sampled(h, op_a, op_b, alpha, a, b, beta, c, compute));
  if (c->count == 0) return CUSPARSE_STATUS_SUCCESS;
  return with_type(compute, [&]<class T>(T) {
    for (int batch = 0; batch < c->batches; ++batch)
      multiply_sampled<<<blocks_for(c->count * 8), kThreads, 0, h->stream>>>(
          dense<T>(*a, op_a, a->batches > 1 ? batch : 0),
          dense<T>(*b, op_b, b->batches > 1 ? batch : 0), columns_of(*a, op_a),
          scalar<T>(*h, alpha), scalar<T>(*h, beta), sparse<T>(*c, batch),
          c->format == CUSPARSE_FORMAT_CSC);
    return launched();
  });
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_products_calls.inc"
