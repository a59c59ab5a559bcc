// cublasLt's products of 8-bit floating-point matrices, and the status on a GPU without them.
#include <cublasLt.h>
#include <cuda_fp8.h>

#include <algorithm>

#include "conformance.h"

cublasLtHandle_t h;
bool exists;  // the GPU multiplies such matrices

template <class T>
constexpr cudaDataType type_of = std::is_same_v<T, __nv_fp8_e4m3>   ? CUDA_R_8F_E4M3
                                 : std::is_same_v<T, __nv_fp8_e5m2> ? CUDA_R_8F_E5M2
                                                                    : kType<T>;
template <class T>
constexpr double precision = std::is_same_v<T, float>           ? 1e-6
                             : std::is_same_v<T, __half>        ? 1.0 / 2048
                             : std::is_same_v<T, __nv_bfloat16> ? 1.0 / 256
                             : std::is_same_v<T, __nv_fp8_e4m3> ? 1.0 / 16
                                                                : 1.0 / 8;
template <class T>
constexpr double smallest = std::is_same_v<T, __nv_fp8_e4m3>   ? 1.0 / 512
                            : std::is_same_v<T, __nv_fp8_e5m2> ? 1.0 / 65536
                                                               : 1e-6;
template <class T>
constexpr double largest = std::is_same_v<T, __nv_fp8_e4m3>   ? 448
                           : std::is_same_v<T, __nv_fp8_e5m2> ? 57344
                                                              : 1e30;
template <class T>
double value_of(T x) {
  return static_cast<double>(static_cast<float>(x));
}

// Columns of `rows` elements, `ld` apart, of some batches; on the device.
template <class T>
struct Columns {
  int rows, columns, ld, count;
  std::vector<T> host;
  T* device = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  Columns(int rows, int columns, int count)
      : rows(rows), columns(columns), ld(rows + 16 * random_in(0, 1)), count(count) {
    host.resize(stride() * count);
    for (T& x : host) x = T(static_cast<float>(random_unit() * 2));
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    EXPECT(cublasLtMatrixLayoutCreate(&layout, type_of<T>, rows, columns, ld) == 0);
    const std::int64_t apart = stride();
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                     sizeof count);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &apart,
                                     sizeof apart);
  }
  Columns(const Columns&) = delete;
  ~Columns() { cudaFree(device), cublasLtMatrixLayoutDestroy(layout); }
  std::int64_t stride() const { return std::int64_t{ld} * columns; }
  double at(int batch, int row, int column) const {
    return value_of(host[batch * stride() + std::int64_t{column} * ld + row]);
  }
  std::vector<T> get() const {
    std::vector<T> result(host.size());
    cudaMemcpy(result.data(), device, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
};

template <class Value>
void set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, Value value) {
  EXPECT(cublasLtMatmulDescSetAttribute(d, attribute, &value, sizeof value) == 0);
}
// What is not set yet is 0 or 1 in D.
struct Desc {
  cublasLtMatmulDesc_t desc = nullptr;
  Desc(cublasOperation_t transa = CUBLAS_OP_T, cublasOperation_t transb = CUBLAS_OP_N) {
    EXPECT(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F) == 0);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, transa);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, transb);
  }
  Desc(const Desc&) = delete;
  ~Desc() { cublasLtMatmulDescDestroy(desc); }
};
template <class A, class B, class C, class D>
cublasStatus_t ask(const Desc& desc, const A& a, const B& b, const C& c, const D& d) {
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t found;
  int returned = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      h, desc.desc, a.layout, b.layout, c.layout, d.layout, preference, 1, &found, &returned);
  EXPECT(returned == (status == CUBLAS_STATUS_SUCCESS ? 1 : 0));
  cublasLtMatmulPreferenceDestroy(preference);
  return status;
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

