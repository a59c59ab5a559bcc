// A product of matrices of 8-bit floating-point numbers, which only cublasLt has:
//   T = epilogue(alpha scaleA scaleB A^T B + beta C), amaxD = largest |T|, D = scaleD T.
#pragma once
#include "cublas/product.h"

namespace heddle::blas {

// The types of C, D and the bias, which the kernel selects where it stores.
enum class Stored { single, half, bfloat16, e4m3, e5m2 };

// A^T has m rows and B n columns, in each of which the k elements are neighbours.
struct NarrowProduct {
  int64_t m, n, k;
  const uint8_t *a, *b;
  int64_t lda, ldb, a_stride, b_stride;
  Factor<float> alpha, beta;
  const float *a_scale, *b_scale, *d_scale;  // null: 1
  const void* c;
  int64_t ldc, c_stride;
  Stored c_type;
  void* d;
  int64_t ldd, d_stride;
  Stored d_type;
  Epilogue::Function function;
  const void* bias;  // null: none
  int64_t bias_stride;
  Stored bias_type;
  float* amax;  // 0 before the kernel; null: none
};

// On a GPU of compute capability 8.9 or later.
Status launch_narrow(const cublasContext& h, const NarrowProduct& p, cudaDataType a_type,
                     cudaDataType b_type, int64_t count);

}  // namespace heddle::blas
