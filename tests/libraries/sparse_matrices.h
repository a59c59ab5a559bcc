// Random sparse and dense matrices of cuSPARSE, with what the host knows of them.
#pragma once
#include <cusparse.h>

#include "conformance.h"

inline cusparseHandle_t h;

#define OK(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)
#define IS_INVALID(call) EXPECT((call) == CUSPARSE_STATUS_INVALID_VALUE)

constexpr cusparseOperation_t kN = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseOperation_t kOperations[] = {kN, CUSPARSE_OPERATION_TRANSPOSE,
                                               CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <class Index>
constexpr cusparseIndexType_t kIndex = sizeof(Index) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;

inline Number operated(Number x, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
}

template <class T>
T* upload(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T) + 1);
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
std::vector<T> download(const T* device, std::size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}
inline void* buffer() {
  static void* memory = nullptr;
  if (!memory) cudaMalloc(&memory, 1 << 16);
  return memory;
}

// A random matrix in one of the formats, and as a dense one on the host.
template <class T, class Index = int>
struct Random {
  int rows, columns, base;
  cusparseFormat_t format;
  std::vector<Number> dense;  // by rows
  std::vector<Index> offsets, majors, minors;
  std::vector<T> values;
  Index *offsets_device = nullptr, *minors_device = nullptr;
  T* values_device = nullptr;
  cusparseSpMatDescr_t descr = nullptr;

  // `triangle`: -1 lower, 1 upper, with a strong diagonal.
  Random(int m, int n, cusparseFormat_t f, int b = 0, int percent = 30, int triangle = 0)
      : rows(m), columns(n), base(b), format(f), dense(m * n) {
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    const int outer = by_columns ? n : m, inner = by_columns ? m : n;
    offsets.push_back(base);
    for (int i = 0; i < outer; ++i) {
      for (int j = 0; j < inner; ++j) {
        const int row = by_columns ? j : i, column = by_columns ? i : j;
        const bool diagonal = triangle != 0 && row == column;
        if (!diagonal && random_in(0, 99) >= percent) continue;
        if ((triangle < 0 && column > row) || (triangle > 0 && column < row)) continue;
        T value = random_value<T>();
        if (diagonal) {
          if constexpr (is_complex<T>)
            value.x = 4;
          else
            value = T(4.0f);
        }
        values.push_back(value);
        minors.push_back(j + base);
        majors.push_back(i + base);
        dense[row * n + column] = number(value);
      }
      offsets.push_back(static_cast<Index>(values.size()) + base);
    }
    const bool coo = format == CUSPARSE_FORMAT_COO;
    offsets_device = upload(coo ? majors : offsets);
    minors_device = upload(minors);
    values_device = upload(values);
    const auto index_base = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    if (coo)
      OK(cusparseCreateCoo(&descr, m, n, count(), offsets_device, minors_device, values_device,
                           kIndex<Index>, index_base, kType<T>));
    else if (by_columns)
      OK(cusparseCreateCsc(&descr, m, n, count(), offsets_device, minors_device, values_device,
                           kIndex<Index>, kIndex<Index>, index_base, kType<T>));
    else
      OK(cusparseCreateCsr(&descr, m, n, count(), offsets_device, minors_device, values_device,
                           kIndex<Index>, kIndex<Index>, index_base, kType<T>));
  }
  Random(const Random&) = delete;
  ~Random() {
    OK(cusparseDestroySpMat(descr));
    cudaFree(offsets_device);
    cudaFree(minors_device);
    cudaFree(values_device);
  }
  int count() const { return static_cast<int>(values.size()); }
  Number at(cusparseOperation_t op, int i, int j) const {
    return op == kN ? dense[i * columns + j] : operated(dense[j * columns + i], op);
  }
};

// A matrix in one of the orders with a leading dimension that is too large.
template <class T>
struct Dense {
  int rows, columns, ld;
  cusparseOrder_t order;
  Array<T> data;
  cusparseDnMatDescr_t descr = nullptr;
  Dense(int m, int n, cusparseOrder_t o, int batches = 1)
      : rows(m),
        columns(n),
        ld((o == CUSPARSE_ORDER_COL ? m : n) + 3),
        order(o),
        data(batches * stride()) {
    OK(cusparseCreateDnMat(&descr, m, n, ld, data.device, kType<T>, order));
    if (batches > 1) OK(cusparseDnMatSetStridedBatch(descr, batches, stride()));
  }
  ~Dense() { OK(cusparseDestroyDnMat(descr)); }
  int stride() const { return ld * (order == CUSPARSE_ORDER_COL ? columns : rows) + 5; }
  int place(int i, int j, int batch = 0) const {
    return batch * stride() + (order == CUSPARSE_ORDER_COL ? i + j * ld : i * ld + j);
  }
  Number at(cusparseOperation_t op, int i, int j, int batch = 0) const {
    return op == kN ? data.at(place(i, j, batch)) : operated(data.at(place(j, i, batch)), op);
  }
};

constexpr cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                         CUSPARSE_FORMAT_COO};
constexpr cusparseOrder_t kOrders[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};
