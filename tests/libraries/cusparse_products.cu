// cuSPARSE: products and sums of matrices, and errors.
#include "sparse_matrices.h"

// Stored values A and X of type In, results of type Out, computed in T.
template <class In, class T, class Out = In, class Index = int>
void test_spmv(int m, int n, cusparseFormat_t format, int base, cusparseOperation_t op,
               bool device_factors = false) {
  Random<In, Index> a(m, n, format, base);
  const int from = op == kN ? n : m, to = op == kN ? m : n;
  Array<In> x(from);
  Array<Out> y(to);
  Array<T> factors(2);
  cusparseDnVecDescr_t vx, vy;
  OK(cusparseCreateDnVec(&vx, from, x.device, kType<In>));
  OK(cusparseCreateDnVec(&vy, to, y.device, kType<Out>));
  const T *alpha = factors.host.data(), *beta = alpha + 1;
  if (device_factors) {
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
    alpha = factors.device;
    beta = alpha + 1;
  }
  std::size_t bytes = 0;
  OK(cusparseSpMV_bufferSize(h, op, alpha, a.descr, vx, beta, vy, kType<T>,
                             CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  OK(cusparseSpMV_preprocess(h, op, alpha, a.descr, vx, beta, vy, kType<T>,
                             CUSPARSE_SPMV_ALG_DEFAULT, buffer()));
  OK(cusparseSpMV(h, op, alpha, a.descr, vx, beta, vy, kType<T>, CUSPARSE_SPMV_ALG_DEFAULT,
                  buffer()));
  OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
  std::vector<Number> expected = numbers(y);
  for (int i = 0; i < to; ++i) {
    Number sum = 0;
    for (int j = 0; j < from; ++j) sum += a.at(op, i, j) * x.at(j);
    expected[i] = factors.at(0) * sum + factors.at(1) * expected[i];
  }
  compare("SpMV", __LINE__, y, expected, 1 + std::sqrt(from));
  OK(cusparseDestroyDnVec(vx));
  OK(cusparseDestroyDnVec(vy));
}

template <class T>
void test_spmm(int m, int k, int n, cusparseFormat_t format, cusparseOperation_t op_a,
               cusparseOperation_t op_b, cusparseOrder_t order_b, cusparseOrder_t order_c,
               int batches = 1) {
  Random<T> a(op_a == kN ? m : k, op_a == kN ? k : m, format);
  Dense<T> b(op_b == kN ? k : n, op_b == kN ? n : k, order_b, batches), c(m, n, order_c, batches);
  const T alpha = random_value<T>(), beta = random_value<T>();
  std::size_t bytes = 0;
  OK(cusparseSpMM_bufferSize(h, op_a, op_b, &alpha, a.descr, b.descr, &beta, c.descr, kType<T>,
                             CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  OK(cusparseSpMM(h, op_a, op_b, &alpha, a.descr, b.descr, &beta, c.descr, kType<T>,
                  CUSPARSE_SPMM_ALG_DEFAULT, buffer()));
  std::vector<Number> expected = numbers(c.data);
  for (int batch = 0; batch < batches; ++batch)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        Number sum = 0;
        for (int l = 0; l < k; ++l) sum += a.at(op_a, i, l) * b.at(op_b, l, j, batch);
        Number& out = expected[c.place(i, j, batch)];
        out = number(alpha) * sum + number(beta) * out;
      }
  compare("SpMM", __LINE__, c.data, expected, 1 + std::sqrt(k));
}

template <class T>
void test_sddmm(int m, int k, int n, cusparseFormat_t format, cusparseOperation_t op_a,
                cusparseOperation_t op_b) {
  Dense<T> a(op_a == kN ? m : k, op_a == kN ? k : m, CUSPARSE_ORDER_ROW);
  Dense<T> b(op_b == kN ? k : n, op_b == kN ? n : k, CUSPARSE_ORDER_COL);
  Random<T> c(m, n, format, 1);
  const T alpha = random_value<T>(), beta = random_value<T>();
  OK(cusparseSDDMM(h, op_a, op_b, &alpha, a.descr, b.descr, &beta, c.descr, kType<T>,
                   CUSPARSE_SDDMM_ALG_DEFAULT, buffer()));
  const std::vector<T> got = download(c.values_device, c.count());
  for (int e = 0; e < c.count(); ++e) {
    int i = c.majors[e] - 1, j = c.minors[e] - 1;
    if (format == CUSPARSE_FORMAT_CSC) std::swap(i, j);
    Number sum = 0;
    for (int l = 0; l < k; ++l) sum += a.at(op_a, i, l) * b.at(op_b, l, j);
    sum = number(alpha) * sum + number(beta) * number(c.values[e]);
    EXPECT(std::abs(number(got[e]) - sum) <= tolerance<T>() * (2 + k));
  }
}

template <class T>
void test_spgemm(int m, int k, int n, int base) {
  Random<T> a(m, k, CUSPARSE_FORMAT_CSR, base), b(k, n, CUSPARSE_FORMAT_CSR, 0, 20);
  const T alpha = random_value<T>(), beta{};
  int* offsets = nullptr;
  cudaMalloc(&offsets, (m + 1) * sizeof(int));
  cusparseSpMatDescr_t c;
  OK(cusparseCreateCsr(&c, m, n, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, kType<T>));
  cusparseSpGEMMDescr_t product;
  OK(cusparseSpGEMM_createDescr(&product));
  std::size_t bytes = 0;
  for (void* memory : {static_cast<void*>(nullptr), buffer()})
    OK(cusparseSpGEMM_workEstimation(h, kN, kN, &alpha, a.descr, b.descr, &beta, c, kType<T>,
                                     CUSPARSE_SPGEMM_DEFAULT, product, &bytes, memory));
  std::int64_t products = 0, expected_products = 0;
  OK(cusparseSpGEMM_getNumProducts(product, &products));
  for (void* memory : {static_cast<void*>(nullptr), buffer()})
    OK(cusparseSpGEMM_compute(h, kN, kN, &alpha, a.descr, b.descr, &beta, c, kType<T>,
                              CUSPARSE_SPGEMM_DEFAULT, product, &bytes, memory));
  std::int64_t rows, columns, count;
  OK(cusparseSpMatGetSize(c, &rows, &columns, &count));
  Array<int> indices(count);
  Array<T> values(count);
  OK(cusparseCsrSetPointers(c, offsets, indices.device, values.device));
  OK(cusparseSpGEMM_copy(h, kN, kN, &alpha, a.descr, b.descr, &beta, c, kType<T>,
                         CUSPARSE_SPGEMM_DEFAULT, product));
  const std::vector<int> starts = download(offsets, m + 1), places = indices.get();
  const std::vector<T> got = values.get();
  int at = 0;
  for (int i = 0; i < m; ++i) {
    EXPECT(starts[i] == at + 1);
    for (int j = 0; j < n; ++j) {
      Number sum = 0;
      int terms = 0;
      for (int l = 0; l < k; ++l) {
        if (a.at(kN, i, l) == 0.0 || b.at(kN, l, j) == 0.0) continue;
        sum += a.at(kN, i, l) * b.at(kN, l, j);
        ++terms;
      }
      expected_products += terms;
      if (terms == 0) continue;
      EXPECT(at < count && places[at] == j + 1 &&
             std::abs(number(got[at]) - number(alpha) * sum) <= tolerance<T>() * (1 + k));
      ++at;
    }
  }
  EXPECT(at == count && starts[m] == at + 1 && products == expected_products);
  OK(cusparseSpGEMM_destroyDescr(product));
  OK(cusparseDestroySpMat(c));
  cudaFree(offsets);
}

void test_sum(int m, int n) {
  Random<double> a(m, n, CUSPARSE_FORMAT_CSR, 1), b(m, n, CUSPARSE_FORMAT_CSR);
  cusparseMatDescr_t one, zero;
  OK(cusparseCreateMatDescr(&one));
  OK(cusparseCreateMatDescr(&zero));
  OK(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  const double alpha = 2, beta = -3;
  Array<int> offsets(m + 1);
  int total = 0;
  std::size_t bytes;
  OK(cusparseDcsrgeam2_bufferSizeExt(h, m, n, &alpha, one, a.count(), a.values_device,
                                     a.offsets_device, a.minors_device, &beta, zero, b.count(),
                                     b.values_device, b.offsets_device, b.minors_device, one,
                                     nullptr, offsets.device, nullptr, &bytes));
  OK(cusparseXcsrgeam2Nnz(h, m, n, one, a.count(), a.offsets_device, a.minors_device, zero,
                          b.count(), b.offsets_device, b.minors_device, one, offsets.device, &total,
                          buffer()));
  Array<int> indices(total);
  Array<double> values(total);
  OK(cusparseDcsrgeam2(h, m, n, &alpha, one, a.count(), a.values_device, a.offsets_device,
                       a.minors_device, &beta, zero, b.count(), b.values_device, b.offsets_device,
                       b.minors_device, one, values.device, offsets.device, indices.device,
                       buffer()));
  const std::vector<int> starts = offsets.get(), places = indices.get();
  const std::vector<double> got = values.get();
  int at = 0;
  for (int i = 0; i < m; ++i) {
    EXPECT(starts[i] == at + 1);
    for (int j = 0; j < n; ++j) {
      const Number left = a.at(kN, i, j), right = b.at(kN, i, j);
      if (left == 0.0 && right == 0.0) continue;
      EXPECT(at < total && places[at] == j + 1 &&
             std::abs(got[at] - alpha * left - beta * right) < 1e-12);
      ++at;
    }
  }
  EXPECT(at == total);
  Array<int> counts(m);
  Dense<double> d(m, n, CUSPARSE_ORDER_COL);
  OK(cusparseSparseToDense(h, a.descr, d.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer()));
  OK(cusparseDnnz(h, CUSPARSE_DIRECTION_ROW, m, n, zero, d.data.device, d.ld, counts.device,
                  &total));
  EXPECT(total == a.count());
  for (int i = 0; i < m; ++i) EXPECT(counts.get()[i] == a.offsets[i + 1] - a.offsets[i]);
  OK(cusparseDestroyMatDescr(one));
  OK(cusparseDestroyMatDescr(zero));
}

void test_errors() {
  cusparseHandle_t none = nullptr;
  EXPECT(cusparseSetStream(none, nullptr) == CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(std::string(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)) ==
         "CUSPARSE_STATUS_ZERO_PIVOT");
  EXPECT(std::string(cusparseGetErrorString(CUSPARSE_STATUS_ALLOC_FAILED)) == "out of memory");
  cusparseSpMatDescr_t made = nullptr;
  IS_INVALID(cusparseCreateCsr(&made, -1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  IS_INVALID(cusparseCreateCsr(&made, 4, 4, 2, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusparseDnMatDescr_t matrix = nullptr;
  IS_INVALID(cusparseCreateDnMat(&matrix, 4, 4, 3, buffer(), CUDA_R_32F, CUSPARSE_ORDER_COL));
  Random<float> a(5, 7, CUSPARSE_FORMAT_CSR);
  Array<float> x(7), y(5);
  cusparseDnVecDescr_t vx, vy;
  OK(cusparseCreateDnVec(&vx, 7, x.device, CUDA_R_32F));
  OK(cusparseCreateDnVec(&vy, 5, y.device, CUDA_R_32F));
  const float one = 1;
  const auto multiply = [&](cusparseOperation_t op, const void* alpha, cudaDataType compute) {
    return cusparseSpMV(h, op, alpha, a.descr, vx, &one, vy, compute, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer());
  };
  OK(multiply(kN, &one, CUDA_R_32F));
  IS_INVALID(multiply(kN, nullptr, CUDA_R_32F));
  IS_INVALID(multiply(CUSPARSE_OPERATION_TRANSPOSE, &one, CUDA_R_32F));
  EXPECT(multiply(kN, &one, CUDA_C_64F) == CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT(multiply(kN, &one, CUDA_R_32I) == CUSPARSE_STATUS_NOT_SUPPORTED);
  std::int64_t rows, columns, count;
  void *offsets, *indices, *values;
  cusparseIndexType_t offsets_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  OK(cusparseCsrGet(a.descr, &rows, &columns, &count, &offsets, &indices, &values, &offsets_type,
                    &index_type, &base, &type));
  EXPECT(rows == 5 && columns == 7 && count == a.count() && values == a.values_device &&
         type == CUDA_R_32F && index_type == CUSPARSE_INDEX_32I);
  EXPECT(cusparseCooGet(a.descr, &rows, &columns, &count, &offsets, &indices, &values, &index_type,
                        &base, &type) == CUSPARSE_STATUS_INVALID_VALUE);
  OK(cusparseDestroyDnVec(vx));
  OK(cusparseDestroyDnVec(vy));
}

int main() {
  OK(cusparseCreate(&h));
  for (const cusparseFormat_t format : kFormats) {
    for (const cusparseOperation_t op : kOperations) {
      const int m = random_in(1, 90), n = random_in(1, 90);
      test_spmv<float, float>(m, n, format, 0, op);
      test_spmv<double, double, double, std::int64_t>(m, n, format, 1, op);
      test_spmv<cuComplex, cuComplex>(m, n, format, 1, op, true);
      test_spmv<cuDoubleComplex, cuDoubleComplex>(m, n, format, 0, op);
      test_spmv<__half, float>(m, n, format, 0, op);
      test_spmv<__nv_bfloat16, float, float>(m, n, format, 0, op);
      const cusparseOrder_t b = kOrders[random_in(0, 1)], c = kOrders[random_in(0, 1)];
      test_spmm<float>(random_in(1, 40), random_in(1, 40), random_in(1, 20), format, op,
                       kOperations[random_in(0, 1)], b, c);
      test_spmm<cuDoubleComplex>(random_in(1, 30), random_in(1, 30), random_in(1, 9), format, op,
                                 kOperations[random_in(0, 2)], c, b, random_in(1, 3));
    }
    test_sddmm<float>(random_in(1, 30), random_in(1, 30), random_in(1, 30), format, kN, kN);
    test_sddmm<cuComplex>(random_in(1, 30), random_in(1, 30), random_in(1, 30), format,
                          CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  }
  test_spmv<float, float>(3, 2, CUSPARSE_FORMAT_CSR, 0, kN);
  test_spmv<float, float>(0, 5, CUSPARSE_FORMAT_CSR, 0, kN);
  test_spgemm<float>(40, 30, 50, 0);
  test_spgemm<cuDoubleComplex>(9, 300, 520, 1);
  test_sum(30, 40);
  test_errors();
  OK(cusparseDestroy(h));
  return verdict();
}
