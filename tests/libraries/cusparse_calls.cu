// cuSPARSE: products, triangular systems, conversions, vectors, and errors.
#include <cusparse.h>

#include <algorithm>
#include <map>

#include "conformance.h"

cusparseHandle_t h;

#define OK(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)
#define IS_INVALID(call) EXPECT((call) == CUSPARSE_STATUS_INVALID_VALUE)

constexpr cusparseOperation_t kN = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseOperation_t kOperations[] = {kN, CUSPARSE_OPERATION_TRANSPOSE,
                                               CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <class T>
constexpr cudaDataType kType = std::is_same_v<T, float>             ? CUDA_R_32F
                               : std::is_same_v<T, double>          ? CUDA_R_64F
                               : std::is_same_v<T, cuComplex>       ? CUDA_C_32F
                               : std::is_same_v<T, cuDoubleComplex> ? CUDA_C_64F
                               : std::is_same_v<T, __half>          ? CUDA_R_16F
                                                                    : CUDA_R_16BF;
template <class Index>
constexpr cusparseIndexType_t kIndex = sizeof(Index) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;

Number operated(Number x, cusparseOperation_t op) {
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
void* buffer() {
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

// Stored values A and X of type In, results of type Out, computed in T.
template <class In, class T, class Out = In, class Index = int>
void test_spmv(int m, int n, cusparseFormat_t format, int base, cusparseOperation_t op,
               bool device_factors = false) {
  Random<In, Index> a(m, n, format, base);
  const int from = op == kN ? n : m, to = op == kN ? m : n;
  Array<In> x(from);
  Array<Out> y(to);
  Array<T> factors(2);
  cusparseDnVecDescr_t vx, vy;
  OK(cusparseCreateDnVec(&vx, from, x.device, kType<In>));
  OK(cusparseCreateDnVec(&vy, to, y.device, kType<Out>));
  const T *alpha = factors.host.data(), *beta = alpha + 1;
  if (device_factors) {
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
    alpha = factors.device;
    beta = alpha + 1;
  }
  std::size_t bytes = 0;
  OK(cusparseSpMV_bufferSize(h, op, alpha, a.descr, vx, beta, vy, kType<T>,
                             CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  OK(cusparseSpMV_preprocess(h, op, alpha, a.descr, vx, beta, vy, kType<T>,
                             CUSPARSE_SPMV_ALG_DEFAULT, buffer()));
  OK(cusparseSpMV(h, op, alpha, a.descr, vx, beta, vy, kType<T>, CUSPARSE_SPMV_ALG_DEFAULT,
                  buffer()));
  OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
  std::vector<Number> expected = numbers(y);
  for (int i = 0; i < to; ++i) {
    Number sum = 0;
    for (int j = 0; j < from; ++j) sum += a.at(op, i, j) * x.at(j);
    expected[i] = factors.at(0) * sum + factors.at(1) * expected[i];
  }
  compare("SpMV", __LINE__, y, expected, 1 + std::sqrt(from));
  OK(cusparseDestroyDnVec(vx));
  OK(cusparseDestroyDnVec(vy));
}

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

template <class T>
void test_spmm(int m, int k, int n, cusparseFormat_t format, cusparseOperation_t op_a,
               cusparseOperation_t op_b, cusparseOrder_t order_b, cusparseOrder_t order_c,
               int batches = 1) {
  Random<T> a(op_a == kN ? m : k, op_a == kN ? k : m, format);
  Dense<T> b(op_b == kN ? k : n, op_b == kN ? n : k, order_b, batches), c(m, n, order_c, batches);
  const T alpha = random_value<T>(), beta = random_value<T>();
  std::size_t bytes = 0;
  OK(cusparseSpMM_bufferSize(h, op_a, op_b, &alpha, a.descr, b.descr, &beta, c.descr, kType<T>,
                             CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  OK(cusparseSpMM(h, op_a, op_b, &alpha, a.descr, b.descr, &beta, c.descr, kType<T>,
                  CUSPARSE_SPMM_ALG_DEFAULT, buffer()));
  std::vector<Number> expected = numbers(c.data);
  for (int batch = 0; batch < batches; ++batch)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        Number sum = 0;
        for (int l = 0; l < k; ++l) sum += a.at(op_a, i, l) * b.at(op_b, l, j, batch);
        Number& out = expected[c.place(i, j, batch)];
        out = number(alpha) * sum + number(beta) * out;
      }
  compare("SpMM", __LINE__, c.data, expected, 1 + std::sqrt(k));
}

template <class T>
void test_sddmm(int m, int k, int n, cusparseFormat_t format, cusparseOperation_t op_a,
                cusparseOperation_t op_b) {
  Dense<T> a(op_a == kN ? m : k, op_a == kN ? k : m, CUSPARSE_ORDER_ROW);
  Dense<T> b(op_b == kN ? k : n, op_b == kN ? n : k, CUSPARSE_ORDER_COL);
  Random<T> c(m, n, format, 1);
  const T alpha = random_value<T>(), beta = random_value<T>();
  OK(cusparseSDDMM(h, op_a, op_b, &alpha, a.descr, b.descr, &beta, c.descr, kType<T>,
                   CUSPARSE_SDDMM_ALG_DEFAULT, buffer()));
  const std::vector<T> got = download(c.values_device, c.count());
  for (int e = 0; e < c.count(); ++e) {
    int i = c.majors[e] - 1, j = c.minors[e] - 1;
    if (format == CUSPARSE_FORMAT_CSC) std::swap(i, j);
    Number sum = 0;
    for (int l = 0; l < k; ++l) sum += a.at(op_a, i, l) * b.at(op_b, l, j);
    sum = number(alpha) * sum + number(beta) * number(c.values[e]);
    EXPECT(std::abs(number(got[e]) - sum) <= tolerance<T>() * (2 + k));
  }
}

template <class T>
void test_spgemm(int m, int k, int n, int base) {
  Random<T> a(m, k, CUSPARSE_FORMAT_CSR, base), b(k, n, CUSPARSE_FORMAT_CSR, 0, 20);
  const T alpha = random_value<T>(), beta{};
  int* offsets = nullptr;
  cudaMalloc(&offsets, (m + 1) * sizeof(int));
  cusparseSpMatDescr_t c;
  OK(cusparseCreateCsr(&c, m, n, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, kType<T>));
  cusparseSpGEMMDescr_t product;
  OK(cusparseSpGEMM_createDescr(&product));
  std::size_t bytes = 0;
  for (void* memory : {static_cast<void*>(nullptr), buffer()})
    OK(cusparseSpGEMM_workEstimation(h, kN, kN, &alpha, a.descr, b.descr, &beta, c, kType<T>,
                                     CUSPARSE_SPGEMM_DEFAULT, product, &bytes, memory));
  std::int64_t products = 0, expected_products = 0;
  OK(cusparseSpGEMM_getNumProducts(product, &products));
  for (void* memory : {static_cast<void*>(nullptr), buffer()})
    OK(cusparseSpGEMM_compute(h, kN, kN, &alpha, a.descr, b.descr, &beta, c, kType<T>,
                              CUSPARSE_SPGEMM_DEFAULT, product, &bytes, memory));
  std::int64_t rows, columns, count;
  OK(cusparseSpMatGetSize(c, &rows, &columns, &count));
  Array<int> indices(count);
  Array<T> values(count);
  OK(cusparseCsrSetPointers(c, offsets, indices.device, values.device));
  OK(cusparseSpGEMM_copy(h, kN, kN, &alpha, a.descr, b.descr, &beta, c, kType<T>,
                         CUSPARSE_SPGEMM_DEFAULT, product));
  const std::vector<int> starts = download(offsets, m + 1), places = indices.get();
  const std::vector<T> got = values.get();
  int at = 0;
  for (int i = 0; i < m; ++i) {
    EXPECT(starts[i] == at + 1);
    for (int j = 0; j < n; ++j) {
      Number sum = 0;
      int terms = 0;
      for (int l = 0; l < k; ++l) {
        if (a.at(kN, i, l) == 0.0 || b.at(kN, l, j) == 0.0) continue;
        sum += a.at(kN, i, l) * b.at(kN, l, j);
        ++terms;
      }
      expected_products += terms;
      if (terms == 0) continue;
      EXPECT(at < count && places[at] == j + 1 &&
             std::abs(number(got[at]) - number(alpha) * sum) <= tolerance<T>() * (1 + k));
      ++at;
    }
  }
  EXPECT(at == count && starts[m] == at + 1 && products == expected_products);
  OK(cusparseSpGEMM_destroyDescr(product));
  OK(cusparseDestroySpMat(c));
  cudaFree(offsets);
}

template <class T>
void test_solves(int n, cusparseFormat_t format, cusparseFillMode_t fill, cusparseDiagType_t diag,
                 cusparseOperation_t op, int percent) {
  // Entries in the other triangle are not read.
  Random<T> a(n, n, format, 1, percent, fill == CUSPARSE_FILL_MODE_LOWER ? -1 : 1);
  OK(cusparseSpMatSetAttribute(a.descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  OK(cusparseSpMatSetAttribute(a.descr, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
  const T alpha = random_value<T>();
  Dense<T> b(n, 3, CUSPARSE_ORDER_COL), c(n, 3, CUSPARSE_ORDER_ROW);
  cusparseSpSMDescr_t many;
  OK(cusparseSpSM_createDescr(&many));
  OK(cusparseSpSM_analysis(h, op, kN, &alpha, a.descr, b.descr, c.descr, kType<T>,
                           CUSPARSE_SPSM_ALG_DEFAULT, many, buffer()));
  OK(cusparseSpSM_solve(h, op, kN, &alpha, a.descr, b.descr, c.descr, kType<T>,
                        CUSPARSE_SPSM_ALG_DEFAULT, many));
  OK(cusparseSpSM_destroyDescr(many));
  Array<T> x(n), y(n);
  cusparseDnVecDescr_t vx, vy;
  OK(cusparseCreateDnVec(&vx, n, x.device, kType<T>));
  OK(cusparseCreateDnVec(&vy, n, y.device, kType<T>));
  cusparseSpSVDescr_t one;
  OK(cusparseSpSV_createDescr(&one));
  IS_INVALID(
      cusparseSpSV_solve(h, op, &alpha, a.descr, vx, vy, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT, one));
  OK(cusparseSpSV_analysis(h, op, &alpha, a.descr, vx, vy, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT, one,
                           buffer()));
  OK(cusparseSpSV_solve(h, op, &alpha, a.descr, vx, vy, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT, one));
  OK(cusparseSpSV_destroyDescr(one));
  OK(cusparseDestroyDnVec(vx));
  OK(cusparseDestroyDnVec(vy));
  const std::vector<T> vector = y.get(), matrix = c.data.get();
  for (int side = 0; side < 4; ++side)
    for (int i = 0; i < n; ++i) {
      Number sum = 0, scale = 0;
      for (int j = 0; j < n; ++j) {
        const Number factor = i == j && diag == CUSPARSE_DIAG_TYPE_UNIT ? 1 : a.at(op, i, j);
        const Number term = factor * number(side < 3 ? matrix[c.place(j, side)] : vector[j]);
        sum += term;
        scale += std::abs(term);
      }
      const Number right = number(alpha) * (side < 3 ? b.at(kN, i, side) : x.at(i));
      EXPECT(std::abs(sum - right) <= 8 * tolerance<T>() * (1 + std::abs(scale)));
    }
}

template <class T, class Analysis, class Factor, class Info, class Pivot>
void test_factor(int n, bool cholesky, Info info, Analysis analysis, Factor factor, Pivot pivot) {
  // A band matrix: its factors have no more entries, so that they multiply to the matrix.
  std::vector<Number> full(n * n);
  std::vector<int> offsets{0}, columns;
  std::vector<T> values;
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      const double value = i == j ? 4 + i % 3 : cholesky ? -1 : random_unit();
      T stored{};
      if constexpr (is_complex<T>)
        stored.x = value;
      else
        stored = value;
      full[i * n + j] = number(stored);
      columns.push_back(j);
      values.push_back(stored);
    }
    offsets.push_back(columns.size());
  }
  int *const o = upload(offsets), *const c = upload(columns), count = columns.size();
  T* const v = upload(values);
  cusparseMatDescr_t descr;
  OK(cusparseCreateMatDescr(&descr));
  OK(analysis(h, n, count, descr, v, o, c, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer()));
  OK(factor(h, n, count, descr, v, o, c, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer()));
  int position = 0;
  EXPECT(pivot(h, info, &position) == CUSPARSE_STATUS_SUCCESS && position == -1);
  const std::vector<T> got = download(v, count);
  std::vector<Number> l(n * n), u(n * n);
  for (int i = 0; i < n; ++i)
    for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
      const int j = columns[e];
      if (cholesky && j <= i) {
        l[i * n + j] = number(got[e]);
        u[j * n + i] = std::conj(number(got[e]));
      } else if (!cholesky) {
        (j < i ? l : u)[i * n + j] = number(got[e]);
      }
    }
  for (int i = 0; i < n; ++i) {
    if (!cholesky) l[i * n + i] = 1;
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      Number sum = 0;
      for (int k = 0; k < n; ++k) sum += l[i * n + k] * u[k * n + j];
      EXPECT(std::abs(sum - full[i * n + j]) <= 10 * tolerance<T>());
    }
  }
  values[offsets[2] + 1] = T{};
  for (int e = offsets[2]; e < offsets[3]; ++e) values[e] = T{};
  cudaMemcpy(v, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  OK(factor(h, n, count, descr, v, o, c, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer()));
  EXPECT(pivot(h, info, &position) == CUSPARSE_STATUS_ZERO_PIVOT && position == 2);
  OK(cusparseDestroyMatDescr(descr));
  cudaFree(o);
  cudaFree(c);
  cudaFree(v);
}

template <class T, class Index>
void test_vectors(int n, int count) {
  std::vector<Index> places;
  for (int i = 0; i < count; ++i) places.push_back(i * (n / count) + 1);  // from 1
  std::reverse(places.begin(), places.end());
  Index* const indices = upload(places);
  Array<T> x(count), y(n);
  cusparseSpVecDescr_t vx;
  cusparseDnVecDescr_t vy;
  OK(cusparseCreateSpVec(&vx, n, count, indices, x.device, kIndex<Index>, CUSPARSE_INDEX_BASE_ONE,
                         kType<T>));
  OK(cusparseCreateDnVec(&vy, n, y.device, kType<T>));
  std::vector<Number> sparse = numbers(x), dense = numbers(y);
  const T alpha = random_value<T>(), beta = random_value<T>();
  T result{};
  OK(cusparseSpVV(h, kN, vx, vy, &result, kType<T>, buffer()));
  Number sum = 0;
  for (int i = 0; i < count; ++i) sum += sparse[i] * dense[places[i] - 1];
  EXPECT(std::abs(number(result) - sum) <= tolerance<T>() * (1 + count));
  OK(cusparseAxpby(h, &alpha, vx, &beta, vy));
  for (Number& value : dense) value *= number(beta);
  for (int i = 0; i < count; ++i) dense[places[i] - 1] += number(alpha) * sparse[i];
  compare("Axpby", __LINE__, y, dense);
  OK(cusparseRot(h, &alpha, &beta, vx, vy));
  for (int i = 0; i < count; ++i) {
    Number &left = sparse[i], &right = dense[places[i] - 1];
    const Number kept = left;
    left = number(alpha) * left + number(beta) * right;
    right = number(alpha) * right - number(beta) * kept;
  }
  compare("Rot", __LINE__, x, sparse, 4);
  compare("Rot", __LINE__, y, dense, 4);
  y.put();
  dense = numbers(y);
  OK(cusparseGather(h, vy, vx));
  for (int i = 0; i < count; ++i) sparse[i] = dense[places[i] - 1];
  compare("Gather", __LINE__, x, sparse);
  x.put();
  OK(cusparseScatter(h, vx, vy));
  for (int i = 0; i < count; ++i) dense[places[i] - 1] = x.at(i);
  compare("Scatter", __LINE__, y, dense);
  OK(cusparseDestroySpVec(vx));
  OK(cusparseDestroyDnVec(vy));
  cudaFree(indices);
}

void test_conversions(int m, int n) {
  Random<float> a(m, n, CUSPARSE_FORMAT_CSR, 1);
  const int count = a.count();
  Array<int> rows(count), offsets(m + 1), order(count), csc_offsets(n + 1), csc_rows(count);
  Array<float> csc_values(count);
  constexpr auto kOne = CUSPARSE_INDEX_BASE_ONE;
  OK(cusparseXcsr2coo(h, a.offsets_device, count, m, rows.device, kOne));
  EXPECT(rows.get() == a.majors);
  OK(cusparseXcoo2csr(h, rows.device, count, m, offsets.device, kOne));
  EXPECT(offsets.get() == a.offsets);
  OK(cusparseCsr2cscEx2(h, m, n, count, a.values_device, a.offsets_device, a.minors_device,
                        csc_values.device, csc_offsets.device, csc_rows.device, CUDA_R_32F,
                        CUSPARSE_ACTION_NUMERIC, kOne, CUSPARSE_CSR2CSC_ALG1, buffer()));
  const std::vector<int> starts = csc_offsets.get(), places = csc_rows.get();
  const std::vector<float> values = csc_values.get();
  int at = 0;
  for (int j = 0; j < n; ++j) {
    EXPECT(starts[j] == at + 1);
    for (int i = 0; i < m; ++i) {
      if (a.at(kN, i, j) == 0.0) continue;
      EXPECT(at < count && places[at] == i + 1 && number(values[at]) == a.at(kN, i, j));
      ++at;
    }
  }
  EXPECT(at == count && starts[n] == count + 1);
  // Entries in disorder, by rows and by columns.
  std::vector<int> mixed_rows = a.majors, mixed_columns = a.minors;
  for (int e = count - 1; e > 0; --e) {
    const int other = random_in(0, e);
    std::swap(mixed_rows[e], mixed_rows[other]);
    std::swap(mixed_columns[e], mixed_columns[other]);
  }
  for (const bool by_row : {true, false}) {
    Array<int> r(count), c(count);
    r.host = mixed_rows;
    c.host = mixed_columns;
    r.put();
    c.put();
    OK(cusparseCreateIdentityPermutation(h, count, order.device));
    OK((by_row ? cusparseXcoosortByRow : cusparseXcoosortByColumn)(
        h, m, n, count, r.device, c.device, order.device, buffer()));
    const std::vector<int> sr = r.get(), sc = c.get(), p = order.get();
    for (int e = 0; e < count; ++e) {
      EXPECT(sr[e] == mixed_rows[p[e]] && sc[e] == mixed_columns[p[e]]);
      if (e == 0) continue;
      const auto before =
          by_row ? std::pair(sr[e - 1], sc[e - 1]) : std::pair(sc[e - 1], sr[e - 1]);
      EXPECT(before < (by_row ? std::pair(sr[e], sc[e]) : std::pair(sc[e], sr[e])));
    }
  }
  cusparseMatDescr_t descr;
  OK(cusparseCreateMatDescr(&descr));
  OK(cusparseSetMatIndexBase(descr, kOne));
  std::vector<int> reversed = a.minors;
  for (int i = 0; i < m; ++i)
    std::reverse(reversed.begin() + a.offsets[i] - 1, reversed.begin() + a.offsets[i + 1] - 1);
  Array<int> columns(count);
  columns.host = reversed;
  columns.put();
  OK(cusparseCreateIdentityPermutation(h, count, order.device));
  OK(cusparseXcsrsort(h, m, n, count, descr, a.offsets_device, columns.device, order.device,
                      buffer()));
  EXPECT(columns.get() == a.minors);
  const std::vector<int> p = order.get();
  for (int e = 0; e < count; ++e) EXPECT(reversed[p[e]] == a.minors[e]);
  OK(cusparseDestroyMatDescr(descr));
}

template <class T>
void test_dense(int m, int n, cusparseFormat_t format, cusparseOrder_t order) {
  Random<T> a(m, n, format);
  Dense<T> d(m, n, order);
  OK(cusparseSparseToDense(h, a.descr, d.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer()));
  std::vector<Number> expected = numbers(d.data);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) expected[d.place(i, j)] = a.at(kN, i, j);
  compare("SparseToDense", __LINE__, d.data, expected);
  const bool coo = format == CUSPARSE_FORMAT_COO, csc = format == CUSPARSE_FORMAT_CSC;
  Array<int> offsets(coo ? 0 : (csc ? n : m) + 1), majors(a.count()), minors(a.count());
  Array<T> values(a.count());
  cusparseSpMatDescr_t s;
  if (coo)
    OK(cusparseCreateCoo(&s, m, n, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, kType<T>));
  else
    OK((csc ? cusparseCreateCsc : cusparseCreateCsr)(&s, m, n, 0, offsets.device, nullptr, nullptr,
                                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                                     CUSPARSE_INDEX_BASE_ZERO, kType<T>));
  OK(cusparseDenseToSparse_analysis(h, d.descr, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer()));
  std::int64_t rows, columns, count;
  OK(cusparseSpMatGetSize(s, &rows, &columns, &count));
  EXPECT(rows == m && columns == n && count == a.count());
  if (coo)
    OK(cusparseCooSetPointers(s, majors.device, minors.device, values.device));
  else
    OK((csc ? cusparseCscSetPointers : cusparseCsrSetPointers)(s, offsets.device, minors.device,
                                                               values.device));
  OK(cusparseDenseToSparse_convert(h, d.descr, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer()));
  EXPECT(minors.get() == a.minors);
  EXPECT((coo ? majors : offsets).get() == (coo ? a.majors : a.offsets));
  for (int e = 0; e < a.count(); ++e) EXPECT(number(values.get()[e]) == number(a.values[e]));
  OK(cusparseDestroySpMat(s));
}

void test_sum(int m, int n) {
  Random<double> a(m, n, CUSPARSE_FORMAT_CSR, 1), b(m, n, CUSPARSE_FORMAT_CSR);
  cusparseMatDescr_t one, zero;
  OK(cusparseCreateMatDescr(&one));
  OK(cusparseCreateMatDescr(&zero));
  OK(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  const double alpha = 2, beta = -3;
  Array<int> offsets(m + 1);
  int total = 0;
  std::size_t bytes;
  OK(cusparseDcsrgeam2_bufferSizeExt(h, m, n, &alpha, one, a.count(), a.values_device,
                                     a.offsets_device, a.minors_device, &beta, zero, b.count(),
                                     b.values_device, b.offsets_device, b.minors_device, one,
                                     nullptr, offsets.device, nullptr, &bytes));
  OK(cusparseXcsrgeam2Nnz(h, m, n, one, a.count(), a.offsets_device, a.minors_device, zero,
                          b.count(), b.offsets_device, b.minors_device, one, offsets.device, &total,
                          buffer()));
  Array<int> indices(total);
  Array<double> values(total);
  OK(cusparseDcsrgeam2(h, m, n, &alpha, one, a.count(), a.values_device, a.offsets_device,
                       a.minors_device, &beta, zero, b.count(), b.values_device, b.offsets_device,
                       b.minors_device, one, values.device, offsets.device, indices.device,
                       buffer()));
  const std::vector<int> starts = offsets.get(), places = indices.get();
  const std::vector<double> got = values.get();
  int at = 0;
  for (int i = 0; i < m; ++i) {
    EXPECT(starts[i] == at + 1);
    for (int j = 0; j < n; ++j) {
      const Number left = a.at(kN, i, j), right = b.at(kN, i, j);
      if (left == 0.0 && right == 0.0) continue;
      EXPECT(at < total && places[at] == j + 1 &&
             std::abs(got[at] - alpha * left - beta * right) < 1e-12);
      ++at;
    }
  }
  EXPECT(at == total);
  Array<int> counts(m);
  Dense<double> d(m, n, CUSPARSE_ORDER_COL);
  OK(cusparseSparseToDense(h, a.descr, d.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer()));
  OK(cusparseDnnz(h, CUSPARSE_DIRECTION_ROW, m, n, zero, d.data.device, d.ld, counts.device,
                  &total));
  EXPECT(total == a.count());
  for (int i = 0; i < m; ++i) EXPECT(counts.get()[i] == a.offsets[i + 1] - a.offsets[i]);
  OK(cusparseDestroyMatDescr(one));
  OK(cusparseDestroyMatDescr(zero));
}

template <class T, class Solve, class Batch, class Interleaved>
void test_tridiagonal(int m, int count, Solve solve, Batch batch, Interleaved interleaved) {
  enum { right_sides, strided, side_by_side };
  for (const int kind : {right_sides, strided, side_by_side}) {
    Array<T> dl(m * count), d(m * count), du(m * count), x(m * count);
    if (kind == right_sides)
      OK(solve(h, m, count, dl.device, d.device, du.device, x.device, m, buffer()));
    else if (kind == strided)
      OK(batch(h, m, dl.device, d.device, du.device, x.device, count, m, buffer()));
    else
      OK(interleaved(h, 0, m, dl.device, d.device, du.device, x.device, count, buffer()));
    const std::vector<T> got = x.get();
    for (int s = 0; s < count; ++s)
      for (int i = 0; i < m; ++i) {
        const auto place = [&](int row, bool side) {
          if (kind == side_by_side) return row * count + s;
          return row + (kind == right_sides && !side ? 0 : s * m);
        };
        Number sum = d.at(place(i, false)) * number(got[place(i, true)]);
        double scale = std::abs(sum);
        if (i > 0) sum += dl.at(place(i, false)) * number(got[place(i - 1, true)]);
        if (i > 0) scale += std::abs(number(got[place(i - 1, true)]));
        if (i + 1 < m) sum += du.at(place(i, false)) * number(got[place(i + 1, true)]);
        if (i + 1 < m) scale += std::abs(number(got[place(i + 1, true)]));
        EXPECT(std::abs(sum - x.at(place(i, true))) <= 20 * tolerance<T>() * (1 + scale));
      }
  }
}

void test_errors() {
  cusparseHandle_t none = nullptr;
  EXPECT(cusparseSetStream(none, nullptr) == CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(std::string(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)) ==
         "CUSPARSE_STATUS_ZERO_PIVOT");
  EXPECT(std::string(cusparseGetErrorString(CUSPARSE_STATUS_ALLOC_FAILED)) == "out of memory");
  cusparseSpMatDescr_t made = nullptr;
  IS_INVALID(cusparseCreateCsr(&made, -1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  IS_INVALID(cusparseCreateCsr(&made, 4, 4, 2, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusparseDnMatDescr_t matrix = nullptr;
  IS_INVALID(cusparseCreateDnMat(&matrix, 4, 4, 3, buffer(), CUDA_R_32F, CUSPARSE_ORDER_COL));
  Random<float> a(5, 7, CUSPARSE_FORMAT_CSR);
  Array<float> x(7), y(5);
  cusparseDnVecDescr_t vx, vy;
  OK(cusparseCreateDnVec(&vx, 7, x.device, CUDA_R_32F));
  OK(cusparseCreateDnVec(&vy, 5, y.device, CUDA_R_32F));
  const float one = 1;
  const auto multiply = [&](cusparseOperation_t op, const void* alpha, cudaDataType compute) {
    return cusparseSpMV(h, op, alpha, a.descr, vx, &one, vy, compute, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer());
  };
  OK(multiply(kN, &one, CUDA_R_32F));
  IS_INVALID(multiply(kN, nullptr, CUDA_R_32F));
  IS_INVALID(multiply(CUSPARSE_OPERATION_TRANSPOSE, &one, CUDA_R_32F));
  EXPECT(multiply(kN, &one, CUDA_C_64F) == CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT(multiply(kN, &one, CUDA_R_32I) == CUSPARSE_STATUS_NOT_SUPPORTED);
  std::int64_t rows, columns, count;
  void *offsets, *indices, *values;
  cusparseIndexType_t offsets_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  OK(cusparseCsrGet(a.descr, &rows, &columns, &count, &offsets, &indices, &values, &offsets_type,
                    &index_type, &base, &type));
  EXPECT(rows == 5 && columns == 7 && count == a.count() && values == a.values_device &&
         type == CUDA_R_32F && index_type == CUSPARSE_INDEX_32I);
  EXPECT(cusparseCooGet(a.descr, &rows, &columns, &count, &offsets, &indices, &values, &index_type,
                        &base, &type) == CUSPARSE_STATUS_INVALID_VALUE);
  OK(cusparseDestroyDnVec(vx));
  OK(cusparseDestroyDnVec(vy));
}

constexpr cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                         CUSPARSE_FORMAT_COO};
constexpr cusparseOrder_t kOrders[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};

int main() {
  OK(cusparseCreate(&h));
  for (const cusparseFormat_t format : kFormats) {
    for (const cusparseOperation_t op : kOperations) {
      const int m = random_in(1, 90), n = random_in(1, 90);
      test_spmv<float, float>(m, n, format, 0, op);
      test_spmv<double, double, double, std::int64_t>(m, n, format, 1, op);
      test_spmv<cuComplex, cuComplex>(m, n, format, 1, op, true);
      test_spmv<cuDoubleComplex, cuDoubleComplex>(m, n, format, 0, op);
      test_spmv<__half, float>(m, n, format, 0, op);
      test_spmv<__nv_bfloat16, float, float>(m, n, format, 0, op);
      const cusparseOrder_t b = kOrders[random_in(0, 1)], c = kOrders[random_in(0, 1)];
      test_spmm<float>(random_in(1, 40), random_in(1, 40), random_in(1, 20), format, op,
                       kOperations[random_in(0, 1)], b, c);
      test_spmm<cuDoubleComplex>(random_in(1, 30), random_in(1, 30), random_in(1, 9), format, op,
                                 kOperations[random_in(0, 2)], c, b, random_in(1, 3));
      for (const cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
        test_solves<float>(random_in(1, 60), format, fill, CUSPARSE_DIAG_TYPE_NON_UNIT, op, 10);
        test_solves<cuDoubleComplex>(random_in(1, 30), format, fill, CUSPARSE_DIAG_TYPE_UNIT, op,
                                     10);
      }
    }
    test_sddmm<float>(random_in(1, 30), random_in(1, 30), random_in(1, 30), format, kN, kN);
    test_sddmm<cuComplex>(random_in(1, 30), random_in(1, 30), random_in(1, 30), format,
                          CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
    for (const cusparseOrder_t order : kOrders) {
      test_dense<float>(random_in(1, 40), random_in(1, 40), format, order);
      test_dense<cuDoubleComplex>(random_in(1, 20), random_in(1, 20), format, order);
    }
  }
  test_solves<double>(600, CUSPARSE_FORMAT_CSR, CUSPARSE_FILL_MODE_LOWER,
                      CUSPARSE_DIAG_TYPE_NON_UNIT, kN, 0);
  test_spmv<float, float>(3, 2, CUSPARSE_FORMAT_CSR, 0, kN);
  test_spmv<float, float>(0, 5, CUSPARSE_FORMAT_CSR, 0, kN);
  test_spgemm<float>(40, 30, 50, 0);
  test_spgemm<cuDoubleComplex>(9, 300, 520, 1);
  test_vectors<float, int>(300, 70);
  test_vectors<cuDoubleComplex, std::int64_t>(50, 7);
  test_conversions(40, 60);
  test_conversions(300, 17);
  test_sum(30, 40);
  csrilu02Info_t lu;
  OK(cusparseCreateCsrilu02Info(&lu));
  test_factor<double>(40, false, lu, cusparseDcsrilu02_analysis, cusparseDcsrilu02,
                      cusparseXcsrilu02_zeroPivot);
  OK(cusparseDestroyCsrilu02Info(lu));
  csric02Info_t cholesky;
  OK(cusparseCreateCsric02Info(&cholesky));
  test_factor<cuComplex>(30, true, cholesky, cusparseCcsric02_analysis, cusparseCcsric02,
                         cusparseXcsric02_zeroPivot);
  OK(cusparseDestroyCsric02Info(cholesky));
  test_tridiagonal<double>(40, 5, cusparseDgtsv2, cusparseDgtsv2StridedBatch,
                           cusparseDgtsvInterleavedBatch);
  test_tridiagonal<cuComplex>(7, 300, cusparseCgtsv2_nopivot, cusparseCgtsv2StridedBatch,
                              cusparseCgtsvInterleavedBatch);
  test_errors();
  OK(cusparseDestroy(h));
  return verdict();
}
