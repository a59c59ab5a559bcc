// Formats of sparse matrices: offsets and coordinates, sorting, transposition, dense matrices.
#include "cusparse/handle.h"

namespace heddle::sparse {
namespace {

constexpr int kWarp = 32, kWarps = kThreads / kWarp;

// The sum of the values of the threads before this one, and of all.
__device__ int sum_before(int value, int* all) {
  __shared__ int sums[kWarps];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  int sum = value;
  for (int step = 1; step < kWarp; step *= 2) {
    const int other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == kWarp - 1) sums[warp] = sum;
  __syncthreads();
  int before = 0, total = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += sums[w];
    total += sums[w];
  }
  __syncthreads();
  *all = total;
  return before + sum - value;
}
__global__ void scan(const int* counts, int64_t n, Indices offsets) {
  int64_t sum = 0;
  for (int64_t first = 0; first < n; first += kThreads) {
    const int64_t i = first + threadIdx.x;
    int all;
    const int before = sum_before(i < n ? counts[i] : 0, &all);
    if (i < n) offsets.put(i, sum + before);
    sum += all;
  }
  if (threadIdx.x == 0) offsets.put(n, sum);
}
__global__ void expand(Indices offsets, int64_t majors, int64_t count, Indices expanded) {
  const Sparse<float> matrix{majors, count, offsets, offsets, {nullptr, CUDA_R_32F}, false};
  for (int64_t e = first_index(); e < count; e += index_step()) expanded.put(e, matrix.major_of(e));
}
__global__ void compress(Indices majors, int64_t count, int64_t n, Indices offsets) {
  for (int64_t i = first_index(); i <= n; i += index_step()) {
    int64_t low = 0, high = count;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if (majors.at(middle) < i)
        low = middle + 1;
      else
        high = middle;
    }
    offsets.put(i, low);
  }
}
__global__ void number(int n, int* numbers) {
  for (int64_t i = first_index(); i < n; i += index_step()) numbers[i] = static_cast<int>(i);
}
__global__ void pick(int n, const int* from, const int* order, int* to, int subtracted) {
  for (int64_t i = first_index(); i < n; i += index_step()) to[i] = from[order[i]] - subtracted;
}

// A stable sort by digits of 4 bits. A block sorts kTile elements; its counts of digits are summed
// over blocks between the two kernels of a digit.
constexpr int kDigits = 16, kTile = 4 * kThreads;

__global__ void count_digits(int n, const int* keys, const int* order, int shift, int* counts) {
  __shared__ int digits[kDigits];
  if (threadIdx.x < kDigits) digits[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += kThreads) {
    const int64_t at = static_cast<int64_t>(blockIdx.x) * kTile + i;
    if (at < n) atomicAdd(digits + (keys[order[at]] >> shift) % kDigits, 1);
  }
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
}
__global__ void move_digits(int n, const int* keys, const int* order, int shift, const int* places,
                            int* moved) {
  __shared__ int next[kDigits], counts[kWarps][kDigits];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  if (threadIdx.x < kDigits) next[threadIdx.x] = places[threadIdx.x * gridDim.x + blockIdx.x];
  for (int first = 0; first < kTile; first += kThreads) {
    const int64_t at = static_cast<int64_t>(blockIdx.x) * kTile + first + threadIdx.x;
    const bool exists = at < n;
    const int index = exists ? order[at] : 0;
    const int digit = exists ? (keys[index] >> shift) % kDigits : 0;
    unsigned same = __ballot_sync(~0u, exists);
    for (int bit = 1; bit < kDigits; bit *= 2) {
      const unsigned set = __ballot_sync(~0u, digit & bit);
      same &= digit & bit ? set : ~set;
    }
    __syncthreads();
    if (threadIdx.x < kWarps * kDigits) counts[threadIdx.x / kDigits][threadIdx.x % kDigits] = 0;
    __syncthreads();
    const int before = __popc(same & ((1u << lane) - 1));
    if (exists && before == 0) counts[warp][digit] = __popc(same);
    __syncthreads();
    if (exists) {
      int place = next[digit] + before;
      for (int w = 0; w < warp; ++w) place += counts[w][digit];
      moved[place] = index;
    }
    __syncthreads();
    if (threadIdx.x < kDigits)
      for (int w = 0; w < kWarps; ++w) next[threadIdx.x] += counts[w][threadIdx.x];
  }
}

}  // namespace

