// cuBLAS: factors and inverses of batches, groups of products, vectors whose types are arguments,
// and updates of rank two.
#include <cublas_v2.h>

#include "conformance.h"

cublasHandle_t h;

#define WRAP(name, S, D, C, Z) \
  VARIANTS(cublasStatus_t, name, cublas##S, cublas##D, cublas##C, cublas##Z)
// clang-format off
WRAP(getrf, SgetrfBatched, DgetrfBatched, CgetrfBatched, ZgetrfBatched)
WRAP(getrs, SgetrsBatched, DgetrsBatched, CgetrsBatched, ZgetrsBatched)
WRAP(getri, SgetriBatched, DgetriBatched, CgetriBatched, ZgetriBatched)
WRAP(matinv, SmatinvBatched, DmatinvBatched, CmatinvBatched, ZmatinvBatched)
WRAP(syr2, Ssyr2, Dsyr2, Csyr2, Zsyr2)
WRAP(her2, Ssyr2, Dsyr2, Cher2, Zher2)
WRAP(her2k, Ssyr2k, Dsyr2k, Cher2k, Zher2k)
WRAP(herkx, Ssyrkx, Dsyrkx, Cherkx, Zherkx)
// clang-format on

// The addresses of parts of an array, in device memory.
template <class T>
struct Pointers {
  T** device = nullptr;
  Pointers(T* first, std::size_t stride, int count) {
    std::vector<T*> host;
    for (int i = 0; i < count; ++i) host.push_back(first + i * stride);
    cudaMalloc(&device, count * sizeof(T*));
    cudaMemcpy(device, host.data(), count * sizeof(T*), cudaMemcpyHostToDevice);
  }
  Pointers(const Pointers&) = delete;
  ~Pointers() { cudaFree(device); }
};

template <class T>
void test_factors(int n, bool pivots) {
  constexpr int count = 3;
  const int lda = n + 2, columns = 2;
  const std::size_t size = std::size_t(lda) * n;
  Array<T> a(size * count), b(std::size_t(lda) * columns * count), c(size * count);
  if (!pivots)  // or rows would have to move
    for (int m = 0; m < count; ++m)
      for (int i = 0; i < n; ++i) {
        T& value = a.host[m * size + i * (lda + 1)];
        if constexpr (is_complex<T>)
          value.x += float(n);
        else
          value += float(n);
      }
  a.put();
  const auto element = [&](int m, int i, int j) { return a.at(m * size + i + j * lda); };
  Pointers<T> as(a.device, size, count), bs(b.device, lda * columns, count),
      cs(c.device, size, count);
  int *order, *info, first_bad = 7;
  cudaMalloc(&order, n * count * sizeof(int));
  cudaMalloc(&info, count * sizeof(int));
  std::vector<int> infos(count, 7);
  const auto read_infos = [&] {
    cudaMemcpy(infos.data(), info, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (const int i : infos) EXPECT(i == 0);
  };
  const double allowed = tolerance<T>() * n * 50;
  if (n <= 32) {
    EXPECT(matinv(T{}, n, as.device, lda, cs.device, lda, info, count) == CUBLAS_STATUS_SUCCESS);
    read_infos();
    const std::vector<T> inverse = c.get();
    for (int m = 0; m < count; ++m)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          Number sum = 0, size_of_sum = 0;
          for (int k = 0; k < n; ++k) {
            const Number term = element(m, i, k) * number(inverse[m * size + k + j * lda]);
            sum += term, size_of_sum += std::abs(term);
          }
          EXPECT(std::abs(sum - Number(i == j)) <= allowed * (1 + std::abs(size_of_sum)));
        }
    c.put();
  }
  int* const used = pivots ? order : nullptr;
  EXPECT(getrf(T{}, n, as.device, lda, used, info, count) == CUBLAS_STATUS_SUCCESS);
  read_infos();
  EXPECT(getri(T{}, n, as.device, lda, used, cs.device, lda, info, count) == CUBLAS_STATUS_SUCCESS);
  read_infos();
  const std::vector<T> inverse = c.get();
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    b.put();
    EXPECT(getrs(T{}, op, n, columns, as.device, lda, used, bs.device, lda, &first_bad, count) ==
               CUBLAS_STATUS_SUCCESS &&
           first_bad == 0);
    const std::vector<T> x = b.get();
    for (int m = 0; m < count; ++m)
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < n; ++i) {
          const std::size_t column = std::size_t(m * columns + j) * lda;
          Number sum = 0;
          double size_of_sum = 0;
          for (int k = 0; k < n; ++k) {
            const Number value = op == CUBLAS_OP_N ? element(m, i, k) : element(m, k, i);
            const Number term =
                (op == CUBLAS_OP_C ? std::conj(value) : value) * number(x[column + k]);
            sum += term, size_of_sum += std::abs(term);
          }
          EXPECT(std::abs(sum - b.at(column + i)) <= allowed * (1 + size_of_sum));
        }
  }
  for (int m = 0; m < count; ++m)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Number sum = 0;
        double size_of_sum = 0;
        for (int k = 0; k < n; ++k) {
          const Number term = element(m, i, k) * number(inverse[m * size + k + j * lda]);
          sum += term, size_of_sum += std::abs(term);
        }
        EXPECT(std::abs(sum - Number(i == j)) <= allowed * (1 + size_of_sum));
      }
  cudaFree(order);
  cudaFree(info);
}

