// cuSOLVER: factorisations, eigenvalues, singular values, and errors.
#include <cusolverDn.h>
#include <cusolverSp.h>

#include <algorithm>

#include "conformance.h"

cusolverDnHandle_t h;

#define OK(call) EXPECT((call) == CUSOLVER_STATUS_SUCCESS)
#define IS_INVALID(call) EXPECT((call) == CUSOLVER_STATUS_INVALID_VALUE)

#define WRAP(name, S, D, C, Z) \
  VARIANTS(cusolverStatus_t, name, cusolverDn##S, cusolverDn##D, cusolverDn##C, cusolverDn##Z)
#define WRAP_SAME(name) WRAP(name, S##name, D##name, C##name, Z##name)
// clang-format off
WRAP_SAME(potrf) WRAP_SAME(potrf_bufferSize) WRAP_SAME(potrs) WRAP_SAME(potri)
WRAP_SAME(potrfBatched) WRAP_SAME(potrsBatched) WRAP_SAME(getrf) WRAP_SAME(getrs) WRAP_SAME(geqrf)
WRAP_SAME(gesvd) WRAP_SAME(gesvdj) WRAP_SAME(gesvdjBatched)
WRAP(gesv, SSgesv, DDgesv, CCgesv, ZZgesv)
WRAP(gels, SSgels, DDgels, CCgels, ZZgels)
WRAP(ormqr, Sormqr, Dormqr, Cunmqr, Zunmqr)
WRAP(orgqr, Sorgqr, Dorgqr, Cungqr, Zungqr)
WRAP(syevd, Ssyevd, Dsyevd, Cheevd, Zheevd)
WRAP(syevj, Ssyevj, Dsyevj, Cheevj, Zheevj)
WRAP(sygvd, Ssygvd, Dsygvd, Chegvd, Zhegvd)
WRAP(sygvd_bufferSize, Ssygvd_bufferSize, Dsygvd_bufferSize, Chegvd_bufferSize, Zhegvd_bufferSize)
WRAP(sygvj, Ssygvj, Dsygvj, Chegvj, Zhegvj)
WRAP(syevjBatched, SsyevjBatched, DsyevjBatched, CheevjBatched, ZheevjBatched)
    // clang-format on

    template <class T>
    constexpr cublasOperation_t kTurned = is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;

template <class T>
T value_of(Number x) {
  if constexpr (is_complex<T>)
    return {Real<T>(x.real()), Real<T>(x.imag())};
  else
    return T(x.real());
}
template <class T>
T* work() {
  static T* memory = nullptr;
  if (!memory) cudaMalloc(&memory, 4096 * sizeof(T));
  return memory;
}
constexpr int kWork = 4096;
Array<int>& info() {
  static Array<int> memory(64);
  return memory;
}
int code(int i = 0) { return info().get()[i]; }

// A matrix on the host, by columns.
struct Host {
  int rows, columns;
  std::vector<Number> data;
  Host(int m, int n) : rows(m), columns(n), data(m * n) {}
  Number& operator()(int i, int j) { return data[i + j * rows]; }
  Number operator()(int i, int j) const { return data[i + j * rows]; }
};
Host operator*(const Host& a, const Host& b) {
  Host c(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k)
      for (int i = 0; i < a.rows; ++i) c(i, j) += a(i, k) * b(k, j);
  return c;
}
Host turned(const Host& a) {
  Host b(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) b(j, i) = std::conj(a(i, j));
  return b;
}
template <class T>
Host read(const std::vector<T>& from, int m, int n, int ld, int start = 0) {
  Host a(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = number(from[start + i + j * ld]);
  return a;
}
template <class T>
void write(Array<T>& to, const Host& a, int ld, int start = 0) {
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) to.host[start + i + j * ld] = value_of<T>(a(i, j));
  to.put();
}
template <class T>
void near(const char* what, int line, const Host& got, const Host& expected, double scale) {
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    if (std::abs(got.data[i] - expected.data[i]) <= tolerance<T>() * scale) continue;
    ++failures;
    std::printf("FAIL line %d: %s [%zu] of %d x %d: %g%+gi for %g%+gi\n", line, what, i, got.rows,
                got.columns, got.data[i].real(), got.data[i].imag(), expected.data[i].real(),
                expected.data[i].imag());
    return;
  }
}
template <class T>
Host random_matrix(int m, int n) {
  Host a(m, n);
  for (Number& x : a.data) x = number(random_value<T>());
  return a;
}
template <class T>
Host random_hermitian(int n, double diagonal = 0) {
  Host a = random_matrix<T>(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) a(j, i) = std::conj(a(i, j));
    a(i, i) = a(i, i).real() + diagonal;
  }
  return a;
}
Host identity(int n) {
  Host a(n, n);
  for (int i = 0; i < n; ++i) a(i, i) = 1;
  return a;
}
template <class T>
void is_orthonormal(int line, const Host& q) {
  near<T>("columns", line, turned(q) * q, identity(q.columns), 8 + q.rows);
}

