// Sparse vectors with dense ones. Indices of a sparse vector are all different.
#include "cusparse/handle.h"

namespace heddle::sparse {
namespace {

using SparseVector = cusparseSpVecDescr;
using Vector = cusparseDnVecDescr;

template <class T, class Work>
__global__ void for_each_entry(int64_t count, Indices indices, Values<T> x, Values<T> y,
                               Work work) {
  for (int64_t i = first_index(); i < count; i += index_step()) work(x, i, y, indices.at(i));
}
// Calls work(x, i, y, index) for every entry i of x.
template <class T, class Work>
Status run_entries(cusparseHandle_t h, const SparseVector& x, const Vector& y, Work work) {
  if (x.count == 0) return CUSPARSE_STATUS_SUCCESS;
  for_each_entry<T><<<blocks_for(x.count), kThreads, 0, h->stream>>>(
      x.count, indices_of(x.indices, x.index_type, x.base), {x.values, x.type}, {y.values, y.type},
      work);
  return launched();
}
template <class T>
struct Gather {
  __device__ void operator()(Values<T> x, int64_t i, Values<T> y, int64_t at) const {
    x.put(i, y.at(at));
  }
};
template <class T>
struct Scatter {
  __device__ void operator()(Values<T> x, int64_t i, Values<T> y, int64_t at) const {
    y.put(at, x.at(i));
  }
};
template <class T>
struct Add {
  Scalar<T> alpha;
  __device__ void operator()(Values<T> x, int64_t i, Values<T> y, int64_t at) const {
    y.put(at, multiply_add(alpha.get(), x.at(i), y.at(at)));
  }
};
template <class T>
struct Rotate {
  Scalar<T> c, s;
  __device__ void operator()(Values<T> x, int64_t i, Values<T> y, int64_t at) const {
    const T left = x.at(i), right = y.at(at);
    x.put(i, c.get() * left + s.get() * right);
    y.put(at, c.get() * right - s.get() * left);
  }
};
template <class T>
__global__ void scale(int64_t n, Scalar<T> beta, Values<T> y) {
  const T factor = beta.get();
  for (int64_t i = first_index(); i < n; i += index_step())
    y.put(i, is_zero(factor) ? factor : factor * y.at(i));
}

// The type that computes with the values of a vector.
cudaDataType computing(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}
Status check_pair(cusparseHandle_t h, const SparseVector* x, const Vector* y) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(x && y && x->size == y->size);
  HEDDLE_SUPPORT(x->type == y->type);
  return CUSPARSE_STATUS_SUCCESS;
}

Status axpby(cusparseHandle_t h, const void* alpha, cusparseConstSpVecDescr_t x, const void* beta,
             cusparseDnVecDescr_t y) {
  HEDDLE_TRY(check_pair(h, x, y));
  HEDDLE_NEED(alpha && beta);
  return with_type(computing(x->type), [&]<class T>(T) {
    if (y->size > 0)
      scale<T><<<blocks_for(y->size), kThreads, 0, h->stream>>>(y->size, scalar<T>(*h, beta),
                                                                {y->values, y->type});
    return run_entries<T>(h, *x, *y, Add<T>{scalar<T>(*h, alpha)});
  });
}
Status gather(cusparseHandle_t h, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
  HEDDLE_TRY(check_pair(h, x, y));
  return with_type(computing(x->type),
                   [&]<class T>(T) { return run_entries<T>(h, *x, *y, Gather<T>{}); });
}
Status scatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
  HEDDLE_TRY(check_pair(h, x, y));
  return with_type(computing(x->type),
                   [&]<class T>(T) { return run_entries<T>(h, *x, *y, Scatter<T>{}); });
}
Status rot(cusparseHandle_t h, const void* c, const void* s, cusparseSpVecDescr_t x,
           cusparseDnVecDescr_t y) {
  HEDDLE_TRY(check_pair(h, x, y));
  HEDDLE_NEED(c && s);
  return with_type(computing(x->type), [&]<class T>(T) {
    return run_entries<T>(h, *x, *y, Rotate<T>{scalar<T>(*h, c), scalar<T>(*h, s)});
  });
}

// One block: the order of the sum does not depend on the policy.
template <class T>
__global__ void dot(int64_t count, Indices indices, Values<T> x, Values<T> y, bool conjugates,
                    T* result) {
  __shared__ T sums[kThreads];
  T sum = from_real<T>(0);
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    const T value = x.at(i);
    sum = multiply_add(conjugates ? conjugate(value) : value, y.at(indices.at(i)), sum);
  }
  sums[threadIdx.x] = sum;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = sums[0];
}
Status check_dot(cusparseHandle_t h, Operation op, cusparseConstSpVecDescr_t x,
                 cusparseConstDnVecDescr_t y, const void* result, cudaDataType compute) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(x && y && result && x->size == y->size && is_operation(op));
  return with_type(compute, [&]<class T>(T) {
    HEDDLE_SUPPORT(is_stored_as<T>(x->type) && is_stored_as<T>(y->type));
    return CUSPARSE_STATUS_SUCCESS;
  });
}
Status sp_vv_buffer_size(cusparseHandle_t h, Operation op, cusparseConstSpVecDescr_t x,
                         cusparseConstDnVecDescr_t y, const void* result, cudaDataType compute,
                         size_t* bytes) {
  HEDDLE_TRY(check_dot(h, op, x, y, result, compute));
  return buffer_size(h, bytes);
}
// While the stream is captured, nobody can wait: the copy becomes a node of the graph.
Status return_result(cudaStream_t stream, void* host, const void* device, size_t bytes) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &capture) != cudaSuccess ||
      capture == cudaStreamCaptureStatusNone)
    return read_back(stream, host, device, bytes);
  return cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}
Status sp_vv(cusparseHandle_t h, Operation op, cusparseConstSpVecDescr_t x,
             cusparseConstDnVecDescr_t y, void* result, cudaDataType compute, void*) {
  HEDDLE_TRY(check_dot(h, op, x, y, result, compute));
  return with_type(compute, [&]<class T>(T) {
    const bool to_host = h->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    const Workspace memory(sizeof(T), h->stream);
    if (!memory.as<T>()) return CUSPARSE_STATUS_ALLOC_FAILED;
    T* const out = to_host ? memory.as<T>() : static_cast<T*>(result);
    dot<T><<<1, kThreads, 0, h->stream>>>(x->count, indices_of(x->indices, x->index_type, x->base),
                                          {x->values, x->type}, {y->values, y->type},
                                          op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, out);
    return to_host ? return_result(h->stream, result, out, sizeof(T)) : launched();
  });
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_vectors_calls.inc"
