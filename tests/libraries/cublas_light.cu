// cublasLt: layouts, batches, epilogues, what the heuristics return, attributes.
#include <cublasLt.h>

#include <utility>

#include "conformance.h"

cublasLtHandle_t h;

template <class Value>
void set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, Value value) {
  EXPECT(cublasLtMatmulDescSetAttribute(d, attribute, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS);
}
template <class Value>
void set(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute, Value value) {
  EXPECT(cublasLtMatrixLayoutSetAttribute(l, attribute, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS);
}

// A matrix with its layout; element (i, j) of batch b.
template <class T>
struct Matrix {
  int rows, columns, ld, stride;
  bool by_rows;
  Array<T> data;
  cublasLtMatrixLayout_t layout = nullptr;
  Matrix(int rows, int columns, bool by_rows, int count)
      : rows(rows),
        columns(columns),
        ld((by_rows ? columns : rows) + 8),
        stride(ld * (by_rows ? rows : columns)),
        by_rows(by_rows),
        data(stride * count) {
    EXPECT(cublasLtMatrixLayoutCreate(&layout, kType<T>, rows, columns, ld) ==
           CUBLAS_STATUS_SUCCESS);
    set(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL);
    set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count);
    set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t(stride));
  }
  ~Matrix() { cublasLtMatrixLayoutDestroy(layout); }
  std::size_t place(int b, int i, int j) const {
    return std::size_t(b) * stride + (by_rows ? i * ld + j : i + j * ld);
  }
  Number at(int b, int i, int j) const { return data.at(place(b, i, j)); }
};

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}
double gelu_gradient(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

template <class T, class Scale>
void test(cublasOperation_t transa, cublasOperation_t transb, bool by_rows, int epilogue,
          cublasComputeType_t compute, double allowed) {
  constexpr int count = 2;
  const int m = random_in(1, 70), n = random_in(1, 70), k = random_in(1, 40);
  const bool transposes_a = transa != CUBLAS_OP_N, transposes_b = transb != CUBLAS_OP_N;
  Matrix<T> a(transposes_a ? k : m, transposes_a ? m : k, random_in(0, 1), count),
      b(transposes_b ? n : k, transposes_b ? k : n, random_in(0, 1), count),
      c(m, n, by_rows, count), d(m, n, by_rows, count), aux(m, n, false, count);
  const int bias_stride = std::max(m, n);
  Array<T> bias(count * bias_stride);
  constexpr int mask_ld = 128;  // bits
  Array<std::int8_t> mask(count * n * mask_ld / 8);
  const bool writes_mask = (epilogue & CUBLASLT_EPILOGUE_RELU_AUX) == CUBLASLT_EPILOGUE_RELU_AUX;
  const bool applies_mask = (epilogue & CUBLASLT_EPILOGUE_DRELU) == CUBLASLT_EPILOGUE_DRELU;
  const bool masks = writes_mask || applies_mask;
  const Scale alpha = random_value<Scale>(), beta = random_value<Scale>();
  cublasLtMatmulDescOpaque_t own_product;
  const cublasLtMatmulDesc_t product = &own_product;
  EXPECT(cublasLtMatmulDescInit(product, compute, kType<Scale>) == CUBLAS_STATUS_SUCCESS);
  set(product, CUBLASLT_MATMUL_DESC_TRANSA, transa);
  set(product, CUBLASLT_MATMUL_DESC_TRANSB, transb);
  set(product, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  set(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
  set(product, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, std::int64_t(bias_stride));
  void* const beside = masks ? static_cast<void*>(mask.device) : aux.data.device;
  set(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, beside);
  set(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(masks ? mask_ld : aux.ld));
  set(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
      std::int64_t(masks ? mask_ld * n : aux.stride));
  cublasLtMatmulPreferenceOpaque_t own_preference;
  const cublasLtMatmulPreference_t preference = &own_preference;
  EXPECT(cublasLtMatmulPreferenceInit(preference) == CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulHeuristicResult_t found;
  int returned = 0;
  EXPECT(cublasLtMatmulAlgoGetHeuristic(h, product, a.layout, b.layout, c.layout, d.layout,
                                        preference, 1, &found, &returned) == CUBLAS_STATUS_SUCCESS);
  EXPECT(returned == 1 && found.state == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmul(h, product, &alpha, a.data.device, a.layout, b.data.device, b.layout, &beta,
                        c.data.device, c.layout, d.data.device, d.layout, &found.algo, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_SUCCESS);
  std::vector<Number> expected = numbers(d.data), kept = numbers(aux.data);
  std::vector<Number> sums = numbers(bias);
  const bool sums_d = (epilogue & 16) != 0;
  const auto clear = [&](int lines) {
    for (int t = 0; t < count; ++t) std::fill_n(sums.begin() + t * bias_stride, lines, 0);
  };
  if (sums_d || epilogue == CUBLASLT_EPILOGUE_BGRADA) clear(m);
  if (epilogue == CUBLASLT_EPILOGUE_BGRADB) clear(n);
  const auto op_a = [&](int t, int i, int l) {
    return a.at(t, transposes_a ? l : i, transposes_a ? i : l);
  };
  const auto op_b = [&](int t, int l, int j) {
    return b.at(t, transposes_b ? j : l, transposes_b ? l : j);
  };
  for (int t = 0; t < count; ++t)
    for (int l = 0; l < k; ++l) {
      for (int i = 0; epilogue == CUBLASLT_EPILOGUE_BGRADA && i < m; ++i)
        sums[t * bias_stride + i] += op_a(t, i, l);
      for (int j = 0; epilogue == CUBLASLT_EPILOGUE_BGRADB && j < n; ++j)
        sums[t * bias_stride + j] += op_b(t, l, j);
    }
  const std::vector<std::int8_t> got_mask = mask.get();
  for (int t = 0; t < count; ++t)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        Number sum = 0;
        for (int l = 0; l < k; ++l) sum += op_a(t, i, l) * op_b(t, l, j);
        double value = (number(alpha) * sum + number(beta) * c.at(t, i, j)).real();
        if (epilogue & CUBLASLT_EPILOGUE_BIAS) value += bias.at(t * bias_stride + i).real();
        if (epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS) kept[aux.place(t, i, j)] = value;
        const bool bit = got_mask[(t * n + j) * mask_ld / 8 + i / 8] >> i % 8 & 1;
        if (writes_mask && std::abs(value) > allowed * (k + 1)) EXPECT(bit == (value > 0));
        if (applies_mask && !bit) value = 0;
        if (epilogue & CUBLASLT_EPILOGUE_RELU) value = std::max(value, 0.0);
        if (epilogue & CUBLASLT_EPILOGUE_GELU) value = gelu(value);
        if ((epilogue & CUBLASLT_EPILOGUE_DGELU) == CUBLASLT_EPILOGUE_DGELU)
          value *= gelu_gradient(aux.at(t, i, j).real());
        expected[d.place(t, i, j)] = value;
        if (sums_d) sums[t * bias_stride + i] += value;
      }
  compare("D", __LINE__, d.data, expected, k + 1, allowed);
  compare("aux", __LINE__, aux.data, kept, k + 1, allowed);
  compare("bias", __LINE__, bias, sums, (k + 1) * n, allowed);
}

void test_errors() {
  Matrix<float> a(4, 5, false, 1), b(5, 6, false, 1), d(4, 6, false, 1), other(5, 6, false, 1);
  cublasLtMatmulDesc_t product;
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const float one = 1;
  const auto run = [&](const Matrix<float>& result) {
    return cublasLtMatmul(h, product, &one, a.data.device, a.layout, b.data.device, b.layout, &one,
                          result.data.device, result.layout, result.data.device, result.layout,
                          nullptr, nullptr, 0, nullptr);
  };
  EXPECT(run(d) == CUBLAS_STATUS_SUCCESS);
  cublasLtMatrixLayoutOpaque_t own;
  EXPECT(cublasLtMatrixLayoutInit(&own, CUDA_R_32F, 4, 6, d.ld) == CUBLAS_STATUS_SUCCESS);
  const cublasLtMatrixLayout_t created = std::exchange(d.layout, &own);
  EXPECT(run(d) == CUBLAS_STATUS_SUCCESS);
  d.layout = created;
  EXPECT(run(other) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasLtMatmul(nullptr, product, &one, a.data.device, a.layout, b.data.device, b.layout,
                        &one, d.data.device, d.layout, d.data.device, d.layout, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  set(product, CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_BGRADB));
  EXPECT(run(d) == CUBLAS_STATUS_INVALID_VALUE);  // no pointer to the bias
  char narrow = 0;
  EXPECT(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &narrow, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  int epilogue = 0;
  size_t written = 0;
  EXPECT(cublasLtMatmulDescGetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                        sizeof epilogue, &written) == CUBLAS_STATUS_SUCCESS);
  EXPECT(epilogue == CUBLASLT_EPILOGUE_BGRADB && written == sizeof epilogue);
  cublasLtMatmulDescDestroy(product);
  cublasLtMatmulPreference_t preference;
  EXPECT(cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulPreferenceDestroy(preference) == CUBLAS_STATUS_SUCCESS);
}

int main() {
  EXPECT(cublasLtCreate(&h) == CUBLAS_STATUS_SUCCESS);
  constexpr int epilogues[] = {CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_BIAS,
                               CUBLASLT_EPILOGUE_RELU,      CUBLASLT_EPILOGUE_RELU_BIAS,
                               CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
                               CUBLASLT_EPILOGUE_DGELU,     CUBLASLT_EPILOGUE_RELU_AUX,
                               CUBLASLT_EPILOGUE_DRELU,     CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
                               CUBLASLT_EPILOGUE_BGRADA,    CUBLASLT_EPILOGUE_DRELU_BGRAD,
                               CUBLASLT_EPILOGUE_BGRADB,    CUBLASLT_EPILOGUE_DGELU_BGRAD};
  for (const int epilogue : epilogues)
    for (const auto transa : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const auto transb = random_in(0, 1) ? CUBLAS_OP_N : CUBLAS_OP_T;
      test<float, float>(transa, transb, false, epilogue, CUBLAS_COMPUTE_32F, 2e-6);
      test<__half, float>(transa, transb, false, epilogue, CUBLAS_COMPUTE_32F, 1e-3);
    }
  for (const auto transa : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto transb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      test<float, float>(transa, transb, true, CUBLASLT_EPILOGUE_DEFAULT, CUBLAS_COMPUTE_32F, 2e-6);
      test<double, double>(transa, transb, true, CUBLASLT_EPILOGUE_DEFAULT, CUBLAS_COMPUTE_64F,
                           1e-14);
      test<__half, __half>(transa, transb, true, CUBLASLT_EPILOGUE_DEFAULT, CUBLAS_COMPUTE_16F,
                           2e-3);
    }
  test_errors();
  EXPECT(cublasLtDestroy(h) == CUBLAS_STATUS_SUCCESS);
  return verdict();
}
