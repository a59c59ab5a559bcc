// cuSPARSE: triangular and tridiagonal systems, factorisations, conversions and vectors.
#include <algorithm>

#include "sparse_matrices.h"

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
  // In a captured stream the result is there when the graph has run.
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t made;
  cudaStreamCreate(&stream);
  cusparseSetStream(h, stream);
  result = T{};
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  OK(cusparseSpVV(h, kN, vx, vy, &result, kType<T>, buffer()));
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
  EXPECT(cudaGraphLaunch(made, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(std::abs(number(result) - sum) <= tolerance<T>() * (1 + count));
  cusparseSetStream(h, nullptr);
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
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

int main() {
  OK(cusparseCreate(&h));
  for (const cusparseFormat_t format : kFormats) {
    for (const cusparseOperation_t op : kOperations) {
      for (const cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
        test_solves<float>(random_in(1, 60), format, fill, CUSPARSE_DIAG_TYPE_NON_UNIT, op, 10);
        test_solves<cuDoubleComplex>(random_in(1, 30), format, fill, CUSPARSE_DIAG_TYPE_UNIT, op,
                                     10);
      }
    }
    for (const cusparseOrder_t order : kOrders) {
      test_dense<float>(random_in(1, 40), random_in(1, 40), format, order);
      test_dense<cuDoubleComplex>(random_in(1, 20), random_in(1, 20), format, order);
    }
  }
  test_solves<double>(600, CUSPARSE_FORMAT_CSR, CUSPARSE_FILL_MODE_LOWER,
                      CUSPARSE_DIAG_TYPE_NON_UNIT, kN, 0);
  test_vectors<float, int>(300, 70);
  test_vectors<cuDoubleComplex, std::int64_t>(50, 7);
  test_conversions(40, 60);
  test_conversions(300, 17);
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
  OK(cusparseDestroy(h));
  return verdict();
}
