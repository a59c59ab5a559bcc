// Tridiagonal systems: a thread eliminates one system with partial pivoting, as LAPACK's gtsv.
#include "cusparse/handle.h"

namespace heddle::sparse {
namespace {

// Where element i of system s is: i * element + s * system.
struct Layout {
  int64_t element, system;
  __device__ __forceinline__ int64_t at(int64_t i, int64_t s) const {
    return i * element + s * system;
  }
};

// `d`, `du` and `du2` of a system are copied, side by side for the threads of a warp.
template <class T>
__global__ void solve(int m, int count, Layout diagonals, const T* dl, const T* d, const T* du,
                      Layout sides, T* x, T* copies) {
  for (int64_t s = first_index(); s < count; s += index_step()) {
    const Layout own{count, 1};
    T *const main = copies, *const above = main + static_cast<int64_t>(m) * count,
             *const far = above + static_cast<int64_t>(m) * count;
    for (int i = 0; i < m; ++i) {
      main[own.at(i, s)] = d[diagonals.at(i, s)];
      above[own.at(i, s)] = i + 1 < m ? du[diagonals.at(i, s)] : from_real<T>(0);
      far[own.at(i, s)] = from_real<T>(0);
    }
    for (int i = 0; i + 1 < m; ++i) {
      const int64_t here = own.at(i, s), next = own.at(i + 1, s);
      T &left = x[sides.at(i, s)], &right = x[sides.at(i + 1, s)];
      T below = dl[diagonals.at(i + 1, s)];
      if (magnitude(main[here]) >= magnitude(below)) {
        const T factor = below * reciprocal(main[here]);
        main[next] = main[next] - factor * above[here];
        right = right - factor * left;
      } else {
        const T factor = main[here] * reciprocal(below), middle = main[next];
        main[here] = below;
        main[next] = above[here] - factor * middle;
        above[here] = middle;
        far[here] = above[next];
        above[next] = from_real<T>(0) - factor * above[next];
        const T kept = left;
        left = right;
        right = kept - factor * right;
      }
    }
    for (int i = m - 1; i >= 0; --i) {
      T sum = x[sides.at(i, s)];
      if (i + 1 < m) sum = sum - above[own.at(i, s)] * x[sides.at(i + 1, s)];
      if (i + 2 < m) sum = sum - far[own.at(i, s)] * x[sides.at(i + 2, s)];
      x[sides.at(i, s)] = sum * reciprocal(main[own.at(i, s)]);
    }
  }
}
template <class T>
Status run(cusparseHandle_t h, int m, int count, Layout diagonals, const T* dl, const T* d,
           const T* du, Layout sides, T* x) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(m >= 1 && count >= 0);
  if (count == 0) return CUSPARSE_STATUS_SUCCESS;
  HEDDLE_NEED(dl && d && du && x);
  const Workspace memory(3 * static_cast<int64_t>(m) * count * sizeof(T), h->stream);
  if (!memory.as<T>()) return CUSPARSE_STATUS_ALLOC_FAILED;
  solve<<<blocks_for(count), kThreads, 0, h->stream>>>(m, count, diagonals, dl, d, du, sides, x,
                                                       memory.as<T>());
  return launched();
}

template <class T>
Status gtsv2(cusparseHandle_t h, int m, int n, const T* dl, const T* d, const T* du, T* b, int ldb,
             void*) {
  HEDDLE_NEED(m >= 3 && ldb >= m);
  return run(h, m, n, {1, 0}, dl, d, du, {1, ldb}, b);
}
template <class T>
Status gtsv2_nopivot(cusparseHandle_t h, int m, int n, const T* dl, const T* d, const T* du, T* b,
                     int ldb, void* buffer) {
  return gtsv2(h, m, n, dl, d, du, b, ldb, buffer);
}
template <class T>
Status gtsv2_strided_batch(cusparseHandle_t h, int m, const T* dl, const T* d, const T* du, T* x,
                           int batches, int stride, void*) {
  HEDDLE_NEED(m >= 3 && stride >= m);
  return run(h, m, batches, {1, stride}, dl, d, du, {1, stride}, x);
}
template <class T>
Status gtsv_interleaved_batch(cusparseHandle_t h, int, int m, T* dl, T* d, T* du, T* x, int batches,
                              void*) {
  return run<T>(h, m, batches, {batches, 1}, dl, d, du, {batches, 1}, x);
}
template <class T>
Status gtsv2_buffer_size_ext(cusparseHandle_t h, int, int, const T*, const T*, const T*, const T*,
                             int, size_t* bytes) {
  return buffer_size(h, bytes);
}
template <class T>
Status gtsv2_nopivot_buffer_size_ext(cusparseHandle_t h, int, int, const T*, const T*, const T*,
                                     const T*, int, size_t* bytes) {
  return buffer_size(h, bytes);
}
template <class T>
Status gtsv2_strided_batch_buffer_size_ext(cusparseHandle_t h, int, const T*, const T*, const T*,
                                           const T*, int, int, size_t* bytes) {
  return buffer_size(h, bytes);
}
template <class T>
Status gtsv_interleaved_batch_buffer_size_ext(cusparseHandle_t h, int, int, const T*, const T*,
                                              const T*, const T*, int, size_t* bytes) {
  return buffer_size(h, bytes);
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_tridiagonal_calls.inc"
