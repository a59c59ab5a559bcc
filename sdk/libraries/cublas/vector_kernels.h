// Kernels of level 1: work on pairs of elements, and reductions. Elements T may be stored in a
// narrower type than the one that computes.
#pragma once
#include "cublas/handle.h"

namespace heddle::blas {

template <class T, class Work>
__global__ void for_each_pair(int64_t n, T* x, int64_t incx, T* y, int64_t incy, Work work) {
  for (int64_t i = first_index(); i < n; i += index_step()) work(x[i * incx], y[i * incy]);
}

template <class A, class T>
struct Axpy {
  Scalar<A> alpha;
  __device__ void operator()(T& x, T& y) const {
    y = convert<T>(multiply_add(alpha.get(), convert<A>(x), convert<A>(y)));
  }
};
template <class T>
struct Copy {
  __device__ void operator()(T& x, T& y) const { y = x; }
};
template <class T>
struct Swap {
  __device__ void operator()(T& x, T& y) const {
    const T kept = x;
    x = y;
    y = kept;
  }
};
// A real factor multiplies complex elements, too.
template <class A, class T>
struct Scale {
  Scalar<A> alpha;
  __device__ void operator()(T& x, T&) const {
    if constexpr (kComplex<T>)
      x = alpha.get() * x;
    else
      x = convert<T>(alpha.get() * convert<A>(x));
  }
};
template <class T, class S>
struct Rotate {
  Scalar<Real<T>> c;
  Scalar<S> s;
  __device__ void operator()(T& x, T& y) const {
    const T turned = c.get() * x + s.get() * y;
    y = c.get() * y - conjugate(s.get()) * x;
    x = turned;
  }
};

template <class T, class Work>
Status run_pairs(cublasHandle_t h, int64_t n, T* x, int64_t incx, T* y, int64_t incy, Work work) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(x && y);
  for_each_pair<<<blocks_for(n), kThreads, 0, h->stream>>>(n, first_of(x, n, incx), incx,
                                                           first_of(y, n, incy), incy, work);
  return launched();
}

// Reductions. Partial results of blocks are combined by one more block, so that results do not
// depend on the order of blocks.
template <class T, bool conjugates, class Sum = T>
struct Dot {
  using Value = Sum;
  using Result = T;
  static __device__ Value none() { return from_real<Sum>(0); }
  static __device__ Value of(T x, T y, int64_t) {
    return (conjugates ? conjugate(convert<Sum>(x)) : convert<Sum>(x)) * convert<Sum>(y);
  }
  static __device__ Value join(Value a, Value b) { return a + b; }
  static __device__ Result result(Value v) { return convert<T>(v); }
};
template <class T>
struct Asum {
  using Value = Real<T>;
  using Result = Real<T>;
  static __device__ Value none() { return 0; }
  static __device__ Value of(T x, T, int64_t) { return magnitude(x); }
  static __device__ Value join(Value a, Value b) { return a + b; }
  static __device__ Result result(Value v) { return v; }
};
// scale^2 * sum, as LAPACK's dlassq, so that squares do not overflow.
struct Squares {
  double scale, sum;
};
template <class T>
struct Norm {
  using Value = Squares;
  using Result = Real<T>;
  static __device__ Value none() { return {0, 0}; }
  static __device__ Value join(Value a, Value b) {
    if (!(a.scale >= b.scale)) {
      const Value kept = a;
      a = b;
      b = kept;
    }
    if (b.scale == 0) return a;
    const double ratio = b.scale / a.scale;
    a.sum += b.sum * ratio * ratio;
    return a;
  }
  static __device__ Value of(T x, T, int64_t) {
    if constexpr (kComplex<T>)
      return join({fabs(static_cast<double>(x.x)), 1}, {fabs(static_cast<double>(x.y)), 1});
    else
      return {fabs(convert<double>(x)), 1};
  }
  static __device__ Result result(Value v) { return convert<Result>(v.scale * sqrt(v.sum)); }
};
struct Candidate {
  double value;
  int64_t index;  // from 1, 0 is none
};
template <class T, class Index, bool largest>
struct Extreme {
  using Value = Candidate;
  using Result = Index;
  static __device__ Value none() { return {0, 0}; }
  static __device__ Value of(T x, T, int64_t i) { return {magnitude(x), i + 1}; }
  static __device__ Value join(Value a, Value b) {
    if (a.index == 0 || b.index == 0) return a.index ? a : b;
    const bool first = a.value == b.value ? a.index < b.index
                       : largest          ? a.value > b.value
                                          : a.value < b.value;
    return first ? a : b;
  }
  static __device__ Result result(Value v) { return static_cast<Result>(v.index); }
};

