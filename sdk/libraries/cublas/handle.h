// The handle of cuBLAS and what its calls share. Sizes are 64 bits inside.
#pragma once
#include <cublas_v2.h>

#include <cstdio>
#include <set>

#include "shared/launches.h"
#include "shared/numbers.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  int sm_count_target = 0;
  int capability = 0;  // 75 for 7.5
  int sms = 0;
  void* scratch = nullptr;  // kScratchBytes of device memory, for reductions
};

namespace heddle::blas {

using Status = cublasStatus_t;
constexpr size_t kScratchBytes = 64 << 10;

// A factor that the host gave, or that a kernel reads.
template <class T>
struct Scalar {
  const T* pointer;
  T value;
  __device__ __forceinline__ T get() const { return pointer ? *pointer : value; }
};
template <class T>
Scalar<T> scalar(const cublasContext& h, const T* p) {
  return h.pointer_mode == CUBLAS_POINTER_MODE_HOST ? Scalar<T>{nullptr, *p} : Scalar<T>{p, T{}};
}
template <class T>
Scalar<T> constant(T value) {
  return {nullptr, value};
}
// Whether the host knows that the factor is this number.
template <class T>
bool is_known(const Scalar<T>& s, Real<T> number) {
  return !s.pointer && is_zero(s.value - from_real<T>(number));
}

// The status of the launches since the last call.
inline Status launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline bool is_operation(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }
inline bool is_fill(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool is_diagonal(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT;
}
inline bool holds(int64_t ld, int64_t rows) { return ld >= std::max<int64_t>(1, rows); }

// Where element 0 of a vector of BLAS is: with a negative increment it is the last in memory.
template <class T>
T* first_of(T* x, int64_t n, int64_t inc) {
  return inc < 0 ? x + (1 - n) * inc : x;
}

// Prints what a call asks for and the library does not have: once for each call.
inline void report_lack(const char* call, const char* what) {
  static std::set<const char*> reported;
  if (reported.insert(call).second)
    std::fprintf(stderr, "heddle: %s: Heddle's cuBLAS does not have %s\n", call, what);
}

#define HEDDLE_NEED_HANDLE(h) \
  if (!(h)) return CUBLAS_STATUS_NOT_INITIALIZED
#define HEDDLE_NEED(condition) \
  if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE

}  // namespace heddle::blas
