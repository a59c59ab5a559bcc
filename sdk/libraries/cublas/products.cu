// Level 3: products of matrices. Symmetric, hermitian and triangular factors are written out as
// full matrices first, so that one family of kernels multiplies.
#include "cublas/product.h"

namespace heddle::blas {
namespace {

template <class T>
struct TypesOf {
  using Sum = T;
};
template <>
struct TypesOf<__half> {
  using Sum = float;
};

template <class Sum, class T>
Factor<Sum> factor(Scalar<T> s) {
  if constexpr (std::is_same_v<T, Sum>)
    return {s.pointer, false, s.value};
  else
    return {s.pointer, true, convert<Sum>(s.value)};
}
// A factor as the Ex calls give it.
template <class Sum>
Factor<Sum> factor(const cublasContext& h, const void* p, bool is_half) {
  if (h.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {p, is_half, Sum{}};
  if constexpr (std::is_same_v<Sum, float>)
    if (is_half) return {nullptr, true, __half2float(*static_cast<const __half*>(p))};
  return {nullptr, is_half, *static_cast<const Sum*>(p)};
}

struct Sizes {
  cublasOperation_t transa, transb;
  int64_t m, n, k, lda, ldb, ldc, count = 1;
  bool valid() const {
    return is_operation(transa) && is_operation(transb) && m >= 0 && n >= 0 && k >= 0 &&
           count >= 0 && holds(lda, transa == CUBLAS_OP_N ? m : k) &&
           holds(ldb, transb == CUBLAS_OP_N ? k : n) && holds(ldc, m);
  }
  bool empty() const { return m == 0 || n == 0 || count == 0; }
};

template <class In, class Sum, class Out>
Status run(const cublasContext& h, const Sizes& s, Factor<Sum> alpha, Batched<const In*> a,
           Batched<const In*> b, Factor<Sum> beta, Batched<const Out*> c, Batched<Out*> d,
           int64_t ldd, Part part, bool rounds_to_tf32, const Epilogue& epilogue = {}) {
  Product<In, Sum, Out> p{};
  const bool zero = !alpha.pointer && is_zero(alpha.value);
  p.m = s.m;
  p.n = s.n;
  p.k = zero ? 0 : s.k;
  p.a = a;
  p.b = b;
  p.a_row = s.transa == CUBLAS_OP_N ? 1 : s.lda;
  p.a_column = s.transa == CUBLAS_OP_N ? s.lda : 1;
  p.b_row = s.transb == CUBLAS_OP_N ? 1 : s.ldb;
  p.b_column = s.transb == CUBLAS_OP_N ? s.ldb : 1;
  p.a_conjugated = s.transa == CUBLAS_OP_C;
  p.b_conjugated = s.transb == CUBLAS_OP_C;
  p.alpha = alpha;
  p.beta = beta;
  p.c = c;
  p.ldc = s.ldc;
  p.d = d;
  p.ldd = ldd;
  p.part = part;
  p.epilogue = epilogue;
  if constexpr (!kComplex<Sum> && !std::is_same_v<Sum, double>)
    if (p.k > 0 && launch_matrix(h, p, s.count, rounds_to_tf32)) return launched();
  return launch_simt(h, p, s.count);
}

bool uses_tf32(const cublasContext& h) {
  return (h.math & 7) == CUBLAS_TF32_TENSOR_OP_MATH || (h.math & 7) == CUBLAS_TENSOR_OP_MATH;
}

template <class T>
Status multiply(cublasHandle_t h, const Sizes& s, Scalar<T> alpha, Batched<const T*> a,
                Batched<const T*> b, Scalar<T> beta, Batched<T*> c, Part part = Part::all) {
  using Sum = typename TypesOf<T>::Sum;
  const Batched<const T*> in{c.first, c.pointers, c.stride};
  return run<T, Sum, T>(*h, s, factor<Sum>(alpha), a, b, factor<Sum>(beta), in, c, s.ldc, part,
                        uses_tf32(*h));
}

template <class T>
Status gemm(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
            int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb,
            const T* beta, T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  const Sizes s{transa, transb, m, n, k, lda, ldb, ldc};
  HEDDLE_NEED(s.valid());
  if (s.empty()) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && c && (k == 0 || (a && b)));
  return multiply<T>(h, s, scalar(*h, alpha), {a}, {b}, scalar(*h, beta), {c});
}
template <class T>
Status gemm3m(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
              int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda, const T* b,
              int64_t ldb, const T* beta, T* c, int64_t ldc) {
  return gemm(h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
template <class T>
Status gemm_batched(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                    int64_t n, int64_t k, const T* alpha, const T* const a[], int64_t lda,
                    const T* const b[], int64_t ldb, const T* beta, T* const c[], int64_t ldc,
                    int64_t count) {
  HEDDLE_NEED_HANDLE(h);
  const Sizes s{transa, transb, m, n, k, lda, ldb, ldc, count};
  HEDDLE_NEED(s.valid());
  if (s.empty()) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && c && (k == 0 || (a && b)));
  return multiply<T>(h, s, scalar(*h, alpha), {nullptr, a}, {nullptr, b}, scalar(*h, beta),
                     {nullptr, c});
}
// Groups of batches with sizes of their own; the pointers of all groups follow each other.
template <class T, class N>
Status gemm_grouped_batched(cublasHandle_t h, const cublasOperation_t transa[],
                            const cublasOperation_t transb[], const N m[], const N n[], const N k[],
                            const T alpha[], const T* const a[], const N lda[], const T* const b[],
                            const N ldb[], const T beta[], T* const c[], const N ldc[], N groups,
                            const N sizes[]) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(groups >= 0);
  for (N g = 0; g < groups; a += sizes[g], b += sizes[g], c += sizes[g], ++g) {
    const Status status = gemm_batched(h, transa[g], transb[g], m[g], n[g], k[g], alpha + g, a,
                                       lda[g], b, ldb[g], beta + g, c, ldc[g], sizes[g]);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
Status gemm_strided_batched(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                            int64_t m, int64_t n, int64_t k, const T* alpha, const T* a,
                            int64_t lda, int64_t stride_a, const T* b, int64_t ldb,
                            int64_t stride_b, const T* beta, T* c, int64_t ldc, int64_t stride_c,
                            int64_t count) {
  HEDDLE_NEED_HANDLE(h);
  const Sizes s{transa, transb, m, n, k, lda, ldb, ldc, count};
  HEDDLE_NEED(s.valid());
  if (s.empty()) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && c && (k == 0 || (a && b)));
  return multiply<T>(h, s, scalar(*h, alpha), {a, nullptr, stride_a}, {b, nullptr, stride_b},
                     scalar(*h, beta), {c, nullptr, stride_c});
}

// The Ex calls: types are arguments.
struct TypedBatches {
  cudaDataType type;
  const void* first;
  const void* const* pointers;
  int64_t stride;
  template <class T>
  Batched<const T*> of() const {
    return {static_cast<const T*>(first), reinterpret_cast<const T* const*>(pointers), stride};
  }
};

template <class In, class Sum, class Out>
Status run_typed(cublasHandle_t h, const Sizes& s, const void* alpha, const TypedBatches& a,
                 const TypedBatches& b, const void* beta, const TypedBatches& c, bool half_factors,
                 bool rounds_to_tf32) {
  const Batched<Out*> out{static_cast<Out*>(const_cast<void*>(c.first)),
                          reinterpret_cast<Out* const*>(const_cast<void* const*>(c.pointers)),
                          c.stride};
  return run<In, Sum, Out>(*h, s, factor<Sum>(*h, alpha, half_factors), a.of<In>(), b.of<In>(),
                           factor<Sum>(*h, beta, half_factors), c.of<Out>(), out, s.ldc, Part::all,
                           rounds_to_tf32);
}

Status multiply_typed(cublasHandle_t h, const Sizes& s, const void* alpha, const TypedBatches& a,
                      const TypedBatches& b, const void* beta, const TypedBatches& c,
                      cublasComputeType_t compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(s.valid());
  if (s.empty()) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && (c.first || c.pointers));
  const bool is_16f = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool is_32i = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  const bool is_64f = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool is_32f = !is_16f && !is_32i && !is_64f;
  const bool fast =
      is_32f && compute != CUBLAS_COMPUTE_32F && compute != CUBLAS_COMPUTE_32F_PEDANTIC;
#define HEDDLE_TYPED(condition, in_type, out_type, In, Sum, Out)                  \
  if ((condition) && a.type == b.type && a.type == in_type && c.type == out_type) \
    return run_typed<In, Sum, Out>(h, s, alpha, a, b, beta, c, is_16f, fast || uses_tf32(*h));
  HEDDLE_TYPED(is_16f || is_32f, CUDA_R_16F, CUDA_R_16F, __half, float, __half)
  HEDDLE_TYPED(is_32f, CUDA_R_16F, CUDA_R_32F, __half, float, float)
  HEDDLE_TYPED(is_32f, CUDA_R_16BF, CUDA_R_16BF, __nv_bfloat16, float, __nv_bfloat16)
  HEDDLE_TYPED(is_32f, CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, float, float)
  HEDDLE_TYPED(is_32f, CUDA_R_8I, CUDA_R_32F, int8_t, float, float)
  HEDDLE_TYPED(is_32i, CUDA_R_8I, CUDA_R_32I, int8_t, int, int)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_32F, float, float, float)
  HEDDLE_TYPED(is_64f, CUDA_R_64F, CUDA_R_64F, double, double, double)
  HEDDLE_TYPED(is_32f, CUDA_C_32F, CUDA_C_32F, float2, float2, float2)
  HEDDLE_TYPED(is_64f, CUDA_C_64F, CUDA_C_64F, double2, double2, double2)
#undef HEDDLE_TYPED
  report_lack("cublasGemmEx", "products of these types");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
Status gemm_ex(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
               int64_t n, int64_t k, const void* alpha, const void* a, cudaDataType type_a,
               int64_t lda, const void* b, cudaDataType type_b, int64_t ldb, const void* beta,
               void* c, cudaDataType type_c, int64_t ldc, cublasComputeType_t compute,
               cublasGemmAlgo_t) {
  return multiply_typed(h, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, {type_a, a, nullptr, 0},
                        {type_b, b, nullptr, 0}, beta, {type_c, c, nullptr, 0}, compute);
}
Status gemm_ex(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
               int64_t n, int64_t k, const float* alpha, const void* a, cudaDataType type_a,
               int64_t lda, const void* b, cudaDataType type_b, int64_t ldb, const float* beta,
               void* c, cudaDataType type_c, int64_t ldc) {
  return gemm_ex(h, transa, transb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c,
                 ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
Status gemm_batched_ex(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                       int64_t m, int64_t n, int64_t k, const void* alpha, const void* const a[],
                       cudaDataType type_a, int64_t lda, const void* const b[], cudaDataType type_b,
                       int64_t ldb, const void* beta, void* const c[], cudaDataType type_c,
                       int64_t ldc, int64_t count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_typed(h, {transa, transb, m, n, k, lda, ldb, ldc, count}, alpha,
                        {type_a, nullptr, a, 0}, {type_b, nullptr, b, 0}, beta,
                        {type_c, nullptr, c, 0}, compute);
}
Status gemm_strided_batched_ex(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,
                               int64_t m, int64_t n, int64_t k, const void* alpha, const void* a,
                               cudaDataType type_a, int64_t lda, int64_t stride_a, const void* b,
                               cudaDataType type_b, int64_t ldb, int64_t stride_b, const void* beta,
                               void* c, cudaDataType type_c, int64_t ldc, int64_t stride_c,
                               int64_t count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_typed(h, {transa, transb, m, n, k, lda, ldb, ldc, count}, alpha,
                        {type_a, a, nullptr, stride_a}, {type_b, b, nullptr, stride_b}, beta,
                        {type_c, c, nullptr, stride_c}, compute);
}

template <class N>
Status gemm_grouped_batched_ex(cublasHandle_t h, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const N m[], const N n[],
                               const N k[], const void* alpha, const void* const a[],
                               cudaDataType type_a, const N lda[], const void* const b[],
                               cudaDataType type_b, const N ldb[], const void* beta,
                               void* const c[], cudaDataType type_c, const N ldc[], N groups,
                               const N sizes[], cublasComputeType_t compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(groups >= 0);
  const int64_t bytes = type_a == CUDA_R_64F ? 8 : 4;  // of a factor
  const auto* alphas = static_cast<const unsigned char*>(alpha);
  const auto* betas = static_cast<const unsigned char*>(beta);
  for (N g = 0; g < groups; a += sizes[g], b += sizes[g], c += sizes[g], ++g) {
    const Status status = gemm_batched_ex(
        h, transa[g], transb[g], m[g], n[g], k[g], alphas + g * bytes, a, type_a, lda[g], b, type_b,
        ldb[g], betas + g * bytes, c, type_c, ldc[g], sizes[g], compute, CUBLAS_GEMM_DEFAULT);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

// Products of a matrix and itself, of which one triangle is stored.
template <class T>
Status multiply_triangle(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,
                         bool conjugates, int64_t n, int64_t k, Scalar<T> alpha, const T* a,
                         int64_t lda, const T* b, int64_t ldb, Scalar<T> beta, T* c, int64_t ldc) {
  const cublasOperation_t turned = conjugates ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool plain = trans == CUBLAS_OP_N;
  const Sizes s{plain ? CUBLAS_OP_N : turned, plain ? turned : CUBLAS_OP_N, n, n, k, lda, ldb, ldc};
  HEDDLE_NEED(is_fill(uplo) && s.valid());
  HEDDLE_NEED(plain || trans == turned || (!kComplex<T> && is_operation(trans)));
  if (s.empty()) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(c && (k == 0 || (a && b)));
  return multiply<T>(h, s, alpha, {a}, {b}, beta, {c}, part_of(uplo));
}
template <class T>
Status syrkx(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
             const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* c,
             int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && beta);
  return multiply_triangle(h, uplo, trans, false, n, k, scalar(*h, alpha), a, lda, b, ldb,
                           scalar(*h, beta), c, ldc);
}
template <class T>
Status syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
            const T* alpha, const T* a, int64_t lda, const T* beta, T* c, int64_t ldc) {
  return syrkx(h, uplo, trans, n, k, alpha, a, lda, a, lda, beta, c, ldc);
}
template <class T>
Status syr2k(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
             const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* c,
             int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && beta);
  const Scalar<T> factor = scalar(*h, alpha);
  const Status first = multiply_triangle(h, uplo, trans, false, n, k, factor, a, lda, b, ldb,
                                         scalar(*h, beta), c, ldc);
  if (first != CUBLAS_STATUS_SUCCESS) return first;
  return multiply_triangle(h, uplo, trans, false, n, k, factor, b, ldb, a, lda,
                           constant(from_real<T>(1)), c, ldc);
}
// Factors that the host must know: their real or conjugated value is another argument.
template <class A>
bool read_factor(cublasHandle_t h, const A* p, A& value) {
  if (h->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
    value = *p;
    return true;
  }
  return cudaMemcpyAsync(&value, p, sizeof value, cudaMemcpyDeviceToHost, h->stream) ==
             cudaSuccess &&
         cudaStreamSynchronize(h->stream) == cudaSuccess;
}
template <class T>
Status herk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
            const Real<T>* alpha, const T* a, int64_t lda, const Real<T>* beta, T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && beta);
  Real<T> of_product, of_c;
  if (!read_factor(h, alpha, of_product) || !read_factor(h, beta, of_c))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return multiply_triangle(h, uplo, trans, true, n, k, constant(from_real<T>(of_product)), a, lda,
                           a, lda, constant(from_real<T>(of_c)), c, ldc);
}
// The diagonal of a hermitian matrix is real.
template <class T>
__global__ void make_diagonal_real(int64_t n, T* c, int64_t ldc) {
  for (int64_t i = first_index(); i < n; i += index_step()) c[i * (ldc + 1)].y = 0;
}
template <class T>
Status with_real_diagonal(cublasHandle_t h, int64_t n, T* c, int64_t ldc, Status status) {
  if (status != CUBLAS_STATUS_SUCCESS || n == 0) return status;
  make_diagonal_real<<<blocks_for(n), kThreads, 0, h->stream>>>(n, c, ldc);
  return launched();
}
template <class T>
Status herkx(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
             const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const Real<T>* beta,
             T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && beta);
  Real<T> of_c;
  if (!read_factor(h, beta, of_c)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return with_real_diagonal(h, n, c, ldc,
                            multiply_triangle(h, uplo, trans, true, n, k, scalar(*h, alpha), a, lda,
                                              b, ldb, constant(from_real<T>(of_c)), c, ldc));
}
template <class T>
Status her2k(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
             const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const Real<T>* beta,
             T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha && beta);
  T factor;
  Real<T> of_c;
  if (!read_factor(h, alpha, factor) || !read_factor(h, beta, of_c))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Status first = multiply_triangle(h, uplo, trans, true, n, k, constant(factor), a, lda, b,
                                         ldb, constant(from_real<T>(of_c)), c, ldc);
  if (first != CUBLAS_STATUS_SUCCESS) return first;
  return with_real_diagonal(
      h, n, c, ldc,
      multiply_triangle(h, uplo, trans, true, n, k, constant(conjugate(factor)), b, ldb, a, lda,
                        constant(from_real<T>(1)), c, ldc));
}

