// cuBLAS: vectors, matrices and vectors, triangular systems, modes and errors.
#include <cublas_v2.h>

#include "conformance.h"

cublasHandle_t h;

#define WRAP_REDUCTION(name, S, D, C, Z) \
  VARIANTS(cublasStatus_t, name, cublas##S, cublas##D, cublas##C, cublas##Z)
#define WRAP(name) WRAP_REDUCTION(name, S##name, D##name, C##name, Z##name)
// clang-format off
WRAP(axpy) WRAP(scal) WRAP(copy) WRAP(swap) WRAP(gemv) WRAP(symv) WRAP(syr) WRAP(trmv) WRAP(trsv)
WRAP(geam) WRAP(dgmm) WRAP(symm) WRAP(syrk) WRAP(syr2k) WRAP(trmm) WRAP(trsm) WRAP(gemvBatched)
WRAP(gemvStridedBatched) WRAP(trsmBatched)
WRAP_REDUCTION(dotu, Sdot, Ddot, Cdotu, Zdotu)
WRAP_REDUCTION(asum, Sasum, Dasum, Scasum, Dzasum)
WRAP_REDUCTION(nrm2, Snrm2, Dnrm2, Scnrm2, Dznrm2)
WRAP_REDUCTION(amax, Isamax, Idamax, Icamax, Izamax)
WRAP_REDUCTION(amin, Isamin, Idamin, Icamin, Izamin)
WRAP_REDUCTION(ger, Sger, Dger, Cgeru, Zgeru)
    // clang-format on

    constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasDiagType_t kDiagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
constexpr cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

Number operated(Number x, cublasOperation_t op) { return op == CUBLAS_OP_C ? std::conj(x) : x; }
// Element (i, j) of op(A).
template <class T>
Number at(const Array<T>& a, int ld, cublasOperation_t op, int i, int j) {
  return op == CUBLAS_OP_N ? a.at(i + j * ld) : operated(a.at(j + i * ld), op);
}
bool is_stored(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}
template <class T>
Number mirrored(const Array<T>& a, int ld, cublasFillMode_t fill, int i, int j) {
  return is_stored(fill, i, j) ? a.at(i + j * ld) : a.at(j + i * ld);
}
template <class T>
Number triangular(const Array<T>& a, int ld, cublasFillMode_t fill, cublasOperation_t op,
                  cublasDiagType_t diag, int i, int j) {
  if (op != CUBLAS_OP_N) std::swap(i, j);
  if (i == j && diag == CUBLAS_DIAG_UNIT) return 1;
  return is_stored(fill, i, j) ? operated(a.at(i + j * ld), op) : 0;
}
// Position of element i of a vector of n elements.
std::size_t place(int i, int n, int inc) { return inc > 0 ? i * inc : (n - 1 - i) * -inc; }
std::size_t room(int n, int inc) { return std::max(1, n) * std::abs(inc) + 2; }

template <class T>
void test_vectors(int n, int incx, int incy) {
  Array<T> x(room(n, incx)), y(room(n, incy));
  const T alpha = random_value<T>();
  std::vector<Number> left = numbers(x), right = numbers(y);
  EXPECT(axpy(T{}, n, &alpha, x.device, incx, y.device, incy) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < n; ++i) right[place(i, n, incy)] += number(alpha) * left[place(i, n, incx)];
  compare("axpy", __LINE__, y, right);
  T sum{};
  y.put();
  right = numbers(y);
  EXPECT(dotu(T{}, n, x.device, incx, y.device, incy, &sum) == CUBLAS_STATUS_SUCCESS);
  Number expected = 0;
  for (int i = 0; i < n; ++i) expected += left[place(i, n, incx)] * right[place(i, n, incy)];
  EXPECT(std::abs(number(sum) - expected) <= tolerance<T>() * (1 + n));
  EXPECT(swap(T{}, n, x.device, incx, y.device, incy) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < n; ++i) std::swap(left[place(i, n, incx)], right[place(i, n, incy)]);
  compare("swap", __LINE__, x, left);
  compare("swap", __LINE__, y, right);
  EXPECT(copy(T{}, n, x.device, incx, y.device, incy) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < n; ++i) right[place(i, n, incy)] = left[place(i, n, incx)];
  compare("copy", __LINE__, y, right);
  if (incx < 0) return;
  x.put();
  left = numbers(x);
  double absolute = 0, square = 0, most = -1, least = 1e9;
  int largest = 0, smallest = 0;
  for (int i = 0; i < n; ++i) {
    const Number value = left[i * incx];
    const double size = std::abs(value.real()) + std::abs(value.imag());
    absolute += size;
    square += std::norm(value);
    if (size > most) most = size, largest = i + 1;
    if (size < least) least = size, smallest = i + 1;
  }
  Real<T> total = 0, length = 0;
  int high = -1, low = -1;
  EXPECT(asum(T{}, n, x.device, incx, &total) == CUBLAS_STATUS_SUCCESS);
  EXPECT(nrm2(T{}, n, x.device, incx, &length) == CUBLAS_STATUS_SUCCESS);
  EXPECT(amax(T{}, n, x.device, incx, &high) == CUBLAS_STATUS_SUCCESS);
  EXPECT(amin(T{}, n, x.device, incx, &low) == CUBLAS_STATUS_SUCCESS);
  EXPECT(std::abs(total - absolute) <= tolerance<T>() * (1 + absolute));
  EXPECT(std::abs(length - std::sqrt(square)) <= tolerance<T>() * (1 + absolute));
  EXPECT(high == largest && low == smallest);
  EXPECT(scal(T{}, n, &alpha, x.device, incx) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < n; ++i) left[i * incx] *= number(alpha);
  compare("scal", __LINE__, x, left);
}

template <class T>
void test_matrix_vector(int m, int n, int incx, int incy) {
  const int lda = std::max(1, m) + random_in(0, 3);
  Array<T> a(std::max(1, lda * n));
  const T alpha = random_value<T>(), beta = random_value<T>();
  for (const auto op : kOperations) {
    const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
    Array<T> x(room(columns, incx)), y(room(rows, incy));
    std::vector<Number> expected = numbers(y);
    for (int i = 0; i < rows && m && n; ++i) {
      Number sum = 0;
      for (int j = 0; j < columns; ++j) sum += at(a, lda, op, i, j) * x.at(place(j, columns, incx));
      Number& value = expected[place(i, rows, incy)];
      value = number(alpha) * sum + number(beta) * value;
    }
    EXPECT(gemv(T{}, op, m, n, &alpha, a.device, lda, x.device, incx, &beta, y.device, incy) ==
           CUBLAS_STATUS_SUCCESS);
    compare("gemv", __LINE__, y, expected, columns + 1);
  }
  Array<T> x(room(m, incx)), y(room(n, incy));
  std::vector<Number> expected = numbers(a);
  EXPECT(ger(T{}, m, n, &alpha, x.device, incx, y.device, incy, a.device, lda) ==
         CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      expected[i + j * lda] += number(alpha) * x.at(place(i, m, incx)) * y.at(place(j, n, incy));
  compare("ger", __LINE__, a, expected);
}

template <class T>
void test_triangles(int n, int inc) {
  const int lda = n + 1;
  Array<T> a(lda * n);
  const T alpha = random_value<T>(), beta = random_value<T>();
  for (int i = 0; i < n; ++i)
    a.host[i + i * lda] = [] {
      if constexpr (is_complex<T>)
        return T{4, 1};
      else
        return T(4);
    }();
  for (T& value : a.host) {
    if constexpr (is_complex<T>)
      value.x /= 4, value.y /= 4;
    else
      value /= 4;
  }
  a.put();
  for (const auto fill : kFills) {
    Array<T> x(room(n, inc)), y(room(n, inc));
    std::vector<Number> expected = numbers(y);
    for (int i = 0; i < n; ++i) {
      Number sum = 0;
      for (int j = 0; j < n; ++j) sum += mirrored(a, lda, fill, i, j) * x.at(place(j, n, inc));
      Number& value = expected[place(i, n, inc)];
      value = number(alpha) * sum + number(beta) * value;
    }
    EXPECT(symv(T{}, fill, n, &alpha, a.device, lda, x.device, inc, &beta, y.device, inc) ==
           CUBLAS_STATUS_SUCCESS);
    compare("symv", __LINE__, y, expected, n);
    for (const auto op : kOperations)
      for (const auto diag : kDiagonals) {
        Array<T> z(room(n, inc));
        std::vector<Number> product = numbers(z);
        for (int i = 0; i < n; ++i) {
          Number sum = 0;
          for (int j = 0; j < n; ++j)
            sum += triangular(a, lda, fill, op, diag, i, j) * z.at(place(j, n, inc));
          product[place(i, n, inc)] = sum;
        }
        const std::vector<Number> before = numbers(z);
        EXPECT(trmv(T{}, fill, op, diag, n, a.device, lda, z.device, inc) == CUBLAS_STATUS_SUCCESS);
        compare("trmv", __LINE__, z, product, n);
        EXPECT(trsv(T{}, fill, op, diag, n, a.device, lda, z.device, inc) == CUBLAS_STATUS_SUCCESS);
        compare("trsv", __LINE__, z, before, 50);
      }
    Array<T> s(lda * n);
    expected = numbers(s);
    EXPECT(syr(T{}, fill, n, &alpha, x.device, inc, s.device, lda) == CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (is_stored(fill, i, j))
          expected[i + j * lda] += number(alpha) * x.at(place(i, n, inc)) * x.at(place(j, n, inc));
    compare("syr", __LINE__, s, expected);
  }
}

template <class T>
void test_level_three(int m, int n) {
  const int k = random_in(1, 40), order = std::max(m, n), lda = std::max(order, k) + 2,
            ldb = std::max(order, k) + 1, ldc = order + 3;
  Array<T> a(lda * std::max(order, k)), b(ldb * std::max(order, k));
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j < order; ++j) {
      T& value = a.host[i + j * lda];
      const double size = i == j ? 1.5 : 0.1;
      if constexpr (is_complex<T>)
        value.x = i == j ? size : value.x * size, value.y *= size;
      else
        value = i == j ? size : value * size;
    }
  }
  a.put();
  const T alpha = random_value<T>(), beta = random_value<T>();
  for (const auto fill : kFills) {
    for (const auto side : kSides) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const int inner = left ? m : n;
      Array<T> c(ldc * n);
      std::vector<Number> expected = numbers(c);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          Number sum = 0;
          for (int l = 0; l < inner; ++l)
            sum += left ? mirrored(a, lda, fill, i, l) * b.at(l + j * ldb)
                        : b.at(i + l * ldb) * mirrored(a, lda, fill, l, j);
          expected[i + j * ldc] = number(alpha) * sum + number(beta) * expected[i + j * ldc];
        }
      EXPECT(symm(T{}, side, fill, m, n, &alpha, a.device, lda, b.device, ldb, &beta, c.device,
                  ldc) == CUBLAS_STATUS_SUCCESS);
      compare("symm", __LINE__, c, expected, inner);
      for (const auto op : kOperations)
        for (const auto diag : kDiagonals) {
          Array<T> d(ldc * n);
          std::vector<Number> product = numbers(d), before = product;
          for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
              Number sum = 0;
              for (int l = 0; l < inner; ++l)
                sum += left ? triangular(a, lda, fill, op, diag, i, l) * d.at(l + j * ldc)
                            : d.at(i + l * ldc) * triangular(a, lda, fill, op, diag, l, j);
              product[i + j * ldc] = sum;
            }
          const T one = [] {
            if constexpr (is_complex<T>)
              return T{1, 0};
            else
              return T(1);
          }();
          EXPECT(trmm(T{}, side, fill, op, diag, m, n, &one, a.device, lda, d.device, ldc, d.device,
                      ldc) == CUBLAS_STATUS_SUCCESS);
          compare("trmm", __LINE__, d, product, inner);
          EXPECT(trsm(T{}, side, fill, op, diag, m, n, &alpha, a.device, lda, d.device, ldc) ==
                 CUBLAS_STATUS_SUCCESS);
          for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) before[i + j * ldc] *= number(alpha);
          compare("trsm", __LINE__, d, before, 200);
        }
    }
    for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      Array<T> c(ldc * n);
      std::vector<Number> once = numbers(c), twice = once;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          if (!is_stored(fill, i, j)) continue;
          Number one = 0, two = 0;
          for (int l = 0; l < k; ++l) {
            const bool plain = op == CUBLAS_OP_N;
            const Number ai = plain ? a.at(i + l * lda) : a.at(l + i * lda);
            const Number aj = plain ? a.at(j + l * lda) : a.at(l + j * lda);
            const Number bi = plain ? b.at(i + l * ldb) : b.at(l + i * ldb);
            const Number bj = plain ? b.at(j + l * ldb) : b.at(l + j * ldb);
            one += ai * aj;
            two += ai * bj + bi * aj;
          }
          once[i + j * ldc] = number(alpha) * one + number(beta) * once[i + j * ldc];
          twice[i + j * ldc] = number(alpha) * two + number(beta) * twice[i + j * ldc];
        }
      EXPECT(syrk(T{}, fill, op, n, k, &alpha, a.device, lda, &beta, c.device, ldc) ==
             CUBLAS_STATUS_SUCCESS);
      compare("syrk", __LINE__, c, once, k);
      c.put();
      EXPECT(syr2k(T{}, fill, op, n, k, &alpha, a.device, lda, b.device, ldb, &beta, c.device,
                   ldc) == CUBLAS_STATUS_SUCCESS);
      compare("syr2k", __LINE__, c, twice, k);
    }
  }
  for (const auto first : kOperations)
    for (const auto second : kOperations) {
      Array<T> c(ldc * n);
      std::vector<Number> expected = numbers(c);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
          expected[i + j * ldc] =
              number(alpha) * at(a, lda, first, i, j) + number(beta) * at(b, ldb, second, i, j);
      EXPECT(geam(T{}, first, second, m, n, &alpha, a.device, lda, &beta, b.device, ldb, c.device,
                  ldc) == CUBLAS_STATUS_SUCCESS);
      compare("geam", __LINE__, c, expected);
    }
  Array<T> c(ldc * n), x(2 * order);
  std::vector<Number> expected = numbers(c);
  EXPECT(dgmm(T{}, CUBLAS_SIDE_RIGHT, m, n, b.device, ldb, x.device, 2, c.device, ldc) ==
         CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) expected[i + j * ldc] = b.at(i + j * ldb) * x.at(2 * j);
  compare("dgmm", __LINE__, c, expected);
}