template <class T>
void test_updates(int n) {
  using R = Real<T>;
  const int lda = n + 1, k = 5;
  Array<T> x(n), y(n), p(lda * std::max(n, k)), q(lda * std::max(n, k));
  const T alpha = random_value<T>();
  const R beta = R(0.5);
  const Number f = number(alpha);
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (const bool hermitian : {false, true}) {
      const auto turned = [&](Number z) { return hermitian ? std::conj(z) : z; };
      const auto real = [&](Number z, int i, int j) {
        return hermitian && i == j ? Number(z.real()) : z;
      };
      const auto for_each_stored = [&](auto work) {
        for (int j = 0; j < n; ++j)
          for (int i = fill == CUBLAS_FILL_MODE_LOWER ? j : 0;
               i < (fill == CUBLAS_FILL_MODE_LOWER ? n : j + 1); ++i)
            work(i, j);
      };
      Array<T> a(lda * n);
      std::vector<Number> expected = numbers(a);
      for_each_stored([&](int i, int j) {
        Number& value = expected[i + j * lda];
        value = real(value + f * x.at(i) * turned(y.at(j)) + turned(f) * y.at(i) * turned(x.at(j)),
                     i, j);
      });
      EXPECT((hermitian ? her2(T{}, fill, n, &alpha, x.device, 1, y.device, 1, a.device, lda)
                        : syr2(T{}, fill, n, &alpha, x.device, 1, y.device, 1, a.device, lda)) ==
             CUBLAS_STATUS_SUCCESS);
      compare("rank two", __LINE__, a, expected);
      if (!hermitian) continue;
      Array<T> both(lda * n), one(lda * n);
      std::vector<Number> of_both = numbers(both), of_one = numbers(one);
      for_each_stored([&](int i, int j) {
        Number pq = 0, qp = 0;
        for (int l = 0; l < k; ++l) {
          pq += p.at(i + l * lda) * std::conj(q.at(j + l * lda));
          qp += q.at(i + l * lda) * std::conj(p.at(j + l * lda));
        }
        Number &b = of_both[i + j * lda], &o = of_one[i + j * lda];
        b = real(double(beta) * b + f * pq + std::conj(f) * qp, i, j);
        o = real(double(beta) * o + f * pq, i, j);
      });
      // A hermitian matrix has a real diagonal; what is stored beside it is not read.
      EXPECT(her2k(T{}, fill, CUBLAS_OP_N, n, k, &alpha, p.device, lda, q.device, lda, &beta,
                   both.device, lda) == CUBLAS_STATUS_SUCCESS);
      compare("her2k", __LINE__, both, of_both, k);
      EXPECT(herkx(T{}, fill, CUBLAS_OP_N, n, k, &alpha, p.device, lda, q.device, lda, &beta,
                   one.device, lda) == CUBLAS_STATUS_SUCCESS);
      compare("herkx", __LINE__, one, of_one, k);
    }
}