Status write_offsets(cudaStream_t stream, const int* counts, int64_t n, Indices offsets) {
  scan<<<1, kThreads, 0, stream>>>(counts, n, offsets);
  return launched();
}
Status expand_offsets(cudaStream_t stream, Indices offsets, int64_t majors, int64_t count,
                      Indices expanded) {
  if (count > 0)
    expand<<<blocks_for(count), kThreads, 0, stream>>>(offsets, majors, count, expanded);
  return launched();
}
Status compress_majors(cudaStream_t stream, Indices majors, int64_t count, int64_t n,
                       Indices offsets) {
  compress<<<blocks_for(n + 1), kThreads, 0, stream>>>(majors, count, n, offsets);
  return launched();
}
Status number_all(cudaStream_t stream, int n, int* numbers) {
  if (n > 0) number<<<blocks_for(n), kThreads, 0, stream>>>(n, numbers);
  return launched();
}
Status sort_by_key(cudaStream_t stream, int n, const int* keys, int bound, int* order) {
  if (n == 0) return CUSPARSE_STATUS_SUCCESS;
  const int blocks = static_cast<int>(ceil_div(n, kTile)), counters = kDigits * blocks;
  const Workspace memory((n + 2 * counters + 1) * sizeof(int), stream);
  int* const other = memory.as<int>();
  if (!other) return CUSPARSE_STATUS_ALLOC_FAILED;
  int *const counts = other + n, *const places = counts + counters;
  int *from = order, *to = other;
  for (int shift = 0; shift == 0 || (shift < 31 && (bound - 1) >> shift > 0); shift += 4) {
    count_digits<<<blocks, kThreads, 0, stream>>>(n, keys, from, shift, counts);
    HEDDLE_TRY(write_offsets(stream, counts, counters, indices_of(places)));
    move_digits<<<blocks, kThreads, 0, stream>>>(n, keys, from, shift, places, to);
    std::swap(from, to);
  }
  if (from != order) cudaMemcpyAsync(order, from, n * sizeof(int), cudaMemcpyDefault, stream);
  return launched();
}

namespace {

Status xcoo2csr(cusparseHandle_t h, const int* rows, int nnz, int m, int* offsets,
                cusparseIndexBase_t base) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(nnz >= 0 && m >= 0 && offsets && (nnz == 0 || rows));
  return compress_majors(h->stream, indices_of(rows, base), nnz, m, indices_of(offsets, base));
}
Status xcsr2coo(cusparseHandle_t h, const int* offsets, int nnz, int m, int* rows,
                cusparseIndexBase_t base) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(nnz >= 0 && m >= 0 && (nnz == 0 || (rows && offsets)));
  return expand_offsets(h->stream, indices_of(offsets, base), m, nnz, indices_of(rows, base));
}
Status create_identity_permutation(cusparseHandle_t h, int n, int* p) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(n >= 0 && (n == 0 || p));
  return number_all(h->stream, n, p);
}

// Brings one of several arrays into the order.
Status reorder(cudaStream_t stream, int n, const int* order, int* array, int* copy) {
  cudaMemcpyAsync(copy, array, n * sizeof(int), cudaMemcpyDefault, stream);
  pick<<<blocks_for(n), kThreads, 0, stream>>>(n, copy, order, array, 0);
  return launched();
}
// Sorts entries by `majors`, then by `minors`, and `p` with them. Indices may be from 0 or 1.
Status sort_entries(cusparseHandle_t h, int nnz, int* majors, int major_bound, int* minors,
                    int minor_bound, int* p) {
  if (nnz == 0) return CUSPARSE_STATUS_SUCCESS;
  const Workspace memory(2 * static_cast<int64_t>(nnz) * sizeof(int), h->stream);
  int *const order = memory.as<int>(), *const copy = order + nnz;
  if (!order) return CUSPARSE_STATUS_ALLOC_FAILED;
  HEDDLE_TRY(number_all(h->stream, nnz, order));
  HEDDLE_TRY(sort_by_key(h->stream, nnz, minors, minor_bound, order));
  HEDDLE_TRY(sort_by_key(h->stream, nnz, majors, major_bound, order));
  HEDDLE_TRY(reorder(h->stream, nnz, order, majors, copy));
  HEDDLE_TRY(reorder(h->stream, nnz, order, minors, copy));
  return p ? reorder(h->stream, nnz, order, p, copy) : CUSPARSE_STATUS_SUCCESS;
}
bool is_matrix(int m, int n, int nnz) { return m >= 0 && n >= 0 && nnz >= 0; }