template <class T>
void test_cholesky(int n, int nrhs, cublasFillMode_t uplo) {
  const int ld = n + 2;
  const Host a = random_hermitian<T>(n, 2.0 * n), b = random_matrix<T>(n, nrhs);
  Array<T> matrix(ld * n), sides(ld * nrhs);
  write(matrix, a, ld);
  write(sides, b, ld);
  int size = 0;
  OK(potrf_bufferSize(T{}, uplo, n, matrix.device, ld, &size));
  EXPECT(size > 0 && size <= kWork);
  OK(potrf(T{}, uplo, n, matrix.device, ld, work<T>(), kWork, info().device));
  EXPECT(code() == 0);
  Host l = read(matrix.get(), n, n, ld);
  if (uplo == CUBLAS_FILL_MODE_UPPER) l = turned(l);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) l(i, j) = 0;
  near<T>("potrf", __LINE__, l * turned(l), a, 4 * n);
  OK(potrs(T{}, uplo, n, nrhs, matrix.device, ld, sides.device, ld, info().device));
  near<T>("potrs", __LINE__, a * read(sides.get(), n, nrhs, ld), b, 8 + n);
  OK(potri(T{}, uplo, n, matrix.device, ld, work<T>(), kWork, info().device));
  Host inverse = read(matrix.get(), n, n, ld);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) inverse(i, j) = std::conj(inverse(j, i));
  near<T>("potri", __LINE__, a * inverse, identity(n), 8 + n);
  // The first minor that is not positive.
  const int minor = random_in(1, n);
  Host c = a;
  c(minor - 1, minor - 1) = -1;
  write(matrix, c, ld);
  OK(potrf(T{}, uplo, n, matrix.device, ld, work<T>(), kWork, info().device));
  EXPECT(code() == minor);
}
template <class T>
void test_batches(int n, int count, cublasFillMode_t uplo) {
  Array<T> matrices(n * n * count), sides(n * count);
  T** pointers;
  cudaMalloc(&pointers, 2 * count * sizeof(T*));
  std::vector<T*> host;
  std::vector<Host> as, bs;
  for (int i = 0; i < count; ++i) {
    as.push_back(random_hermitian<T>(n, 2.0 * n));
    bs.push_back(random_matrix<T>(n, 1));
    write(matrices, as.back(), n, i * n * n);
    write(sides, bs.back(), n, i * n);
    host.push_back(matrices.device + i * n * n);
  }
  for (int i = 0; i < count; ++i) host.push_back(sides.device + i * n);
  cudaMemcpy(pointers, host.data(), host.size() * sizeof(T*), cudaMemcpyHostToDevice);
  OK(potrfBatched(T{}, uplo, n, pointers, n, info().device, count));
  for (int i = 0; i < count; ++i) EXPECT(code(i) == 0);
  OK(potrsBatched(T{}, uplo, n, 1, pointers, n, pointers + count, n, info().device, count));
  for (int i = 0; i < count; ++i)
    near<T>("potrsBatched", __LINE__, as[i] * read(sides.get(), n, 1, n, i * n), bs[i], 8 + n);
  cudaFree(pointers);
}

