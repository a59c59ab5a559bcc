// Level 1 whose types are arguments: halves and bfloat16 compute in float.
#include "cublas/vector_kernels.h"

namespace heddle::blas {
namespace {

// Calls work(T{}, A{}) for elements T that compute in A.
template <class Work>
Status with_types(cudaDataType type, cudaDataType compute, Work work) {
#define HEDDLE_TYPES(stored, computed, T, A) \
  if (type == stored && compute == computed) return work(T{}, A{});
  HEDDLE_TYPES(CUDA_R_16F, CUDA_R_32F, __half, float)
  HEDDLE_TYPES(CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, float)
  HEDDLE_TYPES(CUDA_R_32F, CUDA_R_32F, float, float)
  HEDDLE_TYPES(CUDA_R_64F, CUDA_R_64F, double, double)
  HEDDLE_TYPES(CUDA_C_32F, CUDA_C_32F, float2, float2)
  HEDDLE_TYPES(CUDA_C_64F, CUDA_C_64F, double2, double2)
#undef HEDDLE_TYPES
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

// A factor of the elements' type, or of the type that computes.
template <class T, class A>
Scalar<A> typed_scalar(const cublasContext& h, const void* alpha, bool is_stored) {
  if (!is_stored || std::is_same_v<T, A>) return scalar(h, static_cast<const A*>(alpha));
  T value{};
  if (h.pointer_mode == CUBLAS_POINTER_MODE_HOST)
    value = *static_cast<const T*>(alpha);
  else if (cudaMemcpyAsync(&value, alpha, sizeof value, cudaMemcpyDeviceToHost, h.stream) ==
           cudaSuccess)
    cudaStreamSynchronize(h.stream);
  return constant(convert<A>(value));
}

Status axpy_ex(cublasHandle_t h, int64_t n, const void* alpha, cudaDataType type_alpha,
               const void* x, cudaDataType type_x, int64_t incx, void* y, cudaDataType type_y,
               int64_t incy, cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha);
  if (type_x != type_y || (type_alpha != type_x && type_alpha != compute))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_types(type_x, compute, [&](auto element, auto computed) {
    using T = decltype(element);
    using A = decltype(computed);
    const Scalar<A> a = typed_scalar<T, A>(*h, alpha, type_alpha == type_x);
    if (is_known(a, 0)) return CUBLAS_STATUS_SUCCESS;
    return run_pairs(h, n, static_cast<T*>(const_cast<void*>(x)), incx, static_cast<T*>(y), incy,
                     Axpy<A, T>{a});
  });
}
Status scal_ex(cublasHandle_t h, int64_t n, const void* alpha, cudaDataType type_alpha, void* x,
               cudaDataType type_x, int64_t incx, cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha);
  if (type_alpha != type_x && type_alpha != compute) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_types(type_x, compute, [&](auto element, auto computed) {
    using T = decltype(element);
    using A = decltype(computed);
    if (incx <= 0) return CUBLAS_STATUS_SUCCESS;
    T* const first = static_cast<T*>(x);
    const Scalar<A> a = typed_scalar<T, A>(*h, alpha, type_alpha == type_x);
    return run_pairs(h, n, first, incx, first, incx, Scale<A, T>{a});
  });
}
template <bool conjugates>
Status typed_dot(cublasHandle_t h, int64_t n, const void* x, cudaDataType type_x, int64_t incx,
                 const void* y, cudaDataType type_y, int64_t incy, void* result,
                 cudaDataType type_result, cudaDataType compute) {
  if (type_x != type_y || type_x != type_result) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_types(type_x, compute, [&](auto element, auto computed) {
    using T = decltype(element);
    return run_reduction<Dot<T, conjugates, decltype(computed)>>(h, n, static_cast<const T*>(x),
                                                                 incx, static_cast<const T*>(y),
                                                                 incy, static_cast<T*>(result));
  });
}
Status dot_ex(cublasHandle_t h, int64_t n, const void* x, cudaDataType type_x, int64_t incx,
              const void* y, cudaDataType type_y, int64_t incy, void* result,
              cudaDataType type_result, cudaDataType compute) {
  return typed_dot<false>(h, n, x, type_x, incx, y, type_y, incy, result, type_result, compute);
}
Status dotc_ex(cublasHandle_t h, int64_t n, const void* x, cudaDataType type_x, int64_t incx,
               const void* y, cudaDataType type_y, int64_t incy, void* result,
               cudaDataType type_result, cudaDataType compute) {
  return typed_dot<true>(h, n, x, type_x, incx, y, type_y, incy, result, type_result, compute);
}
cudaDataType real_of(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}
// The norm of complex numbers computes in their real type.
Status nrm2_ex(cublasHandle_t h, int64_t n, const void* x, cudaDataType type_x, int64_t incx,
               void* result, cudaDataType type_result, cudaDataType compute) {
  if (type_result != real_of(type_x)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool is_complex = real_of(type_x) != type_x;
  if (is_complex && compute != type_result) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_types(type_x, is_complex ? type_x : compute, [&](auto element, auto) {
    using T = decltype(element);
    return reduce_one<Norm<T>>(h, n, static_cast<const T*>(x), incx, static_cast<Real<T>*>(result));
  });
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_typed_vectors_calls.inc"
