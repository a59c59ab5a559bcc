// Row exchanges of LU factorisations.
#pragma once
#include "shared/numbers.h"

namespace heddle {

// The first row from k on with the largest element of this column of n. By all threads of a block.
template <int kBlock, class T, class Index>
__device__ Index pivot_row(const T* column, Index k, Index n) {
  __shared__ Real<T> sizes[kBlock];
  __shared__ Index rows[kBlock];
  Real<T> size = -1;
  Index row = k;
  for (Index i = k + static_cast<Index>(threadIdx.x); i < n; i += kBlock) {
    const Real<T> other = magnitude(column[i]);
    if (other > size) size = other, row = i;
  }
  sizes[threadIdx.x] = size, rows[threadIdx.x] = row;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    const int i = threadIdx.x, other = i + half;
    if (i < half &&
        (sizes[other] > sizes[i] || (sizes[other] == sizes[i] && rows[other] < rows[i])))
      sizes[i] = sizes[other], rows[i] = rows[other];
  }
  __syncthreads();
  return rows[0];
}

// Exchanges the element of the column with that of another row.
template <class T, class Index>
__device__ __forceinline__ void exchange_elements(T* column, Index row, Index other) {
  const T kept = column[row];
  column[row] = column[other];
  column[other] = kept;
}

}  // namespace heddle
