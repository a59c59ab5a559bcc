// The calls with 64-bit sizes, whose types are arguments: all types of a call are those of A.
#include "cusolver/handle.h"

namespace heddle::solver {
namespace {

// Calls use(T{}) for the type of A.
template <class Use>
Status with_type(cudaDataType type, Use use) {
  switch (type) {
    case CUDA_R_32F: return use(float{});
    case CUDA_R_64F: return use(double{});
    case CUDA_C_32F: return use(float2{});
    case CUDA_C_64F: return use(double2{});
    default: return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
}
cudaDataType real_type(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}
constexpr size_t kWorkBytes = 256;
Status work_sizes(cusolverDnHandle_t h, size_t* device, size_t* host) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(device && host);
  *device = kWorkBytes;
  *host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
#define HEDDLE_SUPPORT(condition) \
  if (!(condition)) return CUSOLVER_STATUS_NOT_SUPPORTED

Status xpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
              cudaDataType type, void* a, int64_t lda, cudaDataType compute, void*, size_t, void*,
              size_t, int* info) {
  HEDDLE_SUPPORT(type == compute);
  return with_type(
      type, [&]<class T>(T) { return cholesky<T>(h, uplo, n, static_cast<T*>(a), lda, info); });
}
Status xpotrf_buffer_size(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t uplo,
                          int64_t n, cudaDataType, const void*, int64_t lda, cudaDataType,
                          size_t* device, size_t* host) {
  HEDDLE_NEED(is_fill(uplo) && n >= 0 && holds(lda, n));
  return work_sizes(h, device, host);
}
Status xpotrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
              int64_t nrhs, cudaDataType type, const void* a, int64_t lda, cudaDataType type_b,
              void* b, int64_t ldb, int* info) {
  HEDDLE_SUPPORT(type == type_b);
  return with_type(type, [&]<class T>(T) {
    return solve_cholesky<T>(h, uplo, n, nrhs, static_cast<const T*>(a), lda, static_cast<T*>(b),
                             ldb, info);
  });
}
Status xgetrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
              void* a, int64_t lda, int64_t* pivots, cudaDataType compute, void*, size_t, void*,
              size_t, int* info) {
  HEDDLE_SUPPORT(type == compute);
  return with_type(type, [&]<class T>(T) {
    return factor_lu<T>(h, m, n, static_cast<T*>(a), lda, pivots, info);
  });
}
Status xgetrf_buffer_size(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                          cudaDataType, const void*, int64_t lda, cudaDataType, size_t* device,
                          size_t* host) {
  HEDDLE_NEED(m >= 0 && n >= 0 && holds(lda, m));
  return work_sizes(h, device, host);
}
Status xgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t trans, int64_t n,
              int64_t nrhs, cudaDataType type, const void* a, int64_t lda, const int64_t* pivots,
              cudaDataType type_b, void* b, int64_t ldb, int* info) {
  HEDDLE_SUPPORT(type == type_b);
  return with_type(type, [&]<class T>(T) {
    return solve_lu<T>(h, trans, n, nrhs, static_cast<const T*>(a), lda, pivots, static_cast<T*>(b),
                       ldb, info);
  });
}
Status xgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type,
              void* a, int64_t lda, cudaDataType type_tau, void* tau, cudaDataType compute, void*,
              size_t, void*, size_t, int* info) {
  HEDDLE_SUPPORT(type == compute && type == type_tau);
  return with_type(type, [&]<class T>(T) {
    return factor_qr<T>(h, m, n, static_cast<T*>(a), lda, static_cast<T*>(tau), info);
  });
}
Status xgeqrf_buffer_size(cusolverDnHandle_t h, cusolverDnParams_t params, int64_t m, int64_t n,
                          cudaDataType type, const void* a, int64_t lda, cudaDataType, const void*,
                          cudaDataType compute, size_t* device, size_t* host) {
  return xgetrf_buffer_size(h, params, m, n, type, a, lda, compute, device, host);
}
Status xsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t jobz,
              cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a, int64_t lda,
              cudaDataType type_w, void* w, cudaDataType compute, void*, size_t, void*, size_t,
              int* info) {
  HEDDLE_SUPPORT(type == compute && type_w == real_type(type));
  return with_type(type, [&]<class T>(T) {
    Iterations iterations;
    return find_eigenvalues<T>(h, jobz, uplo, n, static_cast<T*>(a), lda, static_cast<Real<T>*>(w),
                               info, iterations);
  });
}
Status xsyevd_buffer_size(cusolverDnHandle_t h, cusolverDnParams_t params, cusolverEigMode_t jobz,
                          cublasFillMode_t uplo, int64_t n, cudaDataType type, const void* a,
                          int64_t lda, cudaDataType, const void*, cudaDataType compute,
                          size_t* device, size_t* host) {
  HEDDLE_NEED(is_mode(jobz));
  return xpotrf_buffer_size(h, params, uplo, n, type, a, lda, compute, device, host);
}
Status xgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char jobu, signed char jobvt,
              int64_t m, int64_t n, cudaDataType type, void* a, int64_t lda, cudaDataType type_s,
              void* s, cudaDataType type_u, void* u, int64_t ldu, cudaDataType type_vt, void* vt,
              int64_t ldvt, cudaDataType compute, void*, size_t, void*, size_t, int* info) {
  HEDDLE_SUPPORT(type == compute && type_s == real_type(type) && type_u == type && type_vt == type);
  return with_type(type, [&]<class T>(T) {
    return find_singular_values<T>(h, jobu, jobvt, m, n, static_cast<T*>(a), lda,
                                   static_cast<Real<T>*>(s), static_cast<T*>(u), ldu,
                                   static_cast<T*>(vt), ldvt, info);
  });
}
Status xgesvd_buffer_size(cusolverDnHandle_t h, cusolverDnParams_t params, signed char, signed char,
                          int64_t m, int64_t n, cudaDataType type, const void* a, int64_t lda,
                          cudaDataType, const void*, cudaDataType, const void*, int64_t,
                          cudaDataType, const void*, int64_t, cudaDataType compute, size_t* device,
                          size_t* host) {
  HEDDLE_NEED(m >= n);
  return xgetrf_buffer_size(h, params, m, n, type, a, lda, compute, device, host);
}

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_typed_calls.inc"
