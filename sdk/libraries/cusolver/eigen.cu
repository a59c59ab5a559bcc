// Eigenvalues of hermitian matrices by Jacobi's method.
#include <vector>

#include "cusolver/jacobi.h"

namespace heddle::solver {
namespace {

// The whole matrices, and unit matrices for the vectors. Block row y is matrix y of a batch.
template <class T>
__global__ void start(bool lower, int64_t n, const T* a, int64_t lda, T* matrices, T* vectors) {
  const T* const from = a + blockIdx.y * lda * n;
  for (int64_t e = first_index(); e < n * n; e += index_step()) {
    const int64_t i = e % n, j = e / n;
    const bool stored = lower ? i >= j : i <= j;
    T value = stored ? from[i + j * lda] : conjugate(from[j + i * lda]);
    if (i == j) value = from_real<T>(real_part(value));
    matrices[blockIdx.y * n * n + e] = value;
    vectors[blockIdx.y * n * n + e] = i == j ? one<T>() : zero<T>();
  }
}
template <class T>
__global__ void rotate_columns(int64_t n, int64_t round, T* matrices, T* vectors,
                               Rotation<T>* rotations) {
  Pair pair;
  if (!find_pair(n, round, blockIdx.x, &pair)) return;
  T* const a = matrices + blockIdx.y * n * n;
  T* const v = vectors + blockIdx.y * n * n;
  const Rotation<T> r = rotation(real_part(a[pair.p + pair.p * n]), a[pair.p + pair.q * n],
                                 real_part(a[pair.q + pair.q * n]));
  __syncthreads();
  if (threadIdx.x == 0) rotations[blockIdx.y * gridDim.x + blockIdx.x] = r;
  for (int64_t i = threadIdx.x; i < n; i += kThreads) {
    rotate(r, a[i + pair.p * n], a[i + pair.q * n]);
    rotate(r, v[i + pair.p * n], v[i + pair.q * n]);
  }
}
template <class T>
__global__ void rotate_rows(int64_t n, int64_t round, T* matrices, const Rotation<T>* rotations) {
  Pair pair;
  if (!find_pair(n, round, blockIdx.x, &pair)) return;
  T* const a = matrices + blockIdx.y * n * n;
  Rotation<T> r = rotations[blockIdx.y * gridDim.x + blockIdx.x];
  r.phased_c = conjugate(r.phased_c);
  r.phased_s = conjugate(r.phased_s);
  for (int64_t j = threadIdx.x; j < n; j += kThreads) {
    T &x = a[pair.p + j * n], &y = a[pair.q + j * n];
    rotate(r, x, y);
    if (j == pair.p) {
      x = from_real<T>(real_part(x));
      y = zero<T>();
    } else if (j == pair.q) {
      x = zero<T>();
      y = from_real<T>(real_part(y));
    }
  }
}
// The sums of squares off the diagonal and of all elements.
template <class T>
__global__ void measure(int64_t n, const T* matrices, double* sums) {
  const T* const a = matrices + blockIdx.x * n * n;
  double off = 0, all = 0;
  for (int64_t e = threadIdx.x; e < n * n; e += kThreads) {
    const double value = square(a[e]);
    all += value;
    if (e % n != e / n) off += value;
  }
  off = sum_block(off);
  all = sum_block(all);
  if (threadIdx.x == 0) {
    sums[2 * blockIdx.x] = off;
    sums[2 * blockIdx.x + 1] = all;
  }
}
template <class T>
__global__ void order_values(int64_t n, const T* matrices, bool sorts, Real<T>* w, int* places) {
  const T* const a = matrices + blockIdx.x * n * n;
  for (int64_t i = threadIdx.x; i < n; i += kThreads) {
    const Real<T> value = real_part(a[i + i * n]);
    int64_t place = i;
    if (sorts) {
      place = 0;
      for (int64_t j = 0; j < n; ++j) {
        const Real<T> other = real_part(a[j + j * n]);
        place += other < value || (other == value && j < i);
      }
    }
    w[blockIdx.x * n + place] = value;
    places[blockIdx.x * n + i] = static_cast<int>(place);
  }
}
template <class T>
__global__ void store_vectors(int64_t n, const T* vectors, const int* places, T* a, int64_t lda) {
  T* const to = a + blockIdx.y * lda * n;
  for (int64_t e = first_index(); e < n * n; e += index_step())
    to[e % n + places[blockIdx.y * n + e / n] * lda] = vectors[blockIdx.y * n * n + e];
}

}  // namespace

template <class T>
Status find_eigenvalues(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                        int64_t n, T* a, int64_t lda, Real<T>* w, int* info, Iterations& iterations,
                        int64_t count) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_mode(jobz) && is_fill(uplo) && n >= 0 && holds(lda, n) && info && count >= 0);
  if (count == 0) return CUSOLVER_STATUS_SUCCESS;
  cudaMemsetAsync(info, 0, count * sizeof *info, h->stream);
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && w);
  const int64_t size = n * n * count, pairs = pairs_of(n);
  const Workspace memory(2 * size * sizeof(T) + count * pairs * sizeof(Rotation<T>) +
                             2 * count * sizeof(double) + count * n * sizeof(int),
                         h->stream);
  T *const matrices = memory.as<T>(), *const vectors = matrices + size;
  if (!matrices) return CUSOLVER_STATUS_ALLOC_FAILED;
  auto* const sums = reinterpret_cast<double*>(vectors + size);
  auto* const rotations = reinterpret_cast<Rotation<T>*>(sums + 2 * count);
  auto* const places = reinterpret_cast<int*>(rotations + count * pairs);
  const auto batches = static_cast<unsigned>(count);
  const dim3 elements(blocks_for(n * n), batches), grid(static_cast<unsigned>(pairs), batches);
  start<<<elements, kThreads, 0, h->stream>>>(uplo == CUBLAS_FILL_MODE_LOWER, n, a, lda, matrices,
                                              vectors);
  const double tolerance = std::max<double>(iterations.tolerance, kEpsilon<T>);
  std::vector<double> found(2 * count);
  std::vector<int> failed(count);
  iterations.executed = 0;
  for (bool converged = false;; ++iterations.executed) {
    measure<<<batches, kThreads, 0, h->stream>>>(n, matrices, sums);
    HEDDLE_TRY(read_back(h->stream, found.data(), sums, found.size() * sizeof(double)));
    converged = true;
    for (int64_t i = 0; i < count; ++i) {
      const bool done = !(found[2 * i] > tolerance * tolerance * found[2 * i + 1]);
      failed[i] = done ? 0 : static_cast<int>(n) + 1;
      converged = converged && done;
    }
    if (converged || iterations.executed >= iterations.sweeps) break;
    for (int64_t round = 0; round < rounds_of(n); ++round) {
      rotate_columns<<<grid, kThreads, 0, h->stream>>>(n, round, matrices, vectors, rotations);
      rotate_rows<<<grid, kThreads, 0, h->stream>>>(n, round, matrices, rotations);
    }
  }
  iterations.residual = sqrt(found[0]);
  cudaMemcpyAsync(info, failed.data(), count * sizeof(int), cudaMemcpyHostToDevice, h->stream);
  order_values<<<batches, kThreads, 0, h->stream>>>(n, matrices, iterations.sorts, w, places);
  if (jobz == CUSOLVER_EIG_MODE_VECTOR)
    store_vectors<<<elements, kThreads, 0, h->stream>>>(n, vectors, places, a, lda);
  cudaStreamSynchronize(h->stream);  // `failed` is read until then
  return launched();
}
#define HEDDLE_INSTANCE(T)                                                                  \
  template Status find_eigenvalues(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, \
                                   int64_t, T*, int64_t, Real<T>*, int*, Iterations&, int64_t);