template <class T>
void test_systems(int m, int n, int nrhs) {
  Host a = random_matrix<T>(m, n);
  for (int i = 0; i < n; ++i) a(i, i) += 4.0 * n;
  const Host b = random_matrix<T>(m, nrhs);
  const int ld = m + 1;
  Array<T> matrix(ld * n), sides(ld * nrhs), x(ld * nrhs);
  Array<int> pivots(n);
  int iterations = -1;
  constexpr std::size_t kBytes = kWork * sizeof(T);
  write(matrix, a, ld);
  write(sides, b, ld);
  OK(gels(T{}, m, n, nrhs, matrix.device, ld, sides.device, ld, x.device, ld, (void*)work<T>(),
          kBytes, &iterations, info().device));
  // The rest is orthogonal to the columns of A.
  Host rest = a * read(x.get(), n, nrhs, ld);
  for (std::size_t i = 0; i < rest.data.size(); ++i) rest.data[i] -= b.data[i];
  near<T>("gels", __LINE__, turned(a) * rest, Host(n, nrhs), 20 * m * n);
  EXPECT(iterations == 0 && code() == 0);
  if (m != n) return;
  write(matrix, a, ld);
  write(sides, b, ld);
  OK(gesv(T{}, n, nrhs, matrix.device, ld, pivots.device, sides.device, ld, x.device, ld,
          (void*)work<T>(), kBytes, &iterations, info().device));
  near<T>("gesv", __LINE__, a * read(x.get(), n, nrhs, ld), b, 8 + n);
  EXPECT(iterations == 0 && code() == 0);
}

template <class T, class Pivot>
Host permuted_product(const Host& lu, const std::vector<Pivot>& pivots) {
  const int m = lu.rows, n = lu.columns, k = std::min(m, n);
  Host l(m, k), u(k, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      if (i > j && j < k) l(i, j) = lu(i, j);
      if (i <= j && i < k) u(i, j) = lu(i, j);
    }
  for (int i = 0; i < k; ++i) l(i, i) = 1;
  Host product = l * u;
  for (int i = static_cast<int>(pivots.size()) - 1; i >= 0; --i)
    for (int j = 0; j < n; ++j) std::swap(product(i, j), product(int(pivots[i]) - 1, j));
  return product;
}
template <class T>
void test_lu(int m, int n) {
  const int ld = m + 3;
  const Host a = random_matrix<T>(m, n);
  Array<T> matrix(ld * n);
  Array<int> pivots(std::min(m, n));
  write(matrix, a, ld);
  OK(getrf(T{}, m, n, matrix.device, ld, work<T>(), pivots.device, info().device));
  EXPECT(code() == 0);
  near<T>("getrf", __LINE__, permuted_product<T>(read(matrix.get(), m, n, ld), pivots.get()), a,
          8 + m);
  if (m == n) {
    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      const Host b = random_matrix<T>(n, 3);
      Array<T> sides(ld * 3);
      write(sides, b, ld);
      OK(getrs(T{}, op, n, 3, matrix.device, ld, pivots.device, sides.device, ld, info().device));
      Host operated = op == CUBLAS_OP_N ? a : turned(a);
      if (op == CUBLAS_OP_T)
        for (Number& x : operated.data) x = std::conj(x);
      const Host x = read(sides.get(), n, 3, ld);
      double scale = 8 + n;
      for (const Number& value : x.data) scale = std::max(scale, n * std::abs(value));
      near<T>("getrs", __LINE__, operated * x, b, scale);
    }
  }
  // Without exchanges, and with a column of zeros.
  Host strong = a;
  for (int i = 0; i < std::min(m, n); ++i) strong(i, i) += 2.0 * m;
  write(matrix, strong, ld);
  int* const none = nullptr;
  OK(getrf(T{}, m, n, matrix.device, ld, work<T>(), none, info().device));
  near<T>("getrf", __LINE__, permuted_product<T>(read(matrix.get(), m, n, ld), std::vector<int>{}),
          strong, 8 + 2 * m);
  for (int i = 0; i < m; ++i) strong(i, 0) = 0;
  write(matrix, strong, ld);
  OK(getrf(T{}, m, n, matrix.device, ld, work<T>(), pivots.device, info().device));
  EXPECT(code() == 1);
}

