// Sparse results: the product of two sparse matrices (SpGEMM) and their sum (csrgeam2).
#include <new>

#include "cusparse/handle.h"

// The offsets of C, which the first phase computes, with the sizes for which they hold.
struct cusparseSpGEMMDescr {
  int* offsets = nullptr;
  int64_t rows = -1, products = 0;
};

namespace heddle::sparse {
namespace {

constexpr int kWarp = 32, kWarps = kThreads / kWarp;

// A block computes one row after the other. `marks` says which columns its row has, `sums` are
// their values; the columns between the first and the last are then read in order.
template <class T, bool numeric>
__global__ void multiply_rows(Sparse<T> a, Sparse<T> b, int64_t columns, Scalar<T> alpha,
                              int* all_marks, T* all_sums, int* counts, const int* starts,
                              Sparse<T> c) {
  __shared__ int low, high, found, before[kWarps];
  int* const marks = all_marks + blockIdx.x * columns;
  T* const sums = all_sums + blockIdx.x * columns;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  for (int64_t row = blockIdx.x; row < a.majors; row += gridDim.x) {
    const int stamp = static_cast<int>(row) + 1;
    if (threadIdx.x == 0) {
      low = static_cast<int>(columns);
      high = -1;
      found = 0;
    }
    __syncthreads();
    const int64_t end = a.offsets.at(row + 1);
    for (int64_t e = a.offsets.at(row); e < end; ++e) {
      const int64_t middle = a.minors.at(e), last = b.offsets.at(middle + 1);
      for (int64_t f = b.offsets.at(middle) + threadIdx.x; f < last; f += kThreads) {
        const int column = static_cast<int>(b.minors.at(f));
        const bool is_new = marks[column] != stamp;
        if (is_new) {
          marks[column] = stamp;
          atomicAdd(&found, 1);
          atomicMin(&low, column);
          atomicMax(&high, column);
        }
        if constexpr (numeric) {
          const T product = a.values.at(e) * b.values.at(f);
          sums[column] = is_new ? product : sums[column] + product;
        }
      }
      __syncthreads();  // columns of one row of B differ
    }
    if constexpr (!numeric) {
      if (threadIdx.x == 0) counts[row] = found;
    } else {
      int64_t at = starts[row];
      if (threadIdx.x == 0) {
        c.offsets.put(row, at);
        if (row == a.majors - 1) c.offsets.put(a.majors, starts[a.majors]);
      }
      for (int first = low; first <= high; first += kThreads) {
        const int column = first + static_cast<int>(threadIdx.x);
        const bool exists = column <= high && marks[column] == stamp;
        const unsigned lanes = __ballot_sync(~0u, exists);
        if (lane == 0) before[warp] = __popc(lanes);
        __syncthreads();
        int64_t place = at + __popc(lanes & ((1u << lane) - 1));
        for (int w = 0; w < kWarps; ++w) {
          if (w < warp) place += before[w];
          at += before[w];
        }
        if (exists) {
          c.minors.put(place, column);
          c.values.put(place, alpha.get() * sums[column]);
        }
        __syncthreads();
      }
    }
    __syncthreads();
  }
}
__global__ void count_products(Indices a_offsets, Indices a_minors, int64_t rows, Indices b_offsets,
                               int* counts) {
  for (int64_t row = first_index(); row < rows; row += index_step()) {
    int64_t sum = 0;
    const int64_t end = a_offsets.at(row + 1);
    for (int64_t e = a_offsets.at(row); e < end; ++e) {
      const int64_t middle = a_minors.at(e);
      sum += b_offsets.at(middle + 1) - b_offsets.at(middle);
    }
    counts[row] = static_cast<int>(sum);
  }
}

template <class T, bool numeric>
Status run_rows(cusparseHandle_t h, const Matrix& a, const Matrix& b, const void* alpha,
                int* counts, const int* starts, const Matrix& c) {
  constexpr int64_t kMemory = 64 << 20;
  const int64_t columns = b.columns, size = columns * (sizeof(int) + sizeof(T));
  const int64_t blocks = std::clamp<int64_t>(kMemory / size, 1, std::min<int64_t>(a.rows, 256));
  const Workspace memory(blocks * size, h->stream);
  T* const sums = memory.as<T>();
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  int* const marks = reinterpret_cast<int*>(sums + blocks * columns);
  cudaMemsetAsync(marks, 0, blocks * columns * sizeof(int), h->stream);
  multiply_rows<T, numeric><<<static_cast<unsigned>(blocks), kThreads, 0, h->stream>>>(
      sparse<T>(a), sparse<T>(b), columns, scalar<T>(*h, alpha), marks, sums, counts, starts,
      sparse<T>(c));
  return launched();
}

Status sp_gemm_create_descr(cusparseSpGEMMDescr_t* made) {
  HEDDLE_NEED(made);
  *made = new (std::nothrow) cusparseSpGEMMDescr;
  return *made ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
Status sp_gemm_destroy_descr(cusparseSpGEMMDescr_t product) {
  HEDDLE_NEED(product);
  cudaFree(product->offsets);
  delete product;
  return CUSPARSE_STATUS_SUCCESS;
}
Status check_product(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
                     cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMDescr_t product) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && a && b && beta && c && product && is_operation(op_a) && is_operation(op_b));
  HEDDLE_NEED(a->columns == b->rows && c->rows == a->rows && c->columns == b->columns);
  HEDDLE_SUPPORT(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                 op_b == CUSPARSE_OPERATION_NON_TRANSPOSE);
  for (const Matrix* m : {a, b, static_cast<const Matrix*>(c)})
    HEDDLE_SUPPORT(m->format == CUSPARSE_FORMAT_CSR && m->batches == 1);
  return with_type(compute, [&]<class T>(T) {
    HEDDLE_SUPPORT(is_stored_as<T>(a->type) && is_stored_as<T>(b->type) &&
                   is_result_of<T>(c->type));
    // C starts empty, so beta has nothing to multiply.
    HEDDLE_SUPPORT(h->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE ||
                   is_zero(*static_cast<const T*>(beta)));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
bool is_empty(const Matrix& a, const Matrix& b) { return a.count == 0 || b.count == 0; }

Status sp_gemm_work_estimation(cusparseHandle_t h, Operation op_a, Operation op_b,
                               const void* alpha, cusparseConstSpMatDescr_t a,
                               cusparseConstSpMatDescr_t b, const void* beta,
                               cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t,
                               cusparseSpGEMMDescr_t product, size_t* bytes, void* buffer) {
  HEDDLE_TRY(check_product(h, op_a, op_b, alpha, a, b, beta, c, compute, product));
  HEDDLE_NEED(bytes);
  if (!buffer) return buffer_size(h, bytes);
  product->products = 0;
  if (is_empty(*a, *b)) return CUSPARSE_STATUS_SUCCESS;
  const Workspace memory((2 * a->rows + 2) * sizeof(int64_t), h->stream);
  int64_t* const sums = memory.as<int64_t>();
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  int* const counts = reinterpret_cast<int*>(sums + a->rows + 1);
  count_products<<<blocks_for(a->rows), kThreads, 0, h->stream>>>(
      indices_of(a->offsets, a->offsets_type, a->base),
      indices_of(a->indices, a->index_type, a->base), a->rows,
      indices_of(b->offsets, b->offsets_type, b->base), counts);
  HEDDLE_TRY(write_offsets(h->stream, counts, a->rows, {sums, true, 0}));
  return read_back(h->stream, &product->products, sums + a->rows, sizeof(int64_t));
}
Status sp_gemm_get_num_products(cusparseSpGEMMDescr_t product, int64_t* products) {
  HEDDLE_NEED(product && products);
  *products = product->products;
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_gemm_compute(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                       cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
                       cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t,
                       cusparseSpGEMMDescr_t product, size_t* bytes, void* buffer) {
  HEDDLE_TRY(check_product(h, op_a, op_b, alpha, a, b, beta, c, compute, product));
  HEDDLE_NEED(bytes);
  if (!buffer) return buffer_size(h, bytes);
  cudaFree(product->offsets);
  product->offsets = nullptr;
  product->rows = -1;
  if (cudaMalloc(&product->offsets, (a->rows + 1) * sizeof(int)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  product->rows = a->rows;
  c->count = 0;
  if (is_empty(*a, *b)) {
    cudaMemsetAsync(product->offsets, 0, (a->rows + 1) * sizeof(int), h->stream);
    return launched();
  }
  return with_type(compute, [&]<class T>(T) {
    const Workspace memory(a->rows * sizeof(int), h->stream);
    int* const counts = memory.as<int>();
    if (!counts) return CUSPARSE_STATUS_ALLOC_FAILED;
    HEDDLE_TRY((run_rows<T, false>(h, *a, *b, alpha, counts, nullptr, *c)));
    HEDDLE_TRY(write_offsets(h->stream, counts, a->rows, indices_of(product->offsets)));
    int total = 0;
    HEDDLE_TRY(read_back(h->stream, &total, product->offsets + a->rows, sizeof total));
    c->count = total;
    return CUSPARSE_STATUS_SUCCESS;
  });
}
__global__ void copy_offsets(const int* starts, int64_t n, Indices offsets) {
  for (int64_t i = first_index(); i <= n; i += index_step()) offsets.put(i, starts[i]);
}
Status sp_gemm_copy(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
                    cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t,
                    cusparseSpGEMMDescr_t product) {
  HEDDLE_TRY(check_product(h, op_a, op_b, alpha, a, b, beta, c, compute, product));
  HEDDLE_NEED(product->rows == a->rows && c->offsets);
  if (is_empty(*a, *b)) {
    copy_offsets<<<blocks_for(a->rows + 1), kThreads, 0, h->stream>>>(
        product->offsets, a->rows, indices_of(c->offsets, c->offsets_type, c->base));
    return launched();
  }
  HEDDLE_NEED(c->count == 0 || (c->indices && c->values));
  return with_type(compute, [&]<class T>(T) {
    return run_rows<T, true>(h, *a, *b, alpha, nullptr, product->offsets, *c);
  });
}

// C = alpha A + beta B. A thread merges a row of A and a row of B, which are sorted.
template <class T, bool numeric>
__global__ void merge_rows(int m, Sparse<T> a, Sparse<T> b, Scalar<T> alpha, Scalar<T> beta,
                           int* counts, Sparse<T> c) {
  constexpr int64_t kNone = INT64_MAX;
  for (int64_t row = first_index(); row < m; row += index_step()) {
    int64_t i = a.offsets.at(row), j = b.offsets.at(row);
    const int64_t i_end = a.offsets.at(row + 1), j_end = b.offsets.at(row + 1);
    int64_t at = numeric ? c.offsets.at(row) : 0;
    for (; i < i_end || j < j_end; ++at) {
      const int64_t left = i < i_end ? a.minors.at(i) : kNone;
      const int64_t right = j < j_end ? b.minors.at(j) : kNone;
      const int64_t column = left < right ? left : right;
      if constexpr (numeric) {
        T sum = from_real<T>(0);
        if (left == column) sum = alpha.get() * a.values.at(i);
        if (right == column) sum = sum + beta.get() * b.values.at(j);
        c.minors.put(at, column);
        c.values.put(at, sum);
      }
      i += left == column;
      j += right == column;
    }
    if constexpr (!numeric) counts[row] = static_cast<int>(at);
  }
}
template <class T>
Sparse<T> csr(int m, int nnz, const int* offsets, const int* indices, const T* values,
              const cusparseMatDescr_t descr) {
  return {m,
          nnz,
          indices_of(offsets, descr->base),
          indices_of(indices, descr->base),
          {const_cast<T*>(values), type_of<T>()},
          false};
}
bool are_matrices(int m, int n, const cusparseMatDescr_t a, const cusparseMatDescr_t b,
                  const cusparseMatDescr_t c) {
  return m >= 0 && n >= 0 && a && b && c;
}
Status xcsrgeam2_nnz(cusparseHandle_t h, int m, int n, const cusparseMatDescr_t descr_a, int nnz_a,
                     const int* offsets_a, const int* indices_a, const cusparseMatDescr_t descr_b,
                     int nnz_b, const int* offsets_b, const int* indices_b,
                     const cusparseMatDescr_t descr_c, int* offsets_c, int* total, void*) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(are_matrices(m, n, descr_a, descr_b, descr_c) && offsets_a && offsets_b &&
              offsets_c && total);
  const Workspace memory((2 * static_cast<int64_t>(m) + 1) * sizeof(int), h->stream);
  int *const counts = memory.as<int>(), *const sums = counts + m;
  if (!counts) return CUSPARSE_STATUS_ALLOC_FAILED;
  const float* const none = nullptr;
  if (m > 0)
    merge_rows<float, false><<<blocks_for(m), kThreads, 0, h->stream>>>(
        m, csr(m, nnz_a, offsets_a, indices_a, none, descr_a),
        csr(m, nnz_b, offsets_b, indices_b, none, descr_b), {nullptr, 1}, {nullptr, 1}, counts,
        csr(m, 0, offsets_c, nullptr, none, descr_c));
  HEDDLE_TRY(write_offsets(h->stream, counts, m, indices_of(offsets_c, descr_c->base)));
  HEDDLE_TRY(write_offsets(h->stream, counts, m, indices_of(sums)));
  if (h->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    return read_back(h->stream, total, sums + m, sizeof(int));
  cudaMemcpyAsync(total, sums + m, sizeof(int), cudaMemcpyDefault, h->stream);
  return launched();
}
template <class T>
Status csrgeam2_buffer_size_ext(cusparseHandle_t h, int, int, const T*, const cusparseMatDescr_t,
                                int, const T*, const int*, const int*, const T*,
                                const cusparseMatDescr_t, int, const T*, const int*, const int*,
                                const cusparseMatDescr_t, const T*, const int*, const int*,
                                size_t* bytes) {
  return buffer_size(h, bytes);
}
template <class T>
Status csrgeam2(cusparseHandle_t h, int m, int n, const T* alpha, const cusparseMatDescr_t descr_a,
                int nnz_a, const T* values_a, const int* offsets_a, const int* indices_a,
                const T* beta, const cusparseMatDescr_t descr_b, int nnz_b, const T* values_b,
                const int* offsets_b, const int* indices_b, const cusparseMatDescr_t descr_c,
                T* values_c, int* offsets_c, int* indices_c, void*) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(are_matrices(m, n, descr_a, descr_b, descr_c) && alpha && beta && offsets_a &&
              offsets_b && offsets_c);
  if (m == 0 || nnz_a + nnz_b == 0) return CUSPARSE_STATUS_SUCCESS;
  HEDDLE_NEED(values_c && indices_c);
  merge_rows<T, true><<<blocks_for(m), kThreads, 0, h->stream>>>(
      m, csr(m, nnz_a, offsets_a, indices_a, values_a, descr_a),
      csr(m, nnz_b, offsets_b, indices_b, values_b, descr_b), scalar<T>(*h, alpha),
      scalar<T>(*h, beta), nullptr, csr<T>(m, 0, offsets_c, indices_c, values_c, descr_c));
  return launched();
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_sparse_products_calls.inc"
