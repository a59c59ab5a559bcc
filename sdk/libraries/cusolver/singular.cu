// Singular values by Jacobi's method from one side: rotations make the columns of A V orthogonal;
// their lengths are the singular values.
#include "cusolver/jacobi.h"

namespace heddle::solver {
namespace {

// b is A, or A^H, and v a unit matrix.
template <class T>
__global__ void start(int64_t m, int64_t n, const T* a, int64_t lda, bool turned, T* b, T* v) {
  for (int64_t e = first_index(); e < m * n; e += index_step()) {
    const int64_t i = e % m, j = e / m;
    b[e] = turned ? conjugate(a[j + i * lda]) : a[i + j * lda];
    if (i < n) v[i + j * n] = i == j ? one<T>() : zero<T>();
  }
}
template <class T>
__global__ void rotate_columns(int64_t m, int64_t n, int64_t round, T* b, T* v, Real<T> tolerance,
                               int* rotated) {
  Pair pair;
  if (!find_pair(n, round, blockIdx.x, &pair)) return;
  T *const x = b + pair.p * m, *const y = b + pair.q * m;
  Real<T> left = 0, right = 0;
  T product = zero<T>();
  for (int64_t i = threadIdx.x; i < m; i += kThreads) {
    left += square(x[i]);
    right += square(y[i]);
    product = product + conjugate(x[i]) * y[i];
  }
  left = sum_block(left);
  right = sum_block(right);
  product = sum_block(product);
  if (!(length(product) > tolerance * sqrt(left) * sqrt(right))) return;
  if (threadIdx.x == 0) atomicAdd(rotated, 1);
  const Rotation<T> r = rotation(left, product, right);
  for (int64_t i = threadIdx.x; i < m; i += kThreads) rotate(r, x[i], y[i]);
  for (int64_t i = threadIdx.x; i < n; i += kThreads)
    rotate(r, v[i + pair.p * n], v[i + pair.q * n]);
}
template <class T>
__global__ void measure(int64_t m, const T* b, Real<T>* lengths) {
  Real<T> sum = 0;
  for (int64_t i = threadIdx.x; i < m; i += kThreads) sum += square(b[i + blockIdx.x * m]);
  sum = sum_block(sum);
  if (threadIdx.x == 0) lengths[blockIdx.x] = sqrt(sum);
}
// The largest first, also where a program does not ask for an order. A column much shorter than the
// longest one has no direction.
template <class T>
__global__ void order_values(int64_t n, const Real<T>* lengths, Real<T>* s, int* places,
                             int* rank) {
  __shared__ int directions;
  if (threadIdx.x == 0) directions = 0;
  __syncthreads();
  for (int64_t i = threadIdx.x; i < n; i += kThreads) {
    const Real<T> length = lengths[i];
    int64_t place = 0;
    Real<T> longest = 0;
    for (int64_t j = 0; j < n; ++j) {
      const Real<T> other = lengths[j];
      place += other > length || (other == length && j < i);
      longest = other > longest ? other : longest;
    }
    s[place] = length;
    places[i] = static_cast<int>(place);
    if (length > longest * kEpsilon<T> * static_cast<Real<T>>(n)) atomicAdd(&directions, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) *rank = directions;
}
template <class T>
__global__ void normalise(int64_t m, int64_t n, const T* b, const Real<T>* lengths,
                          const int* places, T* u) {
  for (int64_t e = first_index(); e < m * n; e += index_step()) {
    const int64_t i = e % m, j = e / m;
    u[i + places[j] * m] = lengths[j] > 0 ? (1 / lengths[j]) * b[e] : zero<T>();
  }
}
// One block adds orthonormal columns after the first `rank` ones: the unit vector that they cover
// least, without its projections on them.
template <class T>
__global__ void complete(int64_t m, int64_t columns, const int* rank, T* u) {
  __shared__ Real<T> covers[kThreads];
  __shared__ int64_t rows[kThreads];
  for (int64_t column = *rank; column < columns; ++column) {
    Real<T> least = 2;
    int64_t row = 0;
    for (int64_t i = threadIdx.x; i < m; i += kThreads) {
      Real<T> cover = 0;
      for (int64_t j = 0; j < column; ++j) cover += square(u[i + j * m]);
      if (cover < least) {
        least = cover;
        row = i;
      }
    }
    covers[threadIdx.x] = least;
    rows[threadIdx.x] = row;
    for (int half = kThreads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half && covers[threadIdx.x + half] < covers[threadIdx.x]) {
        covers[threadIdx.x] = covers[threadIdx.x + half];
        rows[threadIdx.x] = rows[threadIdx.x + half];
      }
    }
    __syncthreads();
    row = rows[0];
    T* const x = u + column * m;
    for (int64_t i = threadIdx.x; i < m; i += kThreads) x[i] = i == row ? one<T>() : zero<T>();
    __syncthreads();
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t j = 0; j < column; ++j) {
        T dot = zero<T>();
        for (int64_t i = threadIdx.x; i < m; i += kThreads)
          dot = dot + conjugate(u[i + j * m]) * x[i];
        dot = sum_block(dot);
        for (int64_t i = threadIdx.x; i < m; i += kThreads) x[i] = x[i] - dot * u[i + j * m];
      }
    Real<T> sum = 0;
    for (int64_t i = threadIdx.x; i < m; i += kThreads) sum += square(x[i]);
    const Real<T> scale = 1 / sqrt(sum_block(sum));
    for (int64_t i = threadIdx.x; i < m; i += kThreads) x[i] = scale * x[i];
    __syncthreads();
  }
}
// Columns to their places, or as rows of the conjugate transpose.
template <class T>
__global__ void store(int64_t rows, int64_t columns, const T* from, const int* places, bool turned,
                      T* to, int64_t ld) {
  for (int64_t e = first_index(); e < rows * columns; e += index_step()) {
    const int64_t i = e % rows, j = places ? places[e / rows] : e / rows;
    if (turned)
      to[j + i * ld] = conjugate(from[e]);
    else
      to[i + j * ld] = from[e];
  }
}

// Where a matrix of vectors goes, and how many columns of it.
template <class T>
struct Target {
  T* data;
  int64_t ld, columns;
  bool turned;
};
// m >= n of A, or of A^H with `turned`. `left` are the vectors of the columns of that matrix.
template <class T>
Status decompose(cusolverDnHandle_t h, int64_t m, int64_t n, const T* a, int64_t lda, bool turned,
                 Real<T>* s, const Target<T>& left, const Target<T>& right, int* info,
                 Iterations& iterations) {
  const Workspace memory((2 * m * n + n * n + left.columns * m) * sizeof(T) + n * sizeof(Real<T>) +
                             (n + 2) * sizeof(int),
                         h->stream);
  T* const b = memory.as<T>();
  if (!b) return CUSOLVER_STATUS_ALLOC_FAILED;
  T *const v = b + m * n, *const u = v + n * n;
  auto* const lengths = reinterpret_cast<Real<T>*>(u + std::max(left.columns, n) * m);
  auto* const places = reinterpret_cast<int*>(lengths + n);
  int *const rotated = places + n, *const rank = rotated + 1;
  const cudaStream_t stream = h->stream;
  start<<<blocks_for(m * n), kThreads, 0, stream>>>(m, n, a, lda, turned, b, v);
  const Real<T> tolerance =
      std::max<Real<T>>(static_cast<Real<T>>(iterations.tolerance), 4 * kEpsilon<T>);
  int last = n > 1;
  for (iterations.executed = 0; last && iterations.executed < iterations.sweeps;
       ++iterations.executed) {
    cudaMemsetAsync(rotated, 0, sizeof(int), stream);
    for (int64_t round = 0; round < rounds_of(n); ++round)
      rotate_columns<T><<<static_cast<unsigned>(pairs_of(n)), kThreads, 0, stream>>>(
          m, n, round, b, v, tolerance, rotated);
    HEDDLE_TRY(read_back(stream, &last, rotated, sizeof last));
  }
  iterations.residual = last ? 1 : 0;
  const int code = last ? static_cast<int>(n) + 1 : 0;
  cudaMemcpyAsync(info, &code, sizeof code, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  measure<<<static_cast<unsigned>(n), kThreads, 0, stream>>>(m, b, lengths);
  order_values<T><<<1, kThreads, 0, stream>>>(n, lengths, s, places, rank);
  if (left.data) {
    normalise<<<blocks_for(m * n), kThreads, 0, stream>>>(m, n, b, lengths, places, u);
    complete<<<1, kThreads, 0, stream>>>(m, left.columns, rank, u);
    store<T><<<blocks_for(m * left.columns), kThreads, 0, stream>>>(
        m, left.columns, u, nullptr, left.turned, left.data, left.ld);
  }
  if (right.data)
    store<<<blocks_for(n * n), kThreads, 0, stream>>>(n, n, v, places, right.turned, right.data,
                                                      right.ld);
  return launched();
}

}  // namespace

template <class T>
Status find_singular_values(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int64_t m,
                            int64_t n, T* a, int64_t lda, Real<T>* s, T* u, int64_t ldu, T* vt,
                            int64_t ldvt, int* info) {
  HEDDLE_NEED_HANDLE(h);
  const auto is_job = [](signed char job) {
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
  };
  HEDDLE_NEED(is_job(jobu) && is_job(jobvt) && !(jobu == 'O' && jobvt == 'O') && n >= 0 && m >= n &&
              holds(lda, m) && info);
  const bool left = jobu == 'A' || jobu == 'S', right = jobvt == 'A' || jobvt == 'S';
  HEDDLE_NEED((!left || holds(ldu, m)) && (!right || holds(ldvt, n)));
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && s && (!left || u) && (!right || vt));
  Iterations iterations;
  return decompose<T>(h, m, n, a, lda, false, s,
                      {left          ? u
                       : jobu == 'O' ? a
                                     : nullptr,
                       left ? ldu : lda, jobu == 'A' ? m : n, false},
                      {right          ? vt
                       : jobvt == 'O' ? a
                                      : nullptr,
                       right ? ldvt : lda, n, true},
                      info, iterations);
}
#define HEDDLE_INSTANCE(T)                                                                       \
  template Status find_singular_values(cusolverDnHandle_t, signed char, signed char, int64_t,    \
                                       int64_t, T*, int64_t, Real<T>*, T*, int64_t, T*, int64_t, \
                                       int*);