template <class T>
void test_qr(int m, int n) {
  const int ld = m + 1, k = std::min(m, n);
  const Host a = random_matrix<T>(m, n);
  Array<T> matrix(ld * n), tau(k), full(m * m);
  write(matrix, a, ld);
  OK(geqrf(T{}, m, n, matrix.device, ld, tau.device, work<T>(), kWork, info().device));
  EXPECT(code() == 0);
  Host r = read(matrix.get(), m, n, ld);
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < m; ++i) r(i, j) = 0;
  // Q as the product with a unit matrix, from each side.
  write(full, identity(m), m);
  OK(ormqr(T{}, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, m, k, matrix.device, ld, tau.device, full.device,
           m, work<T>(), kWork, info().device));
  const Host q = read(full.get(), m, m, m);
  is_orthonormal<T>(__LINE__, q);
  near<T>("geqrf", __LINE__, q * r, a, 8 + m);
  for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (const bool plain : {true, false}) {
      const Host c = random_matrix<T>(m, m);
      write(full, c, m);
      OK(ormqr(T{}, side, plain ? CUBLAS_OP_N : kTurned<T>, m, m, k, matrix.device, ld, tau.device,
               full.device, m, work<T>(), kWork, info().device));
      const Host factor = plain ? q : turned(q);
      near<T>("ormqr", __LINE__, read(full.get(), m, m, m),
              side == CUBLAS_SIDE_LEFT ? factor * c : c * factor, 8 + m);
    }
  if (n > m) return;
  OK(orgqr(T{}, m, n, k, matrix.device, ld, tau.device, work<T>(), kWork, info().device));
  Host part(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) part(i, j) = q(i, j);
  near<T>("orgqr", __LINE__, read(matrix.get(), m, n, ld), part, 8 + m);
}

template <class T>
void test_eigen(int n, cublasFillMode_t uplo, int count) {
  const int ld = n + 1;
  std::vector<Host> as;
  Array<T> matrices(ld * n * count);
  Array<Real<T>> values(n * count);
  for (int i = 0; i < count; ++i) as.push_back(random_hermitian<T>(n));
  const auto put = [&] {
    for (int i = 0; i < count; ++i) write(matrices, as[i], ld, i * ld * n);
  };
  syevjInfo_t params;
  OK(cusolverDnCreateSyevjInfo(&params));
  OK(cusolverDnXsyevjSetTolerance(params, 1e-7));
  OK(cusolverDnXsyevjSetMaxSweeps(params, 20));
  std::vector<Real<T>> first;
  for (const int kind : {0, 1, 2}) {
    put();
    constexpr auto kVectors = CUSOLVER_EIG_MODE_VECTOR;
    if (kind == 0)
      OK(syevd(T{}, kVectors, uplo, n, matrices.device, ld, values.device, work<T>(), kWork,
               info().device));
    else if (kind == 1)
      OK(syevj(T{}, kVectors, uplo, n, matrices.device, ld, values.device, work<T>(), kWork,
               info().device, params));
    else
      OK(syevjBatched(T{}, kVectors, uplo, n, matrices.device, ld, values.device, work<T>(), kWork,
                      info().device, params, count));
    const std::vector<Real<T>> w = values.get();
    if (kind == 0) first = w;
    for (int i = 0; i < (kind == 2 ? count : 1); ++i) {
      EXPECT(code(i) == 0);
      const Host v = read(matrices.get(), n, n, ld, i * ld * n);
      is_orthonormal<T>(__LINE__, v);
      Host scaled = v;
      for (int j = 0; j < n; ++j) {
        EXPECT(j == 0 || w[i * n + j - 1] <= w[i * n + j]);
        for (int l = 0; l < n; ++l) scaled(l, j) *= double(w[i * n + j]);
      }
      // The tolerance of syevj is wider than that of double.
      if (kind == 0)
        near<T>("syevd", __LINE__, as[i] * v, scaled, 20 + 4 * n);
      else
        near<float>("syevj", __LINE__, as[i] * v, scaled, 20 + 4 * n);
    }
  }
  int sweeps = 0;
  double residual = 1;
  OK(cusolverDnXsyevjGetSweeps(h, params, &sweeps));
  OK(cusolverDnXsyevjGetResidual(h, params, &residual));
  EXPECT(sweeps >= 0 && sweeps <= 20 && residual < 1e-4);
  OK(cusolverDnDestroySyevjInfo(params));
  put();
  OK(syevd(T{}, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, matrices.device, ld, values.device, work<T>(),
           kWork, info().device));
  EXPECT(values.get()[0] == first[0] && values.get()[n - 1] == first[n - 1]);
}