Status xcoosort_buffer_size_ext(cusparseHandle_t h, int m, int n, int nnz, const int*, const int*,
                                size_t* bytes) {
  HEDDLE_NEED(is_matrix(m, n, nnz));
  return buffer_size(h, bytes);
}
Status xcoosort_by_row(cusparseHandle_t h, int m, int n, int nnz, int* rows, int* columns, int* p,
                       void*) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_matrix(m, n, nnz) && (nnz == 0 || (rows && columns)));
  return sort_entries(h, nnz, rows, m + 1, columns, n + 1, p);
}
Status xcoosort_by_column(cusparseHandle_t h, int m, int n, int nnz, int* rows, int* columns,
                          int* p, void* buffer) {
  return xcoosort_by_row(h, n, m, nnz, columns, rows, p, buffer);
}
Status xcsrsort_buffer_size_ext(cusparseHandle_t h, int m, int n, int nnz, const int*, const int*,
                                size_t* bytes) {
  HEDDLE_NEED(is_matrix(m, n, nnz));
  return buffer_size(h, bytes);
}
Status xcsrsort(cusparseHandle_t h, int m, int n, int nnz, const cusparseMatDescr_t descr,
                const int* offsets, int* indices, int* p, void*) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_matrix(m, n, nnz) && descr && (nnz == 0 || (offsets && indices)));
  HEDDLE_SUPPORT(descr->type == CUSPARSE_MATRIX_TYPE_GENERAL);
  if (nnz == 0) return CUSPARSE_STATUS_SUCCESS;
  const Workspace memory(nnz * sizeof(int), h->stream);
  int* const rows = memory.as<int>();
  if (!rows) return CUSPARSE_STATUS_ALLOC_FAILED;
  HEDDLE_TRY(expand_offsets(h->stream, indices_of(offsets, descr->base), m, nnz, indices_of(rows)));
  return sort_entries(h, nnz, rows, m, indices, n + 1, p);
}
Status xcscsort_buffer_size_ext(cusparseHandle_t h, int m, int n, int nnz, const int* offsets,
                                const int* indices, size_t* bytes) {
  return xcsrsort_buffer_size_ext(h, n, m, nnz, offsets, indices, bytes);
}
Status xcscsort(cusparseHandle_t h, int m, int n, int nnz, const cusparseMatDescr_t descr,
                const int* offsets, int* indices, int* p, void* buffer) {
  return xcsrsort(h, n, m, nnz, descr, offsets, indices, p, buffer);
}

// Values of any type move as bytes.
template <class Word>
__global__ void pick_words(int64_t n, const Word* from, const int* order, Word* to) {
  for (int64_t i = first_index(); i < n; i += index_step()) to[i] = from[order[i]];
}
template <class Word>
void move_words(cudaStream_t stream, int n, const void* from, const int* order, void* to) {
  pick_words<<<blocks_for(n), kThreads, 0, stream>>>(n, static_cast<const Word*>(from), order,
                                                     static_cast<Word*>(to));
}
int bytes_of(cudaDataType type) {
  return type == CUDA_R_8I || type == CUDA_R_8U ? 1 : static_cast<int>(size_of(type));
}
Status csr2csc_ex2_buffer_size(cusparseHandle_t h, int m, int n, int nnz, const void*, const int*,
                               const int*, void*, int*, int*, cudaDataType type, cusparseAction_t,
                               cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t* bytes) {
  HEDDLE_NEED(is_matrix(m, n, nnz));
  HEDDLE_SUPPORT(bytes_of(type));
  return buffer_size(h, bytes);
}
Status csr2csc_ex2(cusparseHandle_t h, int m, int n, int nnz, const void* values,
                   const int* offsets, const int* indices, void* csc_values, int* csc_offsets,
                   int* csc_indices, cudaDataType type, cusparseAction_t action,
                   cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*) {
  HEDDLE_NEED_HANDLE(h);
  const bool copies = action == CUSPARSE_ACTION_NUMERIC;
  HEDDLE_NEED(is_matrix(m, n, nnz) && csc_offsets);
  HEDDLE_NEED(nnz == 0 ||
              (offsets && indices && csc_indices && (!copies || (values && csc_values))));
  HEDDLE_SUPPORT(bytes_of(type));
  const Workspace memory((2 * static_cast<int64_t>(nnz) + 1) * sizeof(int), h->stream);
  int *const order = memory.as<int>(), *const sorted = order + nnz;
  if (!order) return CUSPARSE_STATUS_ALLOC_FAILED;
  if (nnz > 0) {
    HEDDLE_TRY(number_all(h->stream, nnz, order));
    HEDDLE_TRY(sort_by_key(h->stream, nnz, indices, n + 1, order));
    // The rows of the entries, then in order.
    HEDDLE_TRY(
        expand_offsets(h->stream, indices_of(offsets, base), m, nnz, indices_of(sorted, base)));
    pick<<<blocks_for(nnz), kThreads, 0, h->stream>>>(nnz, sorted, order, csc_indices, 0);
    pick<<<blocks_for(nnz), kThreads, 0, h->stream>>>(nnz, indices, order, sorted, 0);
    if (copies) {
      switch (bytes_of(type)) {
        case 1: move_words<uint8_t>(h->stream, nnz, values, order, csc_values); break;
        case 2: move_words<uint16_t>(h->stream, nnz, values, order, csc_values); break;
        case 4: move_words<uint32_t>(h->stream, nnz, values, order, csc_values); break;
        case 8: move_words<uint64_t>(h->stream, nnz, values, order, csc_values); break;
        default: move_words<ulonglong2>(h->stream, nnz, values, order, csc_values);
      }
    }
  }
  return compress_majors(h->stream, indices_of(sorted, base), nnz, n,
                         indices_of(csc_offsets, base));
}

