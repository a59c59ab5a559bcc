// What cublasLt's epilogues for training do besides the sums: masks of ReLU, and gradients of a
// bias, which are sums of the rows or columns of a matrix. Each is a kernel after the product.
#pragma once
#include "cublas/product.h"

namespace heddle::blas {

// A bit for each element of D, columns `ld` bits apart.
struct ReluMask {
  uint8_t* bytes = nullptr;
  int64_t ld = 0, stride = 0;
  __device__ uint8_t& byte(int64_t row, int64_t column, int64_t batch) const {
    return bytes[(batch * stride + column * ld + row) / 8];
  }
};

struct Beside {
  enum class Mask { none, written, applied };
  Mask mask = Mask::none;
  bool sums_a = false, sums_b = false, sums_d = false;
  bool sums() const { return sums_a || sums_b || sums_d; }
};

// A thread has the eight elements of a byte.
template <class Sum, class T>
__global__ void use_relu_mask(int64_t rows, int64_t columns, Batched<T*> d, int64_t ld,
                              int64_t count, ReluMask mask, bool writes) {
  const int64_t in_column = (rows + 7) / 8, of_matrix = in_column * columns;
  for (int64_t i = first_index(); i < of_matrix * count; i += index_step()) {
    const int64_t batch = i / of_matrix, column = i % of_matrix / in_column;
    const int64_t row = i % in_column * 8;
    T* const elements = d.at(batch) + column * ld + row;
    uint8_t& byte = mask.byte(row, column, batch);
    unsigned bits = writes ? 0 : byte;
    for (int b = 0; b < 8 && row + b < rows; ++b) {
      if (writes)
        bits |= (convert<Sum>(elements[b]) > 0 ? 1u : 0u) << b;
      else if ((bits >> b & 1) == 0)
        elements[b] = convert<T>(Sum(0));
    }
    if (writes) byte = static_cast<uint8_t>(bits);
  }
}

// A block sums a line, `step` from element to element, in a fixed order.
template <class In, class Sum, class Out>
__global__ void sum_lines(int64_t lines, int64_t length, Batched<const In*> from,
                          int64_t line_stride, int64_t step, int64_t count, Out* to,
                          int64_t to_stride) {
  __shared__ Sum parts[kThreads];
  for (int64_t i = blockIdx.x; i < lines * count; i += gridDim.x) {
    const int64_t batch = i / lines, line = i % lines;
    const In* const data = from.at(batch) + line * line_stride;
    Sum sum = 0;
    for (int64_t l = threadIdx.x; l < length; l += kThreads) sum += convert<Sum>(data[l * step]);
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) to[line + batch * to_stride] = convert<Out>(parts[0]);
    __syncthreads();
  }
}

// `k`: the length of the sums of the product, also where its factor is 0.
template <class In, class Sum, class Out>
Status write_beside(const cublasContext& h, const Product<In, Sum, Out>& p, const Beside& beside,
                    int64_t k, int64_t count, ReluMask mask, void* bias, int64_t bias_stride) {
  if (beside.mask != Beside::Mask::none)
    use_relu_mask<Sum><<<blocks_for(ceil_div(p.m, 8) * p.n * count), kThreads, 0, h.stream>>>(
        p.m, p.n, p.d, p.ldd, count, mask, beside.mask == Beside::Mask::written);
  const auto sum = [&](auto from, int64_t lines, int64_t length, int64_t line_stride,
                       int64_t step) {
    const auto blocks = static_cast<unsigned>(std::min<int64_t>(lines * count, 65535));
    using T = std::remove_const_t<std::remove_pointer_t<decltype(from.first)>>;
    sum_lines<T, Sum, Out><<<blocks, kThreads, 0, h.stream>>>(
        lines, length, from, line_stride, step, count, static_cast<Out*>(bias), bias_stride);
  };
  if (beside.sums_a) sum(p.a, p.m, k, p.a_row, p.a_column);
  if (beside.sums_b) sum(p.b, p.n, k, p.b_column, p.b_row);
  if (beside.sums_d) sum(Batched<const Out*>{p.d.first, nullptr, p.d.stride}, p.m, p.n, 1, p.ldd);
  return launched();
}

}  // namespace heddle::blas