template <class T, class A>
void test_typed(cudaDataType type, cudaDataType compute) {
  constexpr bool complex = is_complex<T>;
  using R = Real<T>;
  const int n = 300;
  Array<T> x(n), y(n);
  const A alpha = random_value<A>();
  std::vector<Number> expected = numbers(y);
  Number dot = 0, dotc = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    dot += x.at(i) * y.at(i), dotc += std::conj(x.at(i)) * y.at(i);
    squares += std::norm(x.at(i));
    expected[i] += number(alpha) * x.at(i);
  }
  T result;
  R norm;
  const double allowed = tolerance<T>() * n;
  EXPECT(cublasDotEx(h, n, x.device, type, 1, y.device, type, 1, &result, type, compute) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT(std::abs(number(result) - dot) <= allowed);
  EXPECT(cublasDotcEx(h, n, x.device, type, 1, y.device, type, 1, &result, type, compute) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT(std::abs(number(result) - dotc) <= allowed);
  const cudaDataType real = type == CUDA_C_32F   ? CUDA_R_32F
                            : type == CUDA_C_64F ? CUDA_R_64F
                                                 : type;
  EXPECT(cublasNrm2Ex(h, n, x.device, type, 1, &norm, real, complex ? real : compute) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT(std::abs(number(norm).real() - std::sqrt(squares)) <= allowed);
  EXPECT(cublasAxpyEx(h, n, &alpha, compute, x.device, type, 1, y.device, type, 1, compute) ==
         CUBLAS_STATUS_SUCCESS);
  compare("AxpyEx", __LINE__, y, expected);
  for (int i = 0; i < n; ++i) expected[i] = number(alpha) * x.at(i);
  EXPECT(cublasScalEx(h, n, &alpha, compute, x.device, type, 1, compute) == CUBLAS_STATUS_SUCCESS);
  compare("ScalEx", __LINE__, x, expected);
}

void test_groups() {
  const cublasOperation_t plain[] = {CUBLAS_OP_N, CUBLAS_OP_N},
                          turned[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  const int m[] = {5, 17}, n[] = {7, 9}, k[] = {3, 8}, lda[] = {5, 17}, ldb[] = {3, 9},
            ldc[] = {5, 17}, sizes[] = {2, 1};
  const float alpha[] = {2, 0.5f}, beta[] = {0, 1};
  constexpr int count = 3, each = 17 * 9;
  Array<float> a(count * each), b(count * each), c(count * each);
  Pointers<float> as(a.device, each, count), bs(b.device, each, count), cs(c.device, each, count);
  std::vector<Number> expected = numbers(c);
  for (int p = 0; p < count; ++p) {
    const int g = p < 2 ? 0 : 1;
    for (int i = 0; i < m[g]; ++i)
      for (int j = 0; j < n[g]; ++j) {
        Number sum = 0;
        for (int l = 0; l < k[g]; ++l)
          sum += a.at(p * each + i + l * lda[g]) *
                 b.at(p * each + (g ? j + l * ldb[g] : l + j * ldb[g]));
        Number& value = expected[p * each + i + j * ldc[g]];
        value = double(alpha[g]) * sum + double(beta[g]) * value;
      }
  }
  EXPECT(cublasSgemmGroupedBatched(h, plain, turned, m, n, k, alpha, as.device, lda, bs.device, ldb,
                                   beta, cs.device, ldc, 2, sizes) == CUBLAS_STATUS_SUCCESS);
  compare("gemmGroupedBatched", __LINE__, c, expected, 8);
  c.put();
  EXPECT(cublasGemmGroupedBatchedEx(h, plain, turned, m, n, k, alpha,
                                    reinterpret_cast<void**>(as.device), CUDA_R_32F, lda,
                                    reinterpret_cast<void**>(bs.device), CUDA_R_32F, ldb, beta,
                                    reinterpret_cast<void**>(cs.device), CUDA_R_32F, ldc, 2, sizes,
                                    CUBLAS_COMPUTE_32F) == CUBLAS_STATUS_SUCCESS);
  compare("GemmGroupedBatchedEx", __LINE__, c, expected, 8);
}

void test_errors() {
  // The second row is twice the first.
  Array<float> a(4);
  a.host = {1, 2, 2, 4};
  a.put();
  Pointers<float> as(a.device, 4, 1);
  int *info, singular = 0, first_bad = 0;
  cudaMalloc(&info, sizeof(int));
  EXPECT(cublasSgetrfBatched(h, 2, as.device, 2, nullptr, info, 1) == CUBLAS_STATUS_SUCCESS);
  cudaMemcpy(&singular, info, sizeof singular, cudaMemcpyDeviceToHost);
  EXPECT(singular == 2);
  EXPECT(cublasSgetrfBatched(h, 2, as.device, 1, nullptr, info, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgetrsBatched(h, CUBLAS_OP_N, 2, 1, as.device, 2, nullptr, as.device, 1, &first_bad,
                             1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(first_bad == -8);
  EXPECT(cublasSmatinvBatched(h, 33, as.device, 33, as.device, 33, info, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  cudaFree(info);
  // The compute type of cuBLAS 10 is a type of elements.
  const float one = 1, zero = 0;
  Array<float> c(4);
  EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.device, CUDA_R_32F, 2, a.device,
                      CUDA_R_32F, 2, &zero, c.device, CUDA_R_32F, 2, CUDA_R_32F,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
}

template <class T>
void test_type() {
  for (const int n : {1, 2, 7, 32, 45})
    for (const bool pivots : {true, false}) test_factors<T>(n, pivots);
  test_updates<T>(1);
  test_updates<T>(37);
}

int main() {
  EXPECT(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
  test_type<float>();
  test_type<double>();
  test_type<cuComplex>();
  test_type<cuDoubleComplex>();
  test_typed<float, float>(CUDA_R_32F, CUDA_R_32F);
  test_typed<double, double>(CUDA_R_64F, CUDA_R_64F);
  test_typed<cuComplex, cuComplex>(CUDA_C_32F, CUDA_C_32F);
  test_typed<cuDoubleComplex, cuDoubleComplex>(CUDA_C_64F, CUDA_C_64F);
  test_typed<__half, float>(CUDA_R_16F, CUDA_R_32F);
  test_typed<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
  test_groups();
  test_errors();
  EXPECT(cublasDestroy(h) == CUBLAS_STATUS_SUCCESS);
  return verdict();
}
