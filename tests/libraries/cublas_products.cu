// cuBLAS: products of matrices of every type, layout and kind of batch.
#include <cublas_v2.h>

#include <algorithm>

#include "conformance.h"

cublasHandle_t h;

constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

struct Shape {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;
};
Shape random_shape(cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                   bool aligned) {
  const auto ld = [&](int rows) {
    return aligned ? (rows + 15) / 16 * 16 : rows + random_in(0, 3);
  };
  return {transa,
          transb,
          m,
          n,
          k,
          ld(std::max(1, transa == CUBLAS_OP_N ? m : k)),
          ld(std::max(1, transb == CUBLAS_OP_N ? k : n)),
          ld(std::max(1, m))};
}
int columns(cublasOperation_t op, int plain, int turned) {
  return std::max(1, op == CUBLAS_OP_N ? plain : turned);
}

template <class In, class Out>
std::vector<Number> expected(const Shape& s, Number alpha, const Array<In>& a, std::size_t from_a,
                             const Array<In>& b, std::size_t from_b, Number beta,
                             const Array<Out>& c, std::size_t from_c, std::vector<Number> result) {
  const auto at = [](const Array<In>& x, std::size_t from, int ld, cublasOperation_t op, int i,
                     int j) {
    const Number value = x.at(from + (op == CUBLAS_OP_N ? i + j * ld : j + i * ld));
    return op == CUBLAS_OP_C ? std::conj(value) : value;
  };
  for (int j = 0; j < s.n; ++j)
    for (int i = 0; i < s.m; ++i) {
      Number sum = 0;
      for (int l = 0; l < s.k; ++l)
        sum += at(a, from_a, s.lda, s.transa, i, l) * at(b, from_b, s.ldb, s.transb, l, j);
      Number& value = result[from_c + i + j * s.ldc];
      value = alpha * sum + (beta == 0.0 ? 0.0 : beta * c.at(from_c + i + j * s.ldc));
    }
  return result;
}