// Each type of problem: A x = w B x, A B x = w x, B A x = w x.
template <class T>
void test_generalized(int n, cublasFillMode_t uplo) {
  const int ld = n + 1, ldb = n + 2;
  const Host a = random_hermitian<T>(n), b = random_hermitian<T>(n, 2.0 * n);
  Array<T> matrix(ld * n), factor(ldb * n);
  Array<Real<T>> values(n);
  syevjInfo_t params;
  OK(cusolverDnCreateSyevjInfo(&params));
  for (const cusolverEigType_t type :
       {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3}) {
    constexpr auto kVectors = CUSOLVER_EIG_MODE_VECTOR;
    int size = 0;
    OK(sygvd_bufferSize(T{}, type, kVectors, uplo, n, matrix.device, ld, factor.device, ldb,
                        values.device, &size));
    EXPECT(size > 0 && size <= kWork);
    for (const bool jacobi : {false, true}) {
      write(matrix, a, ld);
      write(factor, b, ldb);
      if (jacobi)
        OK(sygvj(T{}, type, kVectors, uplo, n, matrix.device, ld, factor.device, ldb, values.device,
                 work<T>(), kWork, info().device, params));
      else
        OK(sygvd(T{}, type, kVectors, uplo, n, matrix.device, ld, factor.device, ldb, values.device,
                 work<T>(), kWork, info().device));
      EXPECT(code() == 0);
      const std::vector<Real<T>> w = values.get();
      const Host x = read(matrix.get(), n, n, ld);
      Host scaled = x;
      for (int j = 0; j < n; ++j) {
        EXPECT(j == 0 || w[j - 1] <= w[j]);
        for (int l = 0; l < n; ++l) scaled(l, j) *= double(w[j]);
      }
      const Host left = type == CUSOLVER_EIG_TYPE_1   ? a * x
                        : type == CUSOLVER_EIG_TYPE_2 ? a * (b * x)
                                                      : b * (a * x);
      near<T>("sygvd", __LINE__, left, type == CUSOLVER_EIG_TYPE_1 ? b * scaled : scaled,
              20 + 40.0 * n * n);
    }
  }
  OK(cusolverDnDestroySyevjInfo(params));
  // The second minor of B is not positive.
  if (n < 2) return;
  Host bad = b;
  bad(1, 1) = -1;
  write(factor, bad, ldb);
  OK(sygvd(T{}, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_NOVECTOR, uplo, n, matrix.device, ld,
           factor.device, ldb, values.device, work<T>(), kWork, info().device));
  EXPECT(code() == n + 2);
}

