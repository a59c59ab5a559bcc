// Triangular systems (SpSV, SpSM) and incomplete factorisations (csrilu02, csric02). The analysis
// sorts rows into levels; the solution of a level is one step of a kernel.
#include <new>

#include "cusparse/levels.h"

namespace heddle::sparse {
namespace {

__global__ void subtract(Indices from, int64_t n, int* to) {
  for (int64_t i = first_index(); i < n; i += index_step()) to[i] = static_cast<int>(from.at(i));
}
// One block: rows in chunks of its threads, in the order of the solution. What a chunk depends on
// is known but for its own rows, which repeat until nothing changes.
__global__ void assign_levels(const int* offsets, const int* columns, int rows, bool lower,
                              int* levels, int* most) {
  __shared__ int highest;
  if (threadIdx.x == 0) highest = 0;
  for (int first = 0; first < rows; first += kThreads) {
    const int i = first + static_cast<int>(threadIdx.x), row = lower ? i : rows - 1 - i;
    bool changed;
    do {
      int level = 0, old = 0;
      if (i < rows) {
        old = levels[row];
        for (int e = offsets[row]; e < offsets[row + 1]; ++e) {
          const int column = columns[e];
          if (lower ? column < row : column > row) level = max(level, levels[column] + 1);
        }
      }
      changed = __syncthreads_or(level != old);
      if (i < rows) levels[row] = level;
      __syncthreads();
    } while (changed);
    if (i < rows) atomicMax(&highest, levels[row]);
  }
  __syncthreads();
  if (threadIdx.x == 0) *most = highest;
}
__global__ void pick(int n, const int* from, const int* order, int* to) {
  for (int64_t i = first_index(); i < n; i += index_step()) to[i] = from[order[i]];
}

}  // namespace

Status find_levels(cudaStream_t stream, int rows, int count, const int* keys, const int* minors,
                   bool lower, Levels& levels) {
  cudaFree(levels.offsets);
  levels.offsets = nullptr;
  levels.sizes.clear();
  const size_t words = 3 * static_cast<size_t>(rows) + 2 + 2 * static_cast<size_t>(count);
  if (cudaMalloc(&levels.offsets, words * sizeof(int)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  levels.rows = rows;
  levels.count = count;
  levels.lower = lower;
  levels.starts = levels.offsets + rows + 1;
  levels.order = levels.starts + rows + 1;
  levels.columns = levels.order + rows;
  levels.places = levels.columns + count;
  if (rows == 0) return CUSPARSE_STATUS_SUCCESS;
  const Workspace memory((2 * static_cast<int64_t>(std::max(rows, count)) + 1) * sizeof(int),
                         stream);
  int *const sorted = memory.as<int>(), *const most = sorted + 2 * std::max(rows, count);
  if (!sorted) return CUSPARSE_STATUS_ALLOC_FAILED;
  HEDDLE_TRY(number_all(stream, count, levels.places));
  if (count > 0) {
    HEDDLE_TRY(sort_by_key(stream, count, minors, rows, levels.places));
    HEDDLE_TRY(sort_by_key(stream, count, keys, rows, levels.places));
    pick<<<blocks_for(count), kThreads, 0, stream>>>(count, keys, levels.places, sorted);
    pick<<<blocks_for(count), kThreads, 0, stream>>>(count, minors, levels.places, levels.columns);
  }
  HEDDLE_TRY(compress_majors(stream, indices_of(sorted), count, rows, indices_of(levels.offsets)));
  int *const level = sorted, *const level_sorted = sorted + rows;
  cudaMemsetAsync(level, 0, rows * sizeof(int), stream);
  assign_levels<<<1, kThreads, 0, stream>>>(levels.offsets, levels.columns, rows, lower, level,
                                            most);
  int highest = 0;
  HEDDLE_TRY(read_back(stream, &highest, most, sizeof highest));
  HEDDLE_TRY(number_all(stream, rows, levels.order));
  HEDDLE_TRY(sort_by_key(stream, rows, level, highest + 1, levels.order));
  pick<<<blocks_for(rows), kThreads, 0, stream>>>(rows, level, levels.order, level_sorted);
  HEDDLE_TRY(compress_majors(stream, indices_of(level_sorted), rows, highest + 1,
                             indices_of(levels.starts)));
  std::vector<int> starts(highest + 2);
  HEDDLE_TRY(read_back(stream, starts.data(), levels.starts, starts.size() * sizeof(int)));
  for (int i = 0; i <= highest; ++i) levels.sizes.push_back(starts[i + 1] - starts[i]);
  return CUSPARSE_STATUS_SUCCESS;
}

namespace {

// The rows and columns of the entries of op(A).
Status analyse(cudaStream_t stream, const Matrix& a, Operation op, Levels& levels) {
  const int count = static_cast<int>(a.count), rows = static_cast<int>(a.rows);
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const Workspace memory((2 * static_cast<int64_t>(count) + 1) * sizeof(int), stream);
  int *majors = memory.as<int>(), *minors = majors + count;
  if (!majors) return CUSPARSE_STATUS_ALLOC_FAILED;
  const Indices offsets = indices_of(a.offsets, a.offsets_type, a.base);
  if (count > 0) {
    if (a.format == CUSPARSE_FORMAT_COO)
      subtract<<<blocks_for(count), kThreads, 0, stream>>>(offsets, count, majors);
    else
      HEDDLE_TRY(expand_offsets(stream, offsets, rows, count, indices_of(majors)));
    subtract<<<blocks_for(count), kThreads, 0, stream>>>(
        indices_of(a.indices, a.index_type, a.base), count, minors);
  }
  const bool by_rows = plain == (a.format != CUSPARSE_FORMAT_CSC);
  levels.unit = a.diag == CUSPARSE_DIAG_TYPE_UNIT;
  return find_levels(stream, rows, count, by_rows ? majors : minors, by_rows ? minors : majors,
                     (a.fill == CUSPARSE_FILL_MODE_LOWER) == plain, levels);
}

template <class T>
__global__ void solve_rows(Rows rows, int first, int last, int64_t width, Values<T> values,
                           bool conjugates, Scalar<T> alpha, Dense<T> b, Dense<T> x) {
  for (int level = first; level < last; ++level) {
    const int64_t start = rows.starts[level], items = (rows.starts[level + 1] - start) * width;
    for (int64_t i = first_index(); i < items; i += index_step()) {
      const int row = rows.order[start + i / width];
      const int64_t column = i % width;
      T sum = alpha.get() * b.at(row, column), diagonal = from_real<T>(rows.unit ? 1 : 0);
      for (int e = rows.offsets[row]; e < rows.offsets[row + 1]; ++e) {
        const int other = rows.columns[e];
        if (other != row && (other < row) != rows.lower) continue;
        if (other == row && rows.unit) continue;
        const T stored = values.at(rows.places[e]), value = conjugates ? conjugate(stored) : stored;
        if (other == row)
          diagonal = value;
        else
          sum = sum - value * x.at(other, column);
      }
      x.put(row, column, sum * reciprocal(diagonal));
    }
    __syncthreads();
  }
}

// What a descriptor of a solution keeps of the analysis.
struct Solver {
  Levels levels;
  Operation op{};
  bool analysed = false;
};

Status check_system(cusparseHandle_t h, Operation op, const void* alpha, const Matrix* a,
                    cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && a && is_operation(op) && a->rows == a->columns);
  HEDDLE_SUPPORT(is_listed(*a) && a->batches == 1 && a->count < INT32_MAX && a->rows < INT32_MAX);
  return with_type(compute, [&]<class T>(T) {
    HEDDLE_SUPPORT(a->type == compute);
    return CUSPARSE_STATUS_SUCCESS;
  });
}
Status analyse(cusparseHandle_t h, Operation op, const Matrix& a, Solver* solver) {
  HEDDLE_NEED(solver);
  HEDDLE_TRY(analyse(h->stream, a, op, solver->levels));
  solver->op = op;
  solver->analysed = true;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
Status solve(cusparseHandle_t h, Operation op, const Matrix& a, const void* alpha, Solver* solver,
             Dense<T> b, Dense<T> x, int64_t width) {
  HEDDLE_NEED(solver && solver->analysed && solver->op == op && solver->levels.rows == a.rows &&
              solver->levels.count == a.count);
  if (width == 0) return CUSPARSE_STATUS_SUCCESS;
  const Values<T> values{a.values, a.type};
  return for_each_level(
      solver->levels, width, [&](const Rows& rows, int first, int last, unsigned blocks) {
        solve_rows<T><<<blocks, kThreads, 0, h->stream>>>(
            rows, first, last, width, values, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
            scalar<T>(*h, alpha), b, x);
      });
}

template <class Descriptor>
Status create_descr(Descriptor* made) {
  HEDDLE_NEED(made);
  *made = reinterpret_cast<Descriptor>(new (std::nothrow) Solver);
  return *made ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
template <class Descriptor>
Status destroy_descr(Descriptor solver) {
  HEDDLE_NEED(solver);
  delete reinterpret_cast<Solver*>(solver);
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_sv_create_descr(cusparseSpSVDescr_t* made) { return create_descr(made); }
Status sp_sv_destroy_descr(cusparseSpSVDescr_t solver) { return destroy_descr(solver); }
Status sp_sm_create_descr(cusparseSpSMDescr_t* made) { return create_descr(made); }
Status sp_sm_destroy_descr(cusparseSpSMDescr_t solver) { return destroy_descr(solver); }

Status check_vectors(cusparseHandle_t h, Operation op, const void* alpha, const Matrix* a,
                     const cusparseDnVecDescr* x, const cusparseDnVecDescr* y,
                     cudaDataType compute) {
  HEDDLE_TRY(check_system(h, op, alpha, a, compute));
  HEDDLE_NEED(x && y && x->size == a->rows && y->size == a->rows);
  HEDDLE_SUPPORT(x->type == compute && y->type == compute);
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_sv_buffer_size(cusparseHandle_t h, Operation op, const void* alpha,
                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t,
                         cusparseSpSVDescr_t, size_t* bytes) {
  HEDDLE_TRY(check_vectors(h, op, alpha, a, x, y, compute));
  return buffer_size(h, bytes);
}
Status sp_sv_analysis(cusparseHandle_t h, Operation op, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                      cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t,
                      cusparseSpSVDescr_t solver, void*) {
  HEDDLE_TRY(check_vectors(h, op, alpha, a, x, y, compute));
  return analyse(h, op, *a, reinterpret_cast<Solver*>(solver));
}
Status sp_sv_solve(cusparseHandle_t h, Operation op, const void* alpha, cusparseConstSpMatDescr_t a,
                   cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute,
                   cusparseSpSVAlg_t, cusparseSpSVDescr_t solver) {
  HEDDLE_TRY(check_vectors(h, op, alpha, a, x, y, compute));
  return with_type(compute, [&]<class T>(T) {
    return solve<T>(h, op, *a, alpha, reinterpret_cast<Solver*>(solver),
                    {{x->values, x->type}, 1, 0, false}, {{y->values, y->type}, 1, 0, false}, 1);
  });
}

Status check_sides(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                   const Matrix* a, const DenseMatrix* b, const DenseMatrix* c,
                   cudaDataType compute) {
  HEDDLE_TRY(check_system(h, op_a, alpha, a, compute));
  HEDDLE_NEED(b && c && is_operation(op_b));
  const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  HEDDLE_NEED(c->rows == a->rows && (plain ? b->rows : b->columns) == a->rows &&
              (plain ? b->columns : b->rows) == c->columns);
  HEDDLE_SUPPORT(op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && b->type == compute &&
                 c->type == compute && b->batches == 1 && c->batches == 1);
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_sm_buffer_size(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                         cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t,
                         cusparseSpSMDescr_t, size_t* bytes) {
  HEDDLE_TRY(check_sides(h, op_a, op_b, alpha, a, b, c, compute));
  return buffer_size(h, bytes);
}
Status sp_sm_analysis(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                      cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t,
                      cusparseSpSMDescr_t solver, void*) {
  HEDDLE_TRY(check_sides(h, op_a, op_b, alpha, a, b, c, compute));
  return analyse(h, op_a, *a, reinterpret_cast<Solver*>(solver));
}
Status sp_sm_solve(cusparseHandle_t h, Operation op_a, Operation op_b, const void* alpha,
                   cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
                   cudaDataType compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t solver) {
  HEDDLE_TRY(check_sides(h, op_a, op_b, alpha, a, b, c, compute));
  return with_type(compute, [&]<class T>(T) {
    return solve<T>(h, op_a, *a, alpha, reinterpret_cast<Solver*>(solver), dense<T>(*b, op_b),
                    dense<T>(*c), c->columns);
  });
}

// Incomplete factorisations in place. A thread computes a row, which needs the rows of its columns
// below the diagonal. Columns of a row are sorted.
struct Factorisation {
  Levels levels;
  int* pivot = nullptr;  // the first row without one, or INT_MAX
  int base = 0;
  bool analysed = false;
};
constexpr int kNoRow = INT32_MAX;

template <class T>
__device__ __forceinline__ Real<T> real_part(T a) {
  if constexpr (kComplex<T>)
    return a.x;
  else
    return a;
}
__device__ int find_column(const Rows& rows, int row, int column) {
  int low = rows.offsets[row], high = rows.offsets[row + 1];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (rows.columns[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rows.offsets[row + 1] && rows.columns[low] == column ? low : -1;
}
template <class T>
__device__ void factor_lu(const Rows& rows, int row, T* values, int* pivot) {
  const int end = rows.offsets[row + 1];
  for (int e = rows.offsets[row]; e < end && rows.columns[e] < row; ++e) {
    const int other = rows.columns[e], diagonal = find_column(rows, other, other);
    if (diagonal < 0) continue;
    const T factor = values[rows.places[e]] * reciprocal(values[rows.places[diagonal]]);
    values[rows.places[e]] = factor;
    for (int f = diagonal + 1, at = e + 1; f < rows.offsets[other + 1] && at < end; ++f) {
      while (at < end && rows.columns[at] < rows.columns[f]) ++at;
      if (at < end && rows.columns[at] == rows.columns[f])
        values[rows.places[at]] = values[rows.places[at]] - factor * values[rows.places[f]];
    }
  }
  const int diagonal = find_column(rows, row, row);
  if (diagonal < 0 || is_zero(values[rows.places[diagonal]])) atomicMin(pivot, row);
}
template <class T>
__device__ void factor_cholesky(const Rows& rows, int row, T* values, int* pivot) {
  const int start = rows.offsets[row], end = rows.offsets[row + 1];
  for (int e = start; e < end && rows.columns[e] <= row; ++e) {
    const int column = rows.columns[e];
    T sum = values[rows.places[e]];
    for (int f = rows.offsets[column], at = start; f < rows.offsets[column + 1]; ++f) {
      const int k = rows.columns[f];
      if (k >= column) break;
      while (at < e && rows.columns[at] < k) ++at;
      if (at < e && rows.columns[at] == k)
        sum = sum - values[rows.places[at]] * conjugate(values[rows.places[f]]);
    }
    if (column == row) {
      const Real<T> square = real_part(sum);
      if (!(square > 0)) atomicMin(pivot, row);
      values[rows.places[e]] = from_real<T>(sqrt(square));
      return;
    }
    const int diagonal = find_column(rows, column, column);
    if (diagonal >= 0) values[rows.places[e]] = sum * reciprocal(values[rows.places[diagonal]]);
  }
  atomicMin(pivot, row);
}
template <class T, bool cholesky>
__global__ void factor_rows(Rows rows, int first, int last, T* values, int* pivot) {
  for (int level = first; level < last; ++level) {
    const int start = rows.starts[level], items = rows.starts[level + 1] - start;
    for (int64_t i = first_index(); i < items; i += index_step()) {
      if constexpr (cholesky)
        factor_cholesky(rows, rows.order[start + i], values, pivot);
      else
        factor_lu(rows, rows.order[start + i], values, pivot);
    }
    __syncthreads();
  }
}

template <class Info>
Status create_info(Info* made) {
  HEDDLE_NEED(made);
  auto* const content = new (std::nothrow) Factorisation;
  if (!content) return CUSPARSE_STATUS_ALLOC_FAILED;
  *made = reinterpret_cast<Info>(content);
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Info>
Status destroy_info(Info info) {
  HEDDLE_NEED(info);
  auto* const content = reinterpret_cast<Factorisation*>(info);
  cudaFree(content->pivot);
  delete content;
  return CUSPARSE_STATUS_SUCCESS;
}
Status zero_pivot(cusparseHandle_t h, Factorisation* info, int* position) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(info && position);
  int row = kNoRow;
  if (info->pivot) HEDDLE_TRY(read_back(h->stream, &row, info->pivot, sizeof row));
  const bool found = row != kNoRow;
  row = found ? row + info->base : -1;
  cudaMemcpyAsync(position, &row, sizeof row, cudaMemcpyDefault, h->stream);
  cudaStreamSynchronize(h->stream);
  return found ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS;
}
Status analyse(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t descr,
               const int* offsets, const int* indices, Factorisation* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(m >= 0 && nnz >= 0 && descr && offsets && (nnz == 0 || indices) && info);
  HEDDLE_SUPPORT(descr->type == CUSPARSE_MATRIX_TYPE_GENERAL);
  const Matrix a{CUSPARSE_FORMAT_CSR,
                 m,
                 m,
                 nnz,
                 const_cast<int*>(offsets),
                 const_cast<int*>(indices),
                 nullptr,
                 CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_32I,
                 descr->base,
                 CUDA_R_32F};
  info->base = descr->base;
  if (!info->pivot && cudaMalloc(&info->pivot, sizeof(int)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaMemcpyAsync(info->pivot, &kNoRow, sizeof(int), cudaMemcpyHostToDevice, h->stream);
  HEDDLE_TRY(analyse(h->stream, a, CUSPARSE_OPERATION_NON_TRANSPOSE, info->levels));
  info->analysed = true;
  return CUSPARSE_STATUS_SUCCESS;
}
template <bool cholesky, class T>
Status factor(cusparseHandle_t h, int m, int nnz, T* values, Factorisation* info) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(info && info->analysed && info->levels.rows == m && info->levels.count == nnz &&
              (nnz == 0 || values));
  cudaMemcpyAsync(info->pivot, &kNoRow, sizeof(int), cudaMemcpyHostToDevice, h->stream);
  return for_each_level(
      info->levels, 1, [&](const Rows& rows, int first, int last, unsigned blocks) {
        factor_rows<T, cholesky>
            <<<blocks, kThreads, 0, h->stream>>>(rows, first, last, values, info->pivot);
      });
}
template <class Info>
Factorisation* content(Info info) {
  return reinterpret_cast<Factorisation*>(info);
}

Status create_csrilu02_info(csrilu02Info_t* made) { return create_info(made); }
Status destroy_csrilu02_info(csrilu02Info_t info) { return destroy_info(info); }
Status create_csric02_info(csric02Info_t* made) { return create_info(made); }
Status destroy_csric02_info(csric02Info_t info) { return destroy_info(info); }
Status xcsrilu02_zero_pivot(cusparseHandle_t h, csrilu02Info_t info, int* position) {
  return zero_pivot(h, content(info), position);
}
Status xcsric02_zero_pivot(cusparseHandle_t h, csric02Info_t info, int* position) {
  return zero_pivot(h, content(info), position);
}
template <class T>
Status csrilu02_buffer_size(cusparseHandle_t h, int, int, const cusparseMatDescr_t, T*, const int*,
                            const int*, csrilu02Info_t, int* bytes) {
  return buffer_size(h, bytes);
}
template <class T>
Status csrilu02_analysis(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t descr,
                         const T*, const int* offsets, const int* indices, csrilu02Info_t info,
                         cusparseSolvePolicy_t, void*) {
  return analyse(h, m, nnz, descr, offsets, indices, content(info));
}
template <class T>
Status csrilu02(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t, T* values, const int*,
                const int*, csrilu02Info_t info, cusparseSolvePolicy_t, void*) {
  return factor<false>(h, m, nnz, values, content(info));
}
template <class T>
Status csric02_buffer_size(cusparseHandle_t h, int, int, const cusparseMatDescr_t, T*, const int*,
                           const int*, csric02Info_t, int* bytes) {
  return buffer_size(h, bytes);
}
template <class T>
Status csric02_analysis(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t descr,
                        const T*, const int* offsets, const int* indices, csric02Info_t info,
                        cusparseSolvePolicy_t, void*) {
  return analyse(h, m, nnz, descr, offsets, indices, content(info));
}
template <class T>
Status csric02(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t, T* values, const int*,
               const int*, csric02Info_t info, cusparseSolvePolicy_t, void*) {
  return factor<true>(h, m, nnz, values, content(info));
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_solvers_calls.inc"