HEDDLE_EACH_TYPE(HEDDLE_INSTANCE)

namespace {

template <class T>
Status gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, T* a, int lda,
             Real<T>* s, T* u, int ldu, T* vt, int ldvt, T* work, int lwork, Real<T>*, int* info) {
  HEDDLE_NEED(n == 0 || (work && lwork >= kWorkElements));
  return find_singular_values<T>(h, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, info);
}
Status gesvd_buffer_size(cusolverDnHandle_t h, int m, int n, int* lwork) {
  HEDDLE_NEED(n >= 0 && m >= n);
  return work_size(h, lwork);
}
template <class T>
Status gesvdj(cusolverDnHandle_t h, cusolverEigMode_t jobz, int econ, int m, int n, T* a, int lda,
              Real<T>* s, T* u, int ldu, T* v, int ldv, T* work, int lwork, int* info,
              gesvdjInfo_t params) {
  HEDDLE_NEED_HANDLE(h);
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR, turned = m < n;
  HEDDLE_NEED(is_mode(jobz) && m >= 0 && n >= 0 && holds(lda, m) && info && params &&
              (!vectors || (holds(ldu, m) && holds(ldv, n))));
  cudaMemsetAsync(info, 0, sizeof *info, h->stream);
  if (m == 0 || n == 0) return CUSOLVER_STATUS_SUCCESS;
  HEDDLE_NEED(a && s && (!vectors || (u && v)) && work && lwork >= kWorkElements);
  const int rows = std::max(m, n), columns = std::min(m, n);
  const Target<T> first{vectors ? u : nullptr, ldu, econ ? columns : m, false};
  const Target<T> second{vectors ? v : nullptr, ldv, econ ? columns : n, false};
  return decompose<T>(h, rows, columns, a, lda, turned, s, turned ? second : first,
                      turned ? first : second, info, *reinterpret_cast<Iterations*>(params));
}
template <class T>
Status gesvdj_batched(cusolverDnHandle_t h, cusolverEigMode_t jobz, int m, int n, T* a, int lda,
                      Real<T>* s, T* u, int ldu, T* v, int ldv, T* work, int lwork, int* info,
                      gesvdjInfo_t params, int count) {
  HEDDLE_NEED(count >= 0 && m <= 32 && n <= 32);
  for (int64_t i = 0; i < count; ++i)
    HEDDLE_TRY(gesvdj<T>(h, jobz, 0, m, n, a + i * lda * n, lda, s + i * std::min(m, n),
                         u + i * ldu * m, ldu, v + i * ldv * n, ldv, work, lwork, info + i,
                         params));
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
Status gesvdj_buffer_size(cusolverDnHandle_t h, cusolverEigMode_t jobz, int, int m, int n, const T*,
                          int lda, const Real<T>*, const T*, int, const T*, int, int* lwork,
                          gesvdjInfo_t) {
  HEDDLE_NEED(is_mode(jobz) && m >= 0 && n >= 0 && holds(lda, m));
  return work_size(h, lwork);
}
template <class T>
Status gesvdj_batched_buffer_size(cusolverDnHandle_t h, cusolverEigMode_t jobz, int m, int n,
                                  const T* a, int lda, const Real<T>* s, const T* u, int ldu,
                                  const T* v, int ldv, int* lwork, gesvdjInfo_t params, int) {
  return gesvdj_buffer_size(h, jobz, 0, m, n, a, lda, s, u, ldu, v, ldv, lwork, params);
}

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_singular_calls.inc"