template <class T>
void check_decomposition(int line, const Host& a, const Host& u, const std::vector<Real<T>>& s,
                         const Host& vt) {
  const int k = std::min(a.rows, a.columns);
  is_orthonormal<T>(line, u);
  is_orthonormal<T>(line, turned(vt));
  Host scaled(k, a.columns), part(a.rows, k);
  for (int i = 0; i < k; ++i) {
    EXPECT(s[i] >= 0 && (i == 0 || s[i - 1] >= s[i]));
    for (int j = 0; j < a.columns; ++j) scaled(i, j) = double(s[i]) * vt(i, j);
    for (int j = 0; j < a.rows; ++j) part(j, i) = u(j, i);
  }
  near<T>("U S V^H", line, part * scaled, a, 20 + 4 * std::max(a.rows, a.columns));
}
template <class T>
void test_singular(int m, int n, bool deficient) {
  Host a = random_matrix<T>(m, n);
  if (deficient)
    for (int i = 0; i < m; ++i) a(i, n - 1) = a(i, 0);
  const int ld = m + 1;
  Array<T> matrix(ld * n), u(m * m), vt(n * n);
  Array<Real<T>> s(n);
  if (m >= n) {
    for (const char job : {'A', 'S'}) {
      write(matrix, a, ld);
      OK(gesvd(T{}, job, 'A', m, n, matrix.device, ld, s.device, u.device, m, vt.device, n,
               work<T>(), kWork, (Real<T>*)nullptr, info().device));
      EXPECT(code() == 0);
      check_decomposition<T>(__LINE__, a, read(u.get(), m, job == 'A' ? m : n, m), s.get(),
                             read(vt.get(), n, n, n));
    }
    write(matrix, a, ld);
    OK(gesvd(T{}, 'O', 'S', m, n, matrix.device, ld, s.device, u.device, m, vt.device, n, work<T>(),
             kWork, (Real<T>*)nullptr, info().device));
    check_decomposition<T>(__LINE__, a, read(matrix.get(), m, n, ld), s.get(),
                           read(vt.get(), n, n, n));
  }
  gesvdjInfo_t params;
  OK(cusolverDnCreateGesvdjInfo(&params));
  for (const int econ : {0, 1}) {
    write(matrix, a, ld);
    OK(gesvdj(T{}, CUSOLVER_EIG_MODE_VECTOR, econ, m, n, matrix.device, ld, s.device, u.device, m,
              vt.device, n, work<T>(), kWork, info().device, params));
    EXPECT(code() == 0);
    const int k = std::min(m, n);
    check_decomposition<T>(__LINE__, a, read(u.get(), m, econ ? k : m, m), s.get(),
                           turned(read(vt.get(), n, econ ? k : n, n)));
  }
  if (m <= 32 && n <= 32) {
    constexpr int kCount = 2;
    const int k = std::min(m, n);
    Array<T> many(ld * n * kCount), us(m * m * kCount), vs(n * n * kCount);
    Array<Real<T>> ss(k * kCount);
    std::vector<Host> as;
    for (int i = 0; i < kCount; ++i) {
      as.push_back(random_matrix<T>(m, n));
      write(many, as.back(), ld, i * ld * n);
    }
    OK(gesvdjBatched(T{}, CUSOLVER_EIG_MODE_VECTOR, m, n, many.device, ld, ss.device, us.device, m,
                     vs.device, n, work<T>(), kWork, info().device, params, kCount));
    const std::vector<Real<T>> lengths = ss.get();
    for (int i = 0; i < kCount; ++i)
      check_decomposition<T>(__LINE__, as[i], read(us.get(), m, m, m, i * m * m),
                             {lengths.begin() + i * k, lengths.begin() + (i + 1) * k},
                             turned(read(vs.get(), n, n, n, i * n * n)));
  }
  OK(cusolverDnDestroyGesvdjInfo(params));
}

template <class T>
void test_typed(int n) {
  constexpr cudaDataType kT = kType<T>, kR = kType<Real<T>>;
  cusolverDnParams_t params;
  OK(cusolverDnCreateParams(&params));
  OK(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
  const Host a = random_hermitian<T>(n, 2.0 * n), b = random_matrix<T>(n, 1);
  Array<T> matrix(n * n), side(n), u(n * n), vt(n * n);
  Array<Real<T>> values(n);
  std::int64_t* pivots;
  cudaMalloc(&pivots, n * sizeof *pivots);
  std::size_t device = 0, host = 1;
  OK(cusolverDnXgetrf_bufferSize(h, params, n, n, kT, matrix.device, n, kT, &device, &host));
  EXPECT(device > 0);
  const auto solved = [&](const char* what, int line) {
    near<T>(what, line, a * read(side.get(), n, 1, n), b, 8 + n);
  };
  write(matrix, a, n);
  write(side, b, n);
  OK(cusolverDnXgetrf(h, params, n, n, kT, matrix.device, n, pivots, kT, work<T>(), device, nullptr,
                      host, info().device));
  OK(cusolverDnXgetrs(h, params, CUBLAS_OP_N, n, 1, kT, matrix.device, n, pivots, kT, side.device,
                      n, info().device));
  solved("Xgetrs", __LINE__);
  write(matrix, a, n);
  write(side, b, n);
  OK(cusolverDnXpotrf(h, params, CUBLAS_FILL_MODE_LOWER, n, kT, matrix.device, n, kT, work<T>(),
                      device, nullptr, host, info().device));
  OK(cusolverDnXpotrs(h, params, CUBLAS_FILL_MODE_LOWER, n, 1, kT, matrix.device, n, kT,
                      side.device, n, info().device));
  solved("Xpotrs", __LINE__);
  write(matrix, a, n);
  OK(cusolverDnXgeqrf(h, params, n, n, kT, matrix.device, n, kT, side.device, kT, work<T>(), device,
                      nullptr, host, info().device));
  Host r = read(matrix.get(), n, n, n);
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) r(i, j) = 0;
  near<T>("Xgeqrf", __LINE__, turned(r) * r, a * a, 20 * n * n);
  write(matrix, a, n);
  OK(cusolverDnXsyevd(h, params, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, kT,
                      matrix.device, n, kR, values.device, kT, work<T>(), device, nullptr, host,
                      info().device));
  const std::vector<Real<T>> eigenvalues = values.get();
  OK(cusolverDnXgesvd(h, params, 'A', 'A', n, n, kT, matrix.device, n, kR, values.device, kT,
                      u.device, n, kT, vt.device, n, kT, work<T>(), device, nullptr, host,
                      info().device));
  check_decomposition<T>(__LINE__, a, read(u.get(), n, n, n), values.get(),
                         read(vt.get(), n, n, n));
  // The matrix is positive: its eigenvalues are its singular values.
  for (int i = 0; i < n; ++i)
    EXPECT(std::abs(eigenvalues[i] - values.get()[n - 1 - i]) <= tolerance<T>() * 8 * n);
  EXPECT(cusolverDnXpotrf(h, params, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_16F, matrix.device, n,
                          CUDA_R_16F, work<T>(), device, nullptr, host,
                          info().device) == CUSOLVER_STATUS_NOT_SUPPORTED);
  OK(cusolverDnDestroyParams(params));
  cudaFree(pivots);
}

