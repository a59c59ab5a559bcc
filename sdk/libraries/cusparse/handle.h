// The handle and the descriptors of cuSPARSE, and how kernels read what they describe: indices of
// 32 or 64 bits, and values that may be narrower than the type of the computation.
#pragma once
#include <cusparse.h>

#include "shared/launches.h"
#include "shared/numbers.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
struct cusparseSpVecDescr {
  int64_t size, count;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, columns, ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
  int batches = 1;
  int64_t stride = 0;
};
// `offsets` are the row indices of a matrix in COO.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, count;
  void *offsets, *indices, *values;
  cusparseIndexType_t offsets_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  int batches = 1;
  int64_t offsets_stride = 0, stride = 0;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

namespace heddle::sparse {

using Status = cusparseStatus_t;
using Operation = cusparseOperation_t;
using Matrix = cusparseSpMatDescr;
using DenseMatrix = cusparseDnMatDescr;

// The kernels allocate what they need; a program's buffer only has to exist.
constexpr size_t kBufferBytes = 256;

#define HEDDLE_NEED_HANDLE(h) \
  if (!(h)) return CUSPARSE_STATUS_NOT_INITIALIZED
#define HEDDLE_NEED(condition) \
  if (!(condition)) return CUSPARSE_STATUS_INVALID_VALUE
#define HEDDLE_SUPPORT(condition) \
  if (!(condition)) return CUSPARSE_STATUS_NOT_SUPPORTED
#define HEDDLE_TRY(call) \
  if (const Status status_ = (call); status_ != CUSPARSE_STATUS_SUCCESS) return status_

inline Status launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS
                                              : CUSPARSE_STATUS_EXECUTION_FAILED;
}
template <class Bytes>
Status buffer_size(cusparseHandle_t h, Bytes* bytes) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(bytes);
  *bytes = kBufferBytes;
  return CUSPARSE_STATUS_SUCCESS;
}
inline bool is_operation(Operation op) {
  return op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

// A factor that the host gave, or that a kernel reads.
template <class T>
struct Scalar {
  const T* pointer;
  T value;
  __device__ __forceinline__ T get() const { return pointer ? *pointer : value; }
};
template <class T>
Scalar<T> scalar(const cusparseContext& h, const void* p) {
  const T* const typed = static_cast<const T*>(p);
  return h.pointer_mode == CUSPARSE_POINTER_MODE_HOST ? Scalar<T>{nullptr, *typed}
                                                      : Scalar<T>{typed, T{}};
}

// Indices of a program, from 0 for the kernels.
struct Indices {
  void* data;
  bool wide;
  int64_t base;
  __device__ __forceinline__ int64_t at(int64_t i) const {
    return (wide ? static_cast<const int64_t*>(data)[i] : static_cast<const int*>(data)[i]) - base;
  }
  __device__ __forceinline__ void put(int64_t i, int64_t value) const {
    if (wide)
      static_cast<int64_t*>(data)[i] = value + base;
    else
      static_cast<int*>(data)[i] = static_cast<int>(value + base);
  }
  Indices from(int64_t i) const {
    return {static_cast<char*>(data) + i * (wide ? 8 : 4), wide, base};
  }
};
inline Indices indices_of(const void* data, cusparseIndexType_t type, int64_t base) {
  return {const_cast<void*>(data), type == CUSPARSE_INDEX_64I, base};
}
inline Indices indices_of(const int* data, int64_t base = 0) {
  return {const_cast<int*>(data), false, base};
}

// Which stored types a computation in T reads and writes.
template <class T>
bool is_stored_as(cudaDataType type) {
  if constexpr (std::is_same_v<T, float>)
    return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
  else if constexpr (std::is_same_v<T, double>)
    return type == CUDA_R_64F || type == CUDA_R_32F;
  else if constexpr (std::is_same_v<T, float2>)
    return type == CUDA_C_32F || type == CUDA_R_32F;
  else
    return type == CUDA_C_64F || type == CUDA_R_64F || type == CUDA_C_32F;
}
inline int64_t size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 0;
  }
}
template <class T>
constexpr cudaDataType type_of() {
  return std::is_same_v<T, float>    ? CUDA_R_32F
         : std::is_same_v<T, double> ? CUDA_R_64F
         : std::is_same_v<T, float2> ? CUDA_C_32F
                                     : CUDA_C_64F;
}
// Calls use(T{}) with the type of a computation.
template <class Use>
Status with_type(cudaDataType compute, Use use) {
  switch (compute) {
    case CUDA_R_32F: return use(float{});
    case CUDA_R_64F: return use(double{});
    case CUDA_C_32F: return use(float2{});
    case CUDA_C_64F: return use(double2{});
    default: return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

template <class T>
struct Values {
  void* data;
  cudaDataType type;
  __device__ __forceinline__ T at(int64_t i) const {
    if (type == type_of<T>()) return static_cast<const T*>(data)[i];
    if constexpr (std::is_same_v<T, float>) {
      return type == CUDA_R_16F ? __half2float(static_cast<const __half*>(data)[i])
                                : __bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]);
    } else if constexpr (std::is_same_v<T, double>) {
      return static_cast<const float*>(data)[i];
    } else if constexpr (std::is_same_v<T, float2>) {
      return {static_cast<const float*>(data)[i], 0};
    } else {
      if (type == CUDA_R_64F) return {static_cast<const double*>(data)[i], 0};
      const float2 narrow = static_cast<const float2*>(data)[i];
      return {narrow.x, narrow.y};
    }
  }
  __device__ __forceinline__ void put(int64_t i, T value) const {
    if (type == type_of<T>()) {
      static_cast<T*>(data)[i] = value;
    } else if constexpr (std::is_same_v<T, float>) {
      if (type == CUDA_R_16F)
        static_cast<__half*>(data)[i] = __float2half(value);
      else
        static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(value);
    } else if constexpr (std::is_same_v<T, double>) {
      static_cast<float*>(data)[i] = static_cast<float>(value);
    }
  }
  Values from(int64_t i) const { return {static_cast<char*>(data) + i * size_of(type), type}; }
};
template <class T>
bool is_result_of(cudaDataType type) {
  return is_stored_as<T>(type) && (type == type_of<T>() || !kComplex<T>);
}