template <class T>
void test_type() {
  for (const int n : {0, 1, 37, 5000})
    test_vectors<T>(n, random_in(1, 3), random_in(0, 1) ? 2 : -1);
  test_vectors<T>(50, -2, -3);
  test_matrix_vector<T>(random_in(1, 70), random_in(1, 50), 2, -1);
  test_matrix_vector<T>(0, 3, 1, 1);
  test_matrix_vector<T>(40, 33, -1, 2);
  test_triangles<T>(random_in(5, 40), 1);
  test_triangles<T>(7, -2);
  test_level_three<T>(random_in(1, 20), random_in(1, 12));
  test_level_three<T>(40, 37);
}

void test_batches() {
  constexpr int n = 5, count = 3;
  Array<float> a(n * n * count), x(n * count), y(n * count), s(n * n * count);
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n; ++i) a.host[b * n * n + i * (n + 1)] = 3;
  a.put();
  const float one = 1, zero = 0;
  EXPECT(cublasSgemvStridedBatched(h, CUBLAS_OP_T, n, n, &one, a.device, n, n * n, x.device, 1, n,
                                   &zero, y.device, 1, n, count) == CUBLAS_STATUS_SUCCESS);
  std::vector<Number> expected(n * count);
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        expected[b * n + i] += a.at(b * n * n + i * n + j) * x.at(b * n + j);
  compare("gemvStridedBatched", __LINE__, y, expected);
  const float* matrices[count];
  float *vectors[count], *results[count];
  for (int b = 0; b < count; ++b) {
    matrices[b] = a.device + b * n * n;
    vectors[b] = x.device + b * n;
    results[b] = y.device + b * n;
  }
  const float** as;
  float **xs, **ys;
  cudaMalloc(&as, sizeof matrices);
  cudaMalloc(&xs, sizeof vectors);
  cudaMalloc(&ys, sizeof results);
  cudaMemcpy(as, matrices, sizeof matrices, cudaMemcpyHostToDevice);
  cudaMemcpy(xs, vectors, sizeof vectors, cudaMemcpyHostToDevice);
  cudaMemcpy(ys, results, sizeof results, cudaMemcpyHostToDevice);
  cudaMemset(y.device, 0, n * count * sizeof(float));
  EXPECT(cublasSgemvBatched(h, CUBLAS_OP_T, n, n, &one, as, n, xs, 1, &zero, ys, 1, count) ==
         CUBLAS_STATUS_SUCCESS);
  compare("gemvBatched", __LINE__, y, expected);
  // L x = y gives back what L was multiplied with.
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n; ++i) {
      expected[b * n + i] = x.at(b * n + i);
      Number sum = 0;
      for (int j = 0; j <= i; ++j) sum += a.at(b * n * n + i + j * n) * x.at(b * n + j);
      y.host[b * n + i] = static_cast<float>(sum.real());
    }
  y.put();
  EXPECT(cublasStrsmBatched(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                            CUBLAS_DIAG_NON_UNIT, n, 1, &one, as, n, ys, n,
                            count) == CUBLAS_STATUS_SUCCESS);
  compare("trsmBatched", __LINE__, y, expected, 10);
}