template <class In, class Scale, class Out>
void test_product(const char* what, const Shape& s, cublasComputeType_t compute, Scale alpha,
                  Scale beta, double allowed) {
  constexpr int count = 2;
  const std::size_t size_a = s.lda * columns(s.transa, s.k, s.m) + 16,
                    size_b = s.ldb * columns(s.transb, s.n, s.k) + 16,
                    size_c = s.ldc * std::max(1, s.n) + 16;
  Array<In> a(count * size_a), b(count * size_b);
  Array<Out> c(count * size_c);
  const std::vector<Number> first =
      expected(s, number(alpha), a, 0, b, 0, number(beta), c, 0, numbers(c));
  EXPECT(cublasGemmEx(h, s.transa, s.transb, s.m, s.n, s.k, &alpha, a.device, kType<In>, s.lda,
                      b.device, kType<In>, s.ldb, &beta, c.device, kType<Out>, s.ldc, compute,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  const double scale = s.k + 1;
  compare(what, __LINE__, c, first, scale, allowed);
  c.put();
  const std::vector<Number> both =
      expected(s, number(alpha), a, size_a, b, size_b, number(beta), c, size_c, first);
  EXPECT(cublasGemmStridedBatchedEx(h, s.transa, s.transb, s.m, s.n, s.k, &alpha, a.device,
                                    kType<In>, s.lda, size_a, b.device, kType<In>, s.ldb, size_b,
                                    &beta, c.device, kType<Out>, s.ldc, size_c, count, compute,
                                    CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  compare(what, __LINE__, c, both, scale, allowed);
  c.put();
  const void* pointers[] = {a.device,          a.device + size_a, b.device,
                            b.device + size_b, c.device,          c.device + size_c};
  void** list;
  cudaMalloc(&list, sizeof pointers);
  cudaMemcpy(list, pointers, sizeof pointers, cudaMemcpyHostToDevice);
  EXPECT(cublasGemmBatchedEx(h, s.transa, s.transb, s.m, s.n, s.k, &alpha, list, kType<In>, s.lda,
                             list + 2, kType<In>, s.ldb, &beta, list + 4, kType<Out>, s.ldc, count,
                             compute, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  compare(what, __LINE__, c, both, scale, allowed);
  cudaFree(list);
}

template <class In, class Scale, class Out>
void test_types(const char* what, cublasComputeType_t compute, double allowed) {
  const auto factor = [] { return random_value<Scale>(); };
  const Scale zero{};
  for (const auto transa : kOperations)
    for (const auto transb : kOperations)
      test_product<In, Scale, Out>(what,
                                   random_shape(transa, transb, random_in(1, 80), random_in(1, 80),
                                                random_in(1, 50), random_in(0, 1)),
                                   compute, factor(), random_in(0, 1) ? factor() : zero, allowed);
  // Whole tiles, and sums of nothing.
  test_product<In, Scale, Out>(what, random_shape(CUBLAS_OP_N, CUBLAS_OP_T, 64, 128, 64, true),
                               compute, factor(), zero, allowed);
  test_product<In, Scale, Out>(what, random_shape(CUBLAS_OP_T, CUBLAS_OP_N, 64, 64, 96, true),
                               compute, factor(), factor(), allowed);
  test_product<In, Scale, Out>(what, random_shape(CUBLAS_OP_N, CUBLAS_OP_N, 5, 6, 0, false),
                               compute, factor(), factor(), allowed);
}

// The larger tiles, which only many blocks have: the same product many times.
template <class T>
void test_large_tiles(const char* what, cublasOperation_t transa, cublasOperation_t transb, int m,
                      int n, int count, double allowed) {
  const Shape s = random_shape(transa, transb, m, n, 50, true);
  const std::size_t size_c = s.ldc * s.n;
  Array<T> a(s.lda * columns(s.transa, s.k, s.m)), b(s.ldb * columns(s.transb, s.n, s.k)),
      c(count * size_c);
  const float alpha = random_value<float>(), zero = 0;
  std::vector<Number> all = expected(s, number(alpha), a, 0, b, 0, 0, c, 0, numbers(c));
  for (int t = 1; t < count; ++t)
    for (int j = 0; j < s.n; ++j)
      std::copy_n(all.begin() + j * s.ldc, s.m, all.begin() + t * size_c + j * s.ldc);
  EXPECT(cublasGemmStridedBatchedEx(h, s.transa, s.transb, s.m, s.n, s.k, &alpha, a.device,
                                    kType<T>, s.lda, 0, b.device, kType<T>, s.ldb, 0, &zero,
                                    c.device, kType<T>, s.ldc, size_c, count, CUBLAS_COMPUTE_32F,
                                    CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  compare(what, __LINE__, c, all, s.k + 1, allowed);
}

// Blocks of a cluster share tiles: several rows and columns of tiles, the last ones cut; and more
// steps than are copied ahead.
template <class T>
void test_clusters(const char* what, cublasOperation_t transa, cublasOperation_t transb,
                   double allowed) {
  const float alpha = random_value<float>(), beta = random_value<float>();
  test_product<T, float, T>(what, random_shape(transa, transb, 400, 200, 20, true),
                            CUBLAS_COMPUTE_32F, alpha, 0.f, allowed);
  test_product<T, float, T>(what, random_shape(transa, transb, 140, 70, 600, true),
                            CUBLAS_COMPUTE_32F, alpha, beta, allowed);
  test_large_tiles<T>(what, transa, transb, 270, 150, 15, allowed);
}

template <class T, class Gemm>
void test_named(const char* what, Gemm gemm) {
  const Shape s = random_shape(CUBLAS_OP_T, CUBLAS_OP_N, 33, 18, 27, false);
  Array<T> a(s.lda * s.m), b(s.ldb * s.n), c(s.ldc * s.n);
  const T alpha = random_value<T>(), beta = random_value<T>();
  const auto result = expected(s, number(alpha), a, 0, b, 0, number(beta), c, 0, numbers(c));
  EXPECT(gemm(h, s.transa, s.transb, s.m, s.n, s.k, &alpha, a.device, s.lda, b.device, s.ldb, &beta,
              c.device, s.ldc) == CUBLAS_STATUS_SUCCESS);
  compare(what, __LINE__, c, result, s.k);
}

int main() {
  EXPECT(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const bool rounds = properties.major >= 8;
  test_types<float, float, float>("float", CUBLAS_COMPUTE_32F, 1e-6);
  test_types<float, float, float>("tf32", CUBLAS_COMPUTE_32F_FAST_TF32, rounds ? 1e-3 : 1e-6);
  test_types<double, double, double>("double", CUBLAS_COMPUTE_64F, 1e-14);
  test_types<cuComplex, cuComplex, cuComplex>("complex", CUBLAS_COMPUTE_32F, 1e-6);
  test_types<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>("double complex",
                                                                CUBLAS_COMPUTE_64F, 1e-14);
  test_types<__half, float, __half>("half", CUBLAS_COMPUTE_32F, 1e-3);
  test_types<__half, __half, __half>("half factors", CUBLAS_COMPUTE_16F, 1e-3);
  test_types<__half, float, float>("half to float", CUBLAS_COMPUTE_32F, 1e-6);
  test_types<__nv_bfloat16, float, __nv_bfloat16>("bfloat16", CUBLAS_COMPUTE_32F, 8e-3);
  test_types<__nv_bfloat16, float, float>("bfloat16 to float", CUBLAS_COMPUTE_32F, 1e-6);
  test_types<std::int8_t, int, int>("bytes", CUBLAS_COMPUTE_32I, 0);
  test_types<std::int8_t, float, float>("bytes to float", CUBLAS_COMPUTE_32F, 1e-6);
  for (const auto transa : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto transb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      test_large_tiles<float>("large tiles", transa, transb, 128, 64, 100, 1e-6);
      if (properties.major >= 9) test_clusters<__half>("clusters of halves", transa, transb, 1e-3);
    }
  if (properties.major >= 9)
    test_clusters<__nv_bfloat16>("clusters of bfloat16", CUBLAS_OP_N, CUBLAS_OP_N, 8e-3);
  test_named<float>("Sgemm", cublasSgemm);
  test_named<double>("Dgemm", cublasDgemm);
  test_named<cuComplex>("Cgemm3m", cublasCgemm3m);
  test_named<__half>("Hgemm", cublasHgemm);
  const float one = 1;
  EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, &one, CUDA_R_8I, 1, &one,
                      CUDA_R_32F, 1, &one, const_cast<float*>(&one), CUDA_R_32F, 1,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  cublasDestroy(h);
  return verdict();
}