void test_errors() {
  Array<float> a(16);
  float* const w = work<float>();
  int size = 0;
  cusolverDnHandle_t none = nullptr;
  EXPECT(cusolverDnSgetrf_bufferSize(none, 4, 4, a.device, 4, &size) ==
         CUSOLVER_STATUS_NOT_INITIALIZED);
  IS_INVALID(cusolverDnSgetrf_bufferSize(h, -1, 4, a.device, 4, &size));
  IS_INVALID(cusolverDnSgetrf_bufferSize(h, 4, 4, a.device, 3, &size));
  IS_INVALID(cusolverDnSpotrf(h, CUBLAS_FILL_MODE_FULL, 4, a.device, 4, w, kWork, info().device));
  IS_INVALID(cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 4, a.device, 4, w, 0, info().device));
  IS_INVALID(cusolverDnSgesvd_bufferSize(h, 3, 4, &size));
  OK(cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 0, nullptr, 1, nullptr, 0, info().device));
  OK(cusolverDnSgetrf(h, 0, 0, nullptr, 1, nullptr, nullptr, info().device));
  cudaStream_t stream, got = nullptr;
  cudaStreamCreate(&stream);
  OK(cusolverDnSetStream(h, stream));
  OK(cusolverDnGetStream(h, &got));
  EXPECT(got == stream);
  test_lu<float>(9, 9);
  OK(cusolverDnSetStream(h, nullptr));
  cudaStreamDestroy(stream);
}

template <class T>
void test_type() {
  for (const cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    test_cholesky<T>(random_in(1, 32), random_in(1, 4), uplo);
    test_cholesky<T>(random_in(33, 75), 2, uplo);
    test_batches<T>(random_in(1, 12), 3, uplo);
    test_eigen<T>(random_in(1, 14), uplo, 3);
    test_generalized<T>(random_in(1, 12), uplo);
  }
  test_lu<T>(random_in(1, 40), random_in(1, 40));
  test_lu<T>(random_in(33, 80), random_in(20, 70));
  const int n = random_in(35, 70);
  test_lu<T>(n, n);
  test_qr<T>(random_in(10, 30), random_in(1, 10));
  test_qr<T>(random_in(1, 10), random_in(11, 30));
  test_qr<T>(random_in(45, 50), random_in(33, 40));
  test_systems<T>(random_in(20, 40), random_in(1, 20), 2);
  test_systems<T>(n, n, 3);
  test_singular<T>(random_in(6, 18), random_in(2, 6), false);
  test_singular<T>(random_in(6, 18), random_in(2, 6), true);
  test_singular<T>(random_in(1, 6), random_in(6, 14), false);
  test_singular<T>(5, 1, false);
  test_typed<T>(random_in(2, 12));
}

// With an argument, half of the types.
int main(int argc, char**) {
  OK(cusolverDnCreate(&h));
  if (argc == 1) test_type<float>();
  if (argc == 1) test_type<cuDoubleComplex>();
  test_type<double>();
  test_type<cuComplex>();
  test_errors();
  OK(cusolverDnDestroy(h));
  return verdict();
}