// op(B) of a dense matrix.
template <class T>
struct Dense {
  Values<T> values;
  int64_t row, column;  // strides
  bool conjugated;
  __device__ __forceinline__ T at(int64_t i, int64_t j) const {
    const T value = values.at(i * row + j * column);
    return conjugated ? conjugate(value) : value;
  }
  __device__ __forceinline__ void put(int64_t i, int64_t j, T value) const {
    values.put(i * row + j * column, value);
  }
};
template <class T>
Dense<T> dense(const DenseMatrix& m, Operation op = CUSPARSE_OPERATION_NON_TRANSPOSE,
               int64_t batch = 0) {
  const bool down = (m.order == CUSPARSE_ORDER_COL) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
  return {Values<T>{m.values, m.type}.from(batch * m.stride), down ? 1 : m.ld, down ? m.ld : 1,
          op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

// A sparse matrix as its entries lie: majors are the rows of CSR and COO, the columns of CSC.
template <class T>
struct Sparse {
  int64_t majors, count;
  Indices offsets, minors;
  Values<T> values;
  bool is_coo;
  __device__ __forceinline__ int64_t major_of(int64_t entry) const {
    if (is_coo) return offsets.at(entry);
    int64_t low = 0, high = majors - 1;
    while (low < high) {
      const int64_t middle = (low + high + 1) / 2;
      if (offsets.at(middle) <= entry)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
};
template <class T>
Sparse<T> sparse(const Matrix& m, int64_t batch = 0) {
  return {m.format == CUSPARSE_FORMAT_CSC ? m.columns : m.rows,
          m.count,
          indices_of(m.offsets, m.offsets_type, m.base).from(batch * m.offsets_stride),
          indices_of(m.indices, m.index_type, m.base).from(batch * m.stride),
          Values<T>{m.values, m.type}.from(batch * m.stride),
          m.format == CUSPARSE_FORMAT_COO};
}
inline bool is_listed(const Matrix& m) {
  return m.format == CUSPARSE_FORMAT_CSR || m.format == CUSPARSE_FORMAT_CSC ||
         m.format == CUSPARSE_FORMAT_COO;
}

// Steps that several calls share (conversions.cu). Offsets get one more element than there are
// counts: their sum.
Status write_offsets(cudaStream_t stream, const int* counts, int64_t n, Indices offsets);
// The majors of entries, and offsets from the sorted majors of entries.
Status expand_offsets(cudaStream_t stream, Indices offsets, int64_t majors, int64_t count,
                      Indices expanded);
Status compress_majors(cudaStream_t stream, Indices majors, int64_t count, int64_t n,
                       Indices offsets);
Status number_all(cudaStream_t stream, int n, int* numbers);
// Sorts `order` by keys[order[i]], which are below `bound`; equal ones keep their order.
Status sort_by_key(cudaStream_t stream, int n, const int* keys, int bound, int* order);
// One number that a kernel wrote.
inline Status read_back(cudaStream_t stream, void* host, const void* device, size_t bytes) {
  return cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
                 cudaStreamSynchronize(stream) == cudaSuccess
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

}  // namespace heddle::sparse
