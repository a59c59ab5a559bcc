// Level 1: vectors and their reductions.
#include "cublas/vector_kernels.h"

namespace heddle::blas {
namespace {

template <class T>
Status axpy(cublasHandle_t h, int64_t n, const T* alpha, const T* x, int64_t incx, T* y,
            int64_t incy) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha);
  const Scalar<T> a = scalar(*h, alpha);
  if (is_known(a, 0)) return CUBLAS_STATUS_SUCCESS;
  return run_pairs(h, n, const_cast<T*>(x), incx, y, incy, Axpy<T, T>{a});
}
template <class T>
Status copy(cublasHandle_t h, int64_t n, const T* x, int64_t incx, T* y, int64_t incy) {
  HEDDLE_NEED_HANDLE(h);
  return run_pairs(h, n, const_cast<T*>(x), incx, y, incy, Copy<T>{});
}
template <class T>
Status swap(cublasHandle_t h, int64_t n, T* x, int64_t incx, T* y, int64_t incy) {
  HEDDLE_NEED_HANDLE(h);
  return run_pairs(h, n, x, incx, y, incy, Swap<T>{});
}
template <class A, class T>
Status scal(cublasHandle_t h, int64_t n, const A* alpha, T* x, int64_t incx) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(alpha);
  if (incx <= 0) return CUBLAS_STATUS_SUCCESS;
  return run_pairs(h, n, x, incx, x, incx, Scale<A, T>{scalar(*h, alpha)});
}
template <class T, class S>
Status rot(cublasHandle_t h, int64_t n, T* x, int64_t incx, T* y, int64_t incy, const Real<T>* c,
           const S* s) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(c && s);
  return run_pairs(h, n, x, incx, y, incy, Rotate<T, S>{scalar(*h, c), scalar(*h, s)});
}

template <class T>
Status dot(cublasHandle_t h, int64_t n, const T* x, int64_t incx, const T* y, int64_t incy,
           T* result) {
  return run_reduction<Dot<T, false>>(h, n, x, incx, y, incy, result);
}
template <class T>
Status dotu(cublasHandle_t h, int64_t n, const T* x, int64_t incx, const T* y, int64_t incy,
            T* result) {
  return run_reduction<Dot<T, false>>(h, n, x, incx, y, incy, result);
}
template <class T>
Status dotc(cublasHandle_t h, int64_t n, const T* x, int64_t incx, const T* y, int64_t incy,
            T* result) {
  return run_reduction<Dot<T, true>>(h, n, x, incx, y, incy, result);
}
template <class T>
Status nrm2(cublasHandle_t h, int64_t n, const T* x, int64_t incx, Real<T>* result) {
  return reduce_one<Norm<T>>(h, n, x, incx, result);
}
template <class T>
Status asum(cublasHandle_t h, int64_t n, const T* x, int64_t incx, Real<T>* result) {
  return reduce_one<Asum<T>>(h, n, x, incx, result);
}
template <class T, class Index>
Status amax(cublasHandle_t h, int64_t n, const T* x, int64_t incx, Index* result) {
  return reduce_one<Extreme<T, Index, true>>(h, n, x, incx, result);
}
template <class T, class Index>
Status amin(cublasHandle_t h, int64_t n, const T* x, int64_t incx, Index* result) {
  return reduce_one<Extreme<T, Index, false>>(h, n, x, incx, result);
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_vectors_calls.inc"