HEDDLE_EACH_TYPE(HEDDLE_INSTANCE)

namespace {

template <class T>
Status syevd(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* a,
             int lda, Real<T>* w, T* work, int lwork, int* info) {
  HEDDLE_NEED(n == 0 || (work && lwork >= kWorkElements));
  Iterations iterations;
  return find_eigenvalues<T>(h, jobz, uplo, n, a, lda, w, info, iterations);
}
template <class T>
Status syevj(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* a,
             int lda, Real<T>* w, T* work, int lwork, int* info, syevjInfo_t params) {
  HEDDLE_NEED(params && (n == 0 || (work && lwork >= kWorkElements)));
  return find_eigenvalues<T>(h, jobz, uplo, n, a, lda, w, info,
                             *reinterpret_cast<Iterations*>(params));
}
template <class T>
Status syevj_batched(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                     T* a, int lda, Real<T>* w, T* work, int lwork, int* info, syevjInfo_t params,
                     int count) {
  HEDDLE_NEED(params && count >= 0 && (n == 0 || (work && lwork >= kWorkElements)));
  return find_eigenvalues<T>(h, jobz, uplo, n, a, lda, w, info,
                             *reinterpret_cast<Iterations*>(params), count);
}
template <class T, class... Rest>
Status syevd_buffer_size(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                         const T*, int lda, const Real<T>*, int* lwork, Rest...) {
  HEDDLE_NEED(is_mode(jobz) && is_fill(uplo) && n >= 0 && holds(lda, n));
  return work_size(h, lwork);
}
#define HEDDLE_SAME(name, other)        \
  template <class... Arguments>         \
  Status name(Arguments... arguments) { \
    return other(arguments...);         \
  }
HEDDLE_SAME(syevj_buffer_size, syevd_buffer_size)
HEDDLE_SAME(syevj_batched_buffer_size, syevd_buffer_size)
HEDDLE_SAME(heevd, syevd)
HEDDLE_SAME(heevj, syevj)
HEDDLE_SAME(heevj_batched, syevj_batched)
HEDDLE_SAME(heevd_buffer_size, syevd_buffer_size)
HEDDLE_SAME(heevj_buffer_size, syevd_buffer_size)
HEDDLE_SAME(heevj_batched_buffer_size, syevd_buffer_size)

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_eigen_calls.inc"
