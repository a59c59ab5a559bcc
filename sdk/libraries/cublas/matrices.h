// How kernels read the matrices of BLAS: as stored, transposed, or from one triangle.
#pragma once
#include "cublas/handle.h"

namespace heddle::blas {

enum class Shape { general, symmetric, hermitian, triangular };
// The part of a result that is stored.
enum class Part { all, lower, upper };
inline Part part_of(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper;
}

// op(A) of a column-major matrix.
template <class T>
struct Matrix {
  const T* data;
  int64_t ld;
  bool transposed = false, conjugated = false;
  Shape shape = Shape::general;
  bool lower = false, unit = false;

  __device__ __forceinline__ T at(int64_t row, int64_t column) const {
    if (transposed) {
      const int64_t kept = row;
      row = column;
      column = kept;
    }
    bool conjugates = conjugated;
    if (shape != Shape::general) {
      const bool stored = lower ? row >= column : row <= column;
      if (shape == Shape::triangular) {
        if (!stored) return from_real<T>(0);
        if (unit && row == column) return from_real<T>(1);
      } else if (!stored) {
        const int64_t kept = row;
        row = column;
        column = kept;
        conjugates = shape == Shape::hermitian;
      }
    }
    T value = data[row + column * ld];
    if constexpr (kComplex<T>) {
      if (shape == Shape::hermitian && row == column) value.y = 0;
      if (conjugates) value.y = -value.y;
    }
    return value;
  }
};

template <class T>
Matrix<T> operated(const T* a, int64_t lda, cublasOperation_t op) {
  return {a, lda, op != CUBLAS_OP_N, op == CUBLAS_OP_C};
}
template <class T>
Matrix<T> triangle(const T* a, int64_t lda, Shape shape, cublasFillMode_t uplo,
                   cublasOperation_t op = CUBLAS_OP_N,
                   cublasDiagType_t diag = CUBLAS_DIAG_NON_UNIT) {
  return {a,
          lda,
          op != CUBLAS_OP_N,
          op == CUBLAS_OP_C,
          shape,
          uplo == CUBLAS_FILL_MODE_LOWER,
          diag == CUBLAS_DIAG_UNIT};
}

// The same pointer, of which the compiler knows that it is one to global memory.
template <class T>
__device__ __forceinline__ T* global(T* pointer) {
#ifdef __CUDA_ARCH__
  uint64_t address;
  asm("cvta.to.global.u64 %0, %1;" : "=l"(address) : "l"(pointer));
  return (T*)(T __attribute__((address_space(1)))*)address;
#else
  return pointer;
#endif
}

// One of several equal problems: an array of pointers in device memory, or a stride.
template <class P>
struct Batched {
  P first;
  const P* pointers = nullptr;
  int64_t stride = 0;
  __device__ __forceinline__ P at(int64_t i) const {
    return global(pointers ? pointers[i] : first + i * stride);
  }
};

}  // namespace heddle::blas