template <class A, class B, class C, class D>
void test(int epilogue, bool scaled, bool on_device) {
  using Bias = std::conditional_t<std::is_same_v<C, __half>, __half, __nv_bfloat16>;
  const int m = 16 * random_in(1, 12), n = random_in(1, 150), k = 16 * random_in(1, 12);
  const int count = random_in(1, 2);
  Columns<A> a(k, m, count);
  Columns<B> b(k, n, count);
  Columns<C> c(m, n, count);
  Columns<D> d(m, n, count);
  Columns<Bias> bias(m, 1, 1);
  // alpha, beta; scales of A, B and D; the largest value
  const float values[] = {0.5f, random_in(0, 1) ? -1.5f : 0.0f, 0.25f, 2.0f, 8.0f, -1.0f};
  float* device = nullptr;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  const Desc desc;
  set(desc.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  set(desc.desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
  set(desc.desc, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, device + 5);
  if (scaled) {
    set(desc.desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, device + 2);
    set(desc.desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, device + 3);
    set(desc.desc, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, device + 4);
  }
  if (on_device)
    set(desc.desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, int(CUBLASLT_POINTER_MODE_DEVICE));
  const auto expected = exists ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
  EXPECT(ask(desc, a, b, c, d) == expected);
  const float* const factors = on_device ? device : values;
  EXPECT(cublasLtMatmul(h, desc.desc, factors, a.device, a.layout, b.device, b.layout, factors + 1,
                        c.device, c.layout, d.device, d.layout, nullptr, nullptr, 0,
                        nullptr) == expected);
  float after[6];
  cudaMemcpy(after, device, sizeof after, cudaMemcpyDeviceToHost);
  cudaFree(device);
  if (!exists) return;
  const double alpha = 0.5 * (scaled ? 0.5 : 1), beta = values[1];
  const double d_scale = scaled && sizeof(D) == 1 ? 8 : 1;
  const std::vector<D> got = d.get();
  double most = 0;
  int wrong = 0;
  for (int t = 0; t < count; ++t)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        double sum = 0, all = 0;
        for (int l = 0; l < k; ++l) {
          const double product = a.at(t, l, i) * b.at(t, l, j);
          sum += product, all += std::abs(product);
        }
        double x = alpha * sum + beta * c.at(t, i, j);
        if (epilogue & CUBLASLT_EPILOGUE_BIAS) x += bias.at(0, i, 0);
        if (epilogue & CUBLASLT_EPILOGUE_RELU) x = std::max(x, 0.0);
        if ((epilogue & CUBLASLT_EPILOGUE_GELU) == CUBLASLT_EPILOGUE_GELU) x = gelu(x);
        most = std::max(most, std::abs(x));
        x = std::clamp(x * d_scale, -largest<D>, largest<D>);
        const double is = value_of(got[t * d.stride() + std::int64_t{j} * d.ld + i]);
        const double allowed =
            precision<D> * std::abs(x) + smallest<D> + d_scale * 1e-5 * (all + 1);
        wrong += !(std::abs(is - x) <= allowed);
      }
  EXPECT(std::abs(after[5] - most) <= 1e-5 * (most + k));
  // What lies between the columns is kept.
  for (int t = 0; t < count; ++t)
    for (int j = 0; j < n; ++j)
      for (int i = m; i < d.ld; ++i) {
        const std::int64_t at = t * d.stride() + std::int64_t{j} * d.ld + i;
        wrong += value_of(got[at]) != value_of(d.host[at]);
      }
  EXPECT(wrong == 0);
}

using E4 = __nv_fp8_e4m3;
using E5 = __nv_fp8_e5m2;

template <class A, class B, class C, class D>
void test_epilogues(bool brief) {
  for (const int epilogue :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS}) {
    test<A, B, C, D>(epilogue, random_in(0, 1), random_in(0, 1));
    if (brief) return;
  }
}

template <class A, class B, class C, class D>
cublasStatus_t supported(int m, int k, cublasOperation_t transa = CUBLAS_OP_T, int epilogue = 1) {
  Columns<A> a(transa == CUBLAS_OP_T ? k : m, transa == CUBLAS_OP_T ? m : k, 1);
  Columns<B> b(k, 8, 1);
  Columns<C> c(m, 8, 1);
  Columns<D> d(m, 8, 1);
  const Desc desc(transa);
  set(desc.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  return ask(desc, a, b, c, d);
}

void test_refusals() {
  constexpr auto no = CUBLAS_STATUS_NOT_SUPPORTED;
  using Half = __half;
  EXPECT((supported<E4, E4, Half, Half>(32, 32) == 0) == exists);
  EXPECT((supported<E5, E5, Half, Half>(32, 32)) == no);
  EXPECT((supported<E4, E4, Half, E5>(32, 32)) == no);
  EXPECT((supported<E4, E4, float, E4>(32, 32)) == no);
  EXPECT((supported<E4, E4, Half, float>(32, 32)) == no);
  EXPECT((supported<E4, Half, Half, Half>(32, 32)) == no);
  EXPECT((supported<E4, E4, Half, Half>(40, 32)) == no);
  EXPECT((supported<E4, E4, Half, Half>(32, 40)) == no);
  EXPECT((supported<E4, E4, Half, Half>(32, 32, CUBLAS_OP_N)) == no);
  EXPECT((supported<E4, E4, Half, Half>(32, 32, CUBLAS_OP_T, CUBLASLT_EPILOGUE_GELU_AUX)) == no);
  const Desc desc;
  set(desc.desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, int(CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0));
  Columns<E4> a(32, 32, 1);
  Columns<Half> d(32, 32, 1);
  EXPECT(ask(desc, a, a, d, d) == no);
}

int main(int argc, char**) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  exists = properties.major * 10 + properties.minor >= 89;
  EXPECT(cublasLtCreate(&h) == 0);
  const bool brief = argc > 1 || !exists;
  test_epilogues<E4, E4, __nv_bfloat16, __nv_bfloat16>(brief);
  test_epilogues<E4, E4, __nv_bfloat16, E4>(brief);
  test_epilogues<E4, E4, __half, E4>(brief);
  test_epilogues<E4, E4, __half, __half>(brief);
  test_epilogues<E4, E4, float, float>(brief);
  test_epilogues<E4, E5, __nv_bfloat16, __nv_bfloat16>(brief);
  test_epilogues<E4, E5, __nv_bfloat16, E4>(brief);
  test_epilogues<E4, E5, __half, E5>(brief);
  test_epilogues<E5, E4, __half, __half>(brief);
  test_epilogues<E5, E4, __nv_bfloat16, E5>(brief);
  test_epilogues<E5, E4, float, float>(brief);
  test_refusals();
  EXPECT(cublasLtDestroy(h) == 0);
  std::puts(failures ? "FAIL" : "PASS");
}