void test_modes_and_errors() {
  Array<float> x(64), result(2);
  float value = 2;
  EXPECT(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  cudaMemcpy(result.device, &value, sizeof value, cudaMemcpyHostToDevice);
  EXPECT(cublasSscal(h, 64, result.device, x.device, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSasum(h, 64, x.device, 1, result.device + 1) == CUBLAS_STATUS_SUCCESS);
  double expected = 0;
  for (const float v : x.host) expected += 2 * std::abs(v);
  EXPECT(std::abs(result.get()[1] - expected) < 1e-3);
  cublasPointerMode_t mode;
  EXPECT(cublasGetPointerMode(h, &mode) == CUBLAS_STATUS_SUCCESS);
  EXPECT(mode == CUBLAS_POINTER_MODE_DEVICE);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);

  // Squares beyond the range of the type.
  Array<float> large(2);
  large.host = {3e30f, 4e30f};
  large.put();
  EXPECT(cublasSnrm2(h, 2, large.device, 1, &value) == CUBLAS_STATUS_SUCCESS);
  EXPECT(std::abs(value / 5e30f - 1) < 1e-6);

  cudaStream_t stream, same;
  cudaStreamCreate(&stream);
  EXPECT(cublasSetStream(h, stream) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGetStream(h, &same) == CUBLAS_STATUS_SUCCESS && same == stream);
  EXPECT(cublasSasum(h, 64, x.device, 1, &value) == CUBLAS_STATUS_SUCCESS);
  EXPECT(std::abs(value - expected) < 1e-3);
  cublasSetStream(h, nullptr);
  cudaStreamDestroy(stream);

  const float one = 1, zero = 0;
  const float* none = nullptr;
  EXPECT(cublasSaxpy(nullptr, 1, &one, x.device, 1, x.device, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one, x.device, 1, x.device, 1, &zero,
                     x.device, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, 1, &one, x.device, 3, x.device, 1, &zero,
                     x.device, 4) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgemv(h, CUBLAS_OP_N, 2, 2, &one, x.device, 2, x.device, 0, &zero, x.device, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, 1, &one, none, 1, none, 1, &zero, x.device,
                     1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS);
  cublasMath_t math;
  EXPECT(cublasGetMathMode(h, &math) == CUBLAS_STATUS_SUCCESS);
  EXPECT(math == CUBLAS_TF32_TENSOR_OP_MATH);
  cublasSetMathMode(h, CUBLAS_DEFAULT_MATH);
  int version = 0;
  EXPECT(cublasGetVersion(h, &version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION);
  EXPECT(std::string(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED)) ==
         "CUBLAS_STATUS_NOT_SUPPORTED");

  // What is absent says so when it is called.
  EXPECT(cublasCherkEx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 1, 1, &one, x.device, CUDA_C_32F, 1,
                       &zero, x.device, CUDA_C_32F, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
  const auto absent = &cublasCherkEx;
  cublasStatus_t (*const pointer)(cublasHandle_t, int) = cublasCherkEx;
  EXPECT(absent(h, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(pointer(h, 1) == CUBLAS_STATUS_NOT_SUPPORTED);

  const float matrix[] = {1, 2, 3, 4, 5, 6};
  float back[4] = {};
  EXPECT(cublasSetMatrix(2, 2, sizeof(float), matrix, 3, x.device, 4) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGetMatrix(2, 2, sizeof(float), x.device, 4, back, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT(back[0] == 1 && back[1] == 2 && back[2] == 4 && back[3] == 5);
  EXPECT(cublasSetVector(3, sizeof(float), matrix, 2, x.device, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGetVector(3, sizeof(float), x.device, 1, back, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(back[0] == 1 && back[1] == 3 && back[2] == 5);
}

int main() {
  EXPECT(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
  test_type<float>();
  test_type<double>();
  test_type<cuComplex>();
  test_type<cuDoubleComplex>();
  test_batches();
  test_modes_and_errors();
  EXPECT(cublasDestroy(h) == CUBLAS_STATUS_SUCCESS);
  return verdict();
}
