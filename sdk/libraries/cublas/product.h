// A product of matrices, D = epilogue(alpha op(A) op(B) + beta C), and the functions that launch
// kernels for it. All matrices have strides of rows and columns, so transposition is a stride.
#pragma once
#include "cublas/matrices.h"

namespace heddle::blas {

// What follows the sum, as cublasLt's epilogues.
struct Epilogue {
  enum class Function { none, relu, gelu, gelu_gradient };
  Function function = Function::none;
  const void* bias = nullptr;  // an element for each row of D, of D's type
  void* aux = nullptr;         // what gelu is applied to, of D's type; its gradient reads it
  int64_t aux_ld = 0, bias_stride = 0, aux_stride = 0;
};

// With the hyperbolic tangent, as cublasLt computes it.
template <class Sum>
__device__ __noinline__ Sum gelu(Sum x) {
  return Sum(0.5) * x * (Sum(1) + tanh(Sum(0.7978845608028654) * (x + Sum(0.044715) * x * x * x)));
}

template <class Sum>
__device__ __noinline__ Sum gelu_gradient(Sum x) {
  const Sum slope = Sum(0.7978845608028654);
  const Sum t = tanh(slope * (x + Sum(0.044715) * x * x * x));
  return Sum(0.5) * (Sum(1) + t) +
         Sum(0.5) * x * (Sum(1) - t * t) * slope * (Sum(1) + Sum(0.134145) * x * x);
}

// A factor of the type of the sums, or a half in device memory.
template <class Sum>
struct Factor {
  const void* pointer = nullptr;
  bool is_half = false;
  Sum value{};
  __device__ __forceinline__ Sum get() const {
    if (!pointer) return value;
    if constexpr (std::is_same_v<Sum, float>)
      if (is_half) return __half2float(*static_cast<const __half*>(pointer));
    return *static_cast<const Sum*>(pointer);
  }
};

template <class In, class Sum, class Out>
struct Product {
  int64_t m, n, k;
  Batched<const In*> a, b;
  int64_t a_row, a_column, b_row, b_column;  // strides of op(A), op(B)
  bool a_conjugated, b_conjugated;
  Factor<Sum> alpha, beta;
  Batched<const Out*> c;
  int64_t ldc;
  Batched<Out*> d;
  int64_t ldd;
  Part part;
  Epilogue epilogue;

  // Whether all sums are stored as they are but for the factors.
  __host__ __device__ __forceinline__ bool is_plain() const {
    return part == Part::all && epilogue.function == Epilogue::Function::none && !epilogue.bias &&
           !epilogue.aux;
  }
  __device__ __forceinline__ void store(int64_t row, int64_t column, Sum sum, Sum alpha_value,
                                        Sum beta_value, const Out* c_data, Out* d_data,
                                        int64_t batch) const {
    if (row >= m || column >= n) return;
    if (part != Part::all && (part == Part::lower ? row < column : row > column)) return;
    sum = alpha_value * sum;
    if (!is_zero(beta_value))
      sum = multiply_add(beta_value, convert<Sum>(c_data[row + column * ldc]), sum);
    if constexpr (!kComplex<Sum> && !std::is_integral_v<Sum>) {
      if (epilogue.bias)
        sum += convert<Sum>(
            static_cast<const Out*>(epilogue.bias)[row + batch * epilogue.bias_stride]);
      Out* const aux = epilogue.aux ? static_cast<Out*>(epilogue.aux) + row +
                                          column * epilogue.aux_ld + batch * epilogue.aux_stride
                                    : nullptr;
      if (epilogue.function == Epilogue::Function::gelu_gradient)
        sum = sum * gelu_gradient(convert<Sum>(*aux));
      else if (aux)
        *aux = convert<Out>(sum);
      if (epilogue.function == Epilogue::Function::relu) sum = sum > 0 ? sum : Sum(0);
      if (epilogue.function == Epilogue::Function::gelu) sum = gelu(sum);
    }
    if constexpr (kComplex<Sum>)
      if (part != Part::all && a_conjugated != b_conjugated && row == column) sum.y = 0;
    d_data[row + column * ldd] = convert<Out>(sum);
  }
  // Whether no element of this tile is stored.
  __device__ __forceinline__ bool skips(int64_t row, int64_t rows, int64_t column,
                                        int64_t columns) const {
    return part == Part::lower ? row + rows <= column
                               : part == Part::upper && column + columns <= row;
  }
};

// The launches. `h` gives stream, capability and number of SMs.
template <class In, class Sum, class Out>
Status launch_simt(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count);
// False when the GPU has no matrix instruction for these types, or data are not aligned for it.
template <class In, class Sum, class Out>
bool launch_matrix(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count,
                   bool rounds_to_tf32);

// The types of products, of which each has its kernels.
#define HEDDLE_REAL_PRODUCTS(use)                                               \
  use(float, float, float) use(__half, float, __half) use(__half, float, float) \
      use(__nv_bfloat16, float, __nv_bfloat16) use(__nv_bfloat16, float, float) \
          use(int8_t, int, int) use(int8_t, float, float)
#define HEDDLE_OTHER_PRODUCTS(use) \
  use(double, double, double) use(float2, float2, float2) use(double2, double2, double2)

// D = alpha op(A) op(B) + beta C of matrices as BLAS describes them.
template <class T>
Status multiply_matrices(const cublasContext& h, cublasOperation_t transa, cublasOperation_t transb,
                         int64_t m, int64_t n, int64_t k, Scalar<T> alpha, const T* a, int64_t lda,
                         const T* b, int64_t ldb, Scalar<T> beta, T* c, int64_t ldc,
                         Part part = Part::all);

}  // namespace heddle::blas