// Products with symmetric, hermitian and triangular matrices.
template <class T>
__global__ void write_out(Matrix<T> a, int64_t rows, int64_t columns, T* full) {
  for (int64_t i = first_index(); i < rows * columns; i += index_step())
    full[i] = a.at(i % rows, i / rows);
}
template <class T>
T* full_matrix(cublasHandle_t h, const Workspace& memory, Matrix<T> a, int64_t rows,
               int64_t columns, T* full) {
  if (memory.as<T>())
    write_out<<<blocks_for(rows * columns), kThreads, 0, h->stream>>>(a, rows, columns, full);
  return full;
}
template <class T>
Status multiply_special(cublasHandle_t h, cublasSideMode_t side, Matrix<T> a, int64_t m, int64_t n,
                        Scalar<T> alpha, const T* b, int64_t ldb, Scalar<T> beta, T* c,
                        int64_t ldc) {
  const bool left = side == CUBLAS_SIDE_LEFT, in_place = b == c;
  const int64_t order = left ? m : n, factor_count = order * order;
  const Workspace memory((factor_count + (in_place ? m * n : 0)) * sizeof(T), h->stream);
  T* const full = full_matrix(h, memory, a, order, order, memory.as<T>());
  if (!full) return CUBLAS_STATUS_ALLOC_FAILED;
  if (in_place) {
    b = full_matrix(h, memory, Matrix<T>{b, ldb}, m, n, full + factor_count);
    ldb = m;
  }
  const Sizes s{CUBLAS_OP_N, CUBLAS_OP_N, m, n, order, left ? order : ldb, left ? ldb : order, ldc};
  const Batched<const T*> one{full}, other{b};
  return multiply<T>(h, s, alpha, left ? one : other, left ? other : one, beta, {c});
}
template <class T>
Status multiply_mirrored(cublasHandle_t h, Shape shape, cublasSideMode_t side,
                         cublasFillMode_t uplo, int64_t m, int64_t n, const T* alpha, const T* a,
                         int64_t lda, const T* b, int64_t ldb, const T* beta, T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_side(side) && is_fill(uplo) && m >= 0 && n >= 0 &&
              holds(lda, side == CUBLAS_SIDE_LEFT ? m : n) && holds(ldb, m) && holds(ldc, m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && beta && a && b && c);
  return multiply_special(h, side, triangle(a, lda, shape, uplo), m, n, scalar(*h, alpha), b, ldb,
                          scalar(*h, beta), c, ldc);
}
template <class T>
Status symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n,
            const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* c,
            int64_t ldc) {
  return multiply_mirrored(h, Shape::symmetric, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c,
                           ldc);
}
template <class T>
Status hemm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n,
            const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* c,
            int64_t ldc) {
  return multiply_mirrored(h, Shape::hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c,
                           ldc);
}
template <class T>
Status trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
            cublasDiagType_t diag, int64_t m, int64_t n, const T* alpha, const T* a, int64_t lda,
            const T* b, int64_t ldb, T* c, int64_t ldc) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(is_side(side) && is_fill(uplo) && is_operation(trans) && is_diagonal(diag) &&
              m >= 0 && n >= 0 && holds(lda, side == CUBLAS_SIDE_LEFT ? m : n) && holds(ldb, m) &&
              holds(ldc, m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(alpha && a && b && c);
  return multiply_special(h, side, triangle(a, lda, Shape::triangular, uplo, trans, diag), m, n,
                          scalar(*h, alpha), b, ldb, constant(from_real<T>(0)), c, ldc);
}

}  // namespace

template <class T>
Status multiply_matrices(const cublasContext& h, cublasOperation_t transa, cublasOperation_t transb,
                         int64_t m, int64_t n, int64_t k, Scalar<T> alpha, const T* a, int64_t lda,
                         const T* b, int64_t ldb, Scalar<T> beta, T* c, int64_t ldc, Part part) {
  cublasContext copy = h;
  return multiply<T>(&copy, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, {a}, {b}, beta, {c},
                     part);
}
#define HEDDLE_INSTANCE(T)                                                                      \
  template Status multiply_matrices(const cublasContext&, cublasOperation_t, cublasOperation_t, \
                                    int64_t, int64_t, int64_t, Scalar<T>, const T*, int64_t,    \
                                    const T*, int64_t, Scalar<T>, T*, int64_t, Part);
HEDDLE_INSTANCE(float)
HEDDLE_INSTANCE(double)
HEDDLE_INSTANCE(float2)
HEDDLE_INSTANCE(double2)

}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_products_calls.inc"
