// cuBLAS by element type.
#pragma once
#include "cusolver/handle.h"

namespace heddle::solver {

inline cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n,
                           const float* alpha, const float* a, int64_t lda, float* b, int64_t ldb) {
  return cublasStrsm_64(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
inline cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n,
                           const double* alpha, const double* a, int64_t lda, double* b,
                           int64_t ldb) {
  return cublasDtrsm_64(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
inline cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n,
                           const float2* alpha, const float2* a, int64_t lda, float2* b,
                           int64_t ldb) {
  return cublasCtrsm_64(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
inline cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n,
                           const double2* alpha, const double2* a, int64_t lda, double2* b,
                           int64_t ldb) {
  return cublasZtrsm_64(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

// C = alpha op(A) B or alpha B op(A), A triangular.
template <class T, class... Rest>
cublasStatus_t trmm(cublasHandle_t h, Rest... rest) {
  if constexpr (std::is_same_v<T, float>)
    return cublasStrmm_64(h, rest...);
  else if constexpr (std::is_same_v<T, double>)
    return cublasDtrmm_64(h, rest...);
  else if constexpr (std::is_same_v<T, float2>)
    return cublasCtrmm_64(h, rest...);
  else
    return cublasZtrmm_64(h, rest...);
}

// C = C - op(A) op(B)
template <class T>
cublasStatus_t subtract_product(cublasHandle_t h, cublasOperation_t trans_a,
                                cublasOperation_t trans_b, int64_t m, int64_t n, int64_t k,
                                const T* a, int64_t lda, const T* b, int64_t ldb, T* c,
                                int64_t ldc) {
  const T minus = from_real<T>(-1), plus = one<T>();
  if constexpr (std::is_same_v<T, float>)
    return cublasSgemm_64(h, trans_a, trans_b, m, n, k, &minus, a, lda, b, ldb, &plus, c, ldc);
  else if constexpr (std::is_same_v<T, double>)
    return cublasDgemm_64(h, trans_a, trans_b, m, n, k, &minus, a, lda, b, ldb, &plus, c, ldc);
  else if constexpr (std::is_same_v<T, float2>)
    return cublasCgemm_64(h, trans_a, trans_b, m, n, k, &minus, a, lda, b, ldb, &plus, c, ldc);
  else
    return cublasZgemm_64(h, trans_a, trans_b, m, n, k, &minus, a, lda, b, ldb, &plus, c, ldc);
}
// The stored triangle of C = C - A A^H (A^H A from the other side).
template <class T>
cublasStatus_t subtract_square(cublasHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t k,
                               const T* a, int64_t lda, T* c, int64_t ldc) {
  const Real<T> minus = -1, plus = 1;
  const cublasOperation_t op = uplo == CUBLAS_FILL_MODE_LOWER ? CUBLAS_OP_N
                               : kComplex<T>                  ? CUBLAS_OP_C
                                                              : CUBLAS_OP_T;
  if constexpr (std::is_same_v<T, float>)
    return cublasSsyrk_64(h, uplo, op, n, k, &minus, a, lda, &plus, c, ldc);
  else if constexpr (std::is_same_v<T, double>)
    return cublasDsyrk_64(h, uplo, op, n, k, &minus, a, lda, &plus, c, ldc);
  else if constexpr (std::is_same_v<T, float2>)
    return cublasCherk_64(h, uplo, op, n, k, &minus, a, lda, &plus, c, ldc);
  else
    return cublasZherk_64(h, uplo, op, n, k, &minus, a, lda, &plus, c, ldc);
}

}  // namespace heddle::solver