template <class Kind>
__device__ void join_block(typename Kind::Value value, typename Kind::Value* joined,
                           typename Kind::Result* result) {
  __shared__ typename Kind::Value values[kThreads];
  values[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] = Kind::join(values[threadIdx.x], values[threadIdx.x + half]);
  }
  if (threadIdx.x != 0) return;
  if (result)
    *result = Kind::result(values[0]);
  else
    *joined = values[0];
}
template <class Kind, class T>
__global__ void reduce(int64_t n, const T* x, int64_t incx, const T* y, int64_t incy,
                       typename Kind::Value* joined, typename Kind::Result* result) {
  typename Kind::Value value = Kind::none();
  for (int64_t i = first_index(); i < n; i += index_step())
    value = Kind::join(value, Kind::of(x[i * incx], y[i * incy], i));
  join_block<Kind>(value, joined + blockIdx.x, gridDim.x == 1 ? result : nullptr);
}
template <class Kind>
__global__ void reduce_blocks(int n, const typename Kind::Value* joined,
                              typename Kind::Result* result) {
  typename Kind::Value value = Kind::none();
  for (int i = threadIdx.x; i < n; i += kThreads) value = Kind::join(value, joined[i]);
  join_block<Kind>(value, nullptr, result);
}

template <class Kind, class T>
Status run_reduction(cublasHandle_t h, int64_t n, const T* x, int64_t incx, const T* y,
                     int64_t incy, typename Kind::Result* result) {
  using Value = typename Kind::Value;
  using Result = typename Kind::Result;
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(result);
  const bool to_host = h->pointer_mode == CUBLAS_POINTER_MODE_HOST;
  if (n <= 0) {
    if (to_host)
      *result = Result{};
    else
      cudaMemsetAsync(result, 0, sizeof(Result), h->stream);
    return launched();
  }
  HEDDLE_NEED(x && y);
  constexpr int64_t kBlocks = 1024, kEach = 16;  // elements of a thread before more blocks start
  static_assert(kBlocks * sizeof(Value) < kScratchBytes);
  auto* const joined = static_cast<Value*>(h->scratch);
  auto* const scratch = reinterpret_cast<Result*>(joined + kBlocks);
  Result* const out = to_host ? scratch : result;
  const unsigned blocks = blocks_for(ceil_div(n, kEach), kBlocks);
  reduce<Kind><<<blocks, kThreads, 0, h->stream>>>(n, first_of(x, n, incx), incx,
                                                   first_of(y, n, incy), incy, joined, out);
  if (blocks > 1)
    reduce_blocks<Kind><<<1, kThreads, 0, h->stream>>>(static_cast<int>(blocks), joined, out);
  if (to_host && (cudaMemcpyAsync(result, out, sizeof(Result), cudaMemcpyDeviceToHost, h->stream) !=
                      cudaSuccess ||
                  cudaStreamSynchronize(h->stream) != cudaSuccess))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return launched();
}
// Reductions of one vector: nothing is reduced when the increment is not positive.
template <class Kind, class T>
Status reduce_one(cublasHandle_t h, int64_t n, const T* x, int64_t incx,
                  typename Kind::Result* result) {
  return run_reduction<Kind>(h, incx > 0 ? n : 0, x, incx, x, incx, result);
}

}  // namespace heddle::blas