// Dense matrices. A thread counts or writes the entries of one row, or of one column for CSC, so
// that they are in order.
template <class T>
__global__ void count_entries(Dense<T> a, int64_t majors, int64_t minors, bool by_columns,
                              int* counts) {
  for (int64_t i = first_index(); i < majors; i += index_step()) {
    int count = 0;
    for (int64_t j = 0; j < minors; ++j) count += !is_zero(by_columns ? a.at(j, i) : a.at(i, j));
    counts[i] = count;
  }
}
template <class T>
__global__ void write_entries(Dense<T> a, int64_t majors, int64_t minors, bool by_columns,
                              const int* starts, Sparse<T> s) {
  for (int64_t i = first_index(); i < majors; i += index_step()) {
    int64_t at = starts ? starts[i] : s.offsets.at(i);
    for (int64_t j = 0; j < minors; ++j) {
      const T value = by_columns ? a.at(j, i) : a.at(i, j);
      if (is_zero(value)) continue;
      s.values.put(at, value);
      s.minors.put(at, j);
      if (s.is_coo) s.offsets.put(at, i);
      ++at;
    }
  }
}
template <class T>
__global__ void clear(Dense<T> b, int64_t rows, int64_t columns) {
  for (int64_t i = first_index(); i < rows * columns; i += index_step())
    b.put(i / columns, i % columns, from_real<T>(0));
}
template <class T>
__global__ void write_dense(Sparse<T> a, bool by_columns, Dense<T> b) {
  for (int64_t e = first_index(); e < a.count; e += index_step()) {
    const int64_t major = a.major_of(e), minor = a.minors.at(e);
    b.put(by_columns ? minor : major, by_columns ? major : minor, a.values.at(e));
  }
}
cudaDataType computing(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}
Status check_dense(cusparseHandle_t h, const Matrix* s, const DenseMatrix* d) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(s && d && s->rows == d->rows && s->columns == d->columns);
  HEDDLE_SUPPORT(is_listed(*s) && s->type == d->type);
  return CUSPARSE_STATUS_SUCCESS;
}
Status sparse_to_dense_buffer_size(cusparseHandle_t h, cusparseConstSpMatDescr_t a,
                                   cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t,
                                   size_t* bytes) {
  HEDDLE_TRY(check_dense(h, a, b));
  return buffer_size(h, bytes);
}
Status sparse_to_dense(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                       cusparseSparseToDenseAlg_t, void*) {
  HEDDLE_TRY(check_dense(h, a, b));
  return with_type(computing(a->type), [&]<class T>(T) {
    const int64_t size = b->rows * b->columns;
    if (size > 0)
      clear<<<blocks_for(size), kThreads, 0, h->stream>>>(dense<T>(*b), b->rows, b->columns);
    if (a->count > 0)
      write_dense<<<blocks_for(a->count), kThreads, 0, h->stream>>>(
          sparse<T>(*a), a->format == CUSPARSE_FORMAT_CSC, dense<T>(*b));
    return launched();
  });
}
Status dense_to_sparse_buffer_size(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                   cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                   size_t* bytes) {
  HEDDLE_TRY(check_dense(h, b, a));
  return buffer_size(h, bytes);
}
// Counts the entries of the majors; a matrix in COO keeps no offsets, so they are counted again.
template <class T>
Status count_majors(cusparseHandle_t h, const DenseMatrix& a, const Matrix& b, Indices offsets) {
  const bool by_columns = b.format == CUSPARSE_FORMAT_CSC;
  const int64_t majors = by_columns ? b.columns : b.rows;
  const Workspace memory((majors + 1) * sizeof(int), h->stream);
  int* const counts = memory.as<int>();
  if (!counts) return CUSPARSE_STATUS_ALLOC_FAILED;
  if (majors > 0)
    count_entries<<<blocks_for(majors), kThreads, 0, h->stream>>>(
        dense<T>(a), majors, by_columns ? b.rows : b.columns, by_columns, counts);
  return write_offsets(h->stream, counts, majors, offsets);
}
Status dense_to_sparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void*) {
  HEDDLE_TRY(check_dense(h, b, a));
  const bool is_coo = b->format == CUSPARSE_FORMAT_COO;
  HEDDLE_NEED(is_coo || b->offsets);
  return with_type(computing(a->type), [&]<class T>(T) {
    const int64_t majors = b->format == CUSPARSE_FORMAT_CSC ? b->columns : b->rows;
    const Workspace memory(is_coo ? (majors + 1) * sizeof(int) : 1, h->stream);
    if (!memory.as<int>()) return CUSPARSE_STATUS_ALLOC_FAILED;
    const Indices offsets =
        is_coo ? indices_of(memory.as<int>()) : indices_of(b->offsets, b->offsets_type, b->base);
    HEDDLE_TRY(count_majors<T>(h, *a, *b, offsets));
    int64_t total = 0;
    HEDDLE_TRY(read_back(h->stream, &total, offsets.from(majors).data, offsets.wide ? 8 : 4));
    b->count = total - offsets.base;
    return CUSPARSE_STATUS_SUCCESS;
  });
}
Status dense_to_sparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void*) {
  HEDDLE_TRY(check_dense(h, b, a));
  if (b->count == 0) return CUSPARSE_STATUS_SUCCESS;
  HEDDLE_NEED(b->offsets && b->indices && b->values);
  return with_type(computing(a->type), [&]<class T>(T) {
    const bool by_columns = b->format == CUSPARSE_FORMAT_CSC;
    const int64_t majors = by_columns ? b->columns : b->rows;
    const Workspace memory((majors + 1) * sizeof(int), h->stream);
    int* const starts = b->format == CUSPARSE_FORMAT_COO ? memory.as<int>() : nullptr;
    if (starts) HEDDLE_TRY(count_majors<T>(h, *a, *b, indices_of(starts)));
    write_entries<<<blocks_for(majors), kThreads, 0, h->stream>>>(
        dense<T>(*a), majors, by_columns ? b->rows : b->columns, by_columns, starts, sparse<T>(*b));
    return launched();
  });
}
template <class T>
Status nnz(cusparseHandle_t h, cusparseDirection_t direction, int m, int n,
           const cusparseMatDescr_t descr, const T* a, int lda, int* counts, int* total) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(m >= 0 && n >= 0 && descr && lda >= std::max(1, m) && total);
  HEDDLE_NEED(direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN);
  HEDDLE_SUPPORT(descr->type == CUSPARSE_MATRIX_TYPE_GENERAL);
  const bool by_columns = direction == CUSPARSE_DIRECTION_COLUMN;
  const int majors = by_columns ? n : m;
  HEDDLE_NEED(majors == 0 || (counts && a));
  const Workspace memory((majors + 1) * sizeof(int), h->stream);
  int* const sums = memory.as<int>();
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  const Dense<T> matrix{{const_cast<T*>(a), type_of<T>()}, 1, lda, false};
  if (majors > 0)
    count_entries<<<blocks_for(majors), kThreads, 0, h->stream>>>(
        matrix, majors, by_columns ? m : n, by_columns, counts);
  HEDDLE_TRY(write_offsets(h->stream, counts, majors, indices_of(sums)));
  if (h->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    return read_back(h->stream, total, sums + majors, sizeof(int));
  cudaMemcpyAsync(total, sums + majors, sizeof(int), cudaMemcpyDefault, h->stream);
  return launched();
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_conversions_calls.inc"
