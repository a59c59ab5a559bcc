#include "cufft/axis.h"

#include <bit>
#include <cmath>
#include <complex>
#include <vector>

namespace heddle::fft {
namespace {

using Complex = std::complex<double>;

Complex root(int64_t k, int64_t n) {  // exp(-2 pi i k / n)
  const double angle = -2 * M_PI * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}
// In place, of a length that is a power of 2.
void transform_on_host(std::vector<Complex>& x) {
  const size_t n = x.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t k = 0; k < half; ++k) {
      const Complex factor = root(static_cast<int64_t>(k), static_cast<int64_t>(2 * half));
      for (size_t i = k; i < n; i += 2 * half) {
        const Complex turned = factor * x[i + half];
        x[i + half] = x[i] - turned;
        x[i] += turned;
      }
    }
  }
}
template <class C>
bool put(void*& table, const std::vector<Complex>& values) {
  std::vector<C> narrow;
  for (const Complex& v : values)
    narrow.push_back({static_cast<Real<C>>(v.real()), static_cast<Real<C>>(v.imag())});
  const size_t bytes = narrow.size() * sizeof(C);
  return cudaMalloc(&table, bytes) == cudaSuccess &&
         cudaMemcpy(table, narrow.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess;
}

int limit(bool is_double) { return is_double ? kElements<double2> : kElements<float2>; }
bool split(Axis& axis, int m, int limit) {
  axis.m = m;
  for (int d = m <= limit ? 1 : static_cast<int>(std::sqrt(m)); d >= 1; --d) {
    if (m % d || m / d > limit) continue;
    axis.factors[0] = m / d;
    axis.factors[1] = d;
    return true;
  }
  return false;
}

// One transform of length axis.m, in one or two passes; flags and factors of `whole` are those of
// its ends.
template <class C>
void run(const Axis& axis, const Pass& whole, const void* from, void* to, const Tables<C>& tables,
         C* between, cudaStream_t stream) {
  const auto [first, second] = axis.factors;
  if (second == 1) return launch(whole, from, to, tables, stream);
  const int64_t m = axis.m;
  const int(&sizes)[3] = whole.other_sizes;
  const Strides packed{{m * sizes[2] * sizes[1], m * sizes[2], m}, 1};
  // Index j = element second + part; index k = part + first element.
  Pass columns = whole;
  columns.n = first;
  columns.parts = second;
  columns.twiddles = true;
  columns.in.step = second;
  columns.in.part_step = 1;
  columns.out = {Form::complex, packed, second, 1, axis.m};
  columns.conjugates_out = columns.conjugates_end = false;
  launch(columns, from, between, Tables<C>{tables.roots, tables.pre, nullptr}, stream);
  Pass rows = whole;
  rows.n = second;
  rows.parts = first;
  rows.in = {Form::complex, packed, 1, second, axis.m};
  rows.out.step = first;
  rows.out.part_step = 1;
  rows.conjugates_in = false;
  launch(rows, between, to, Tables<C>{tables.roots, nullptr, tables.post}, stream);
}

}  // namespace

int largest_length(bool is_double) { return limit(is_double) * limit(is_double); }

bool choose_factors(Axis& axis, bool is_double) {
  if (is_smooth(axis.n) && split(axis, axis.n, limit(is_double))) return true;
  if (axis.n > largest_length(is_double) / 2) return false;
  return split(axis, static_cast<int>(std::bit_ceil(2u * axis.n - 1)), limit(is_double));
}

template <class C>
bool make_tables(Axis& axis) {
  std::vector<Complex> roots(axis.m);
  for (int k = 0; k < axis.m; ++k) roots[k] = root(k, axis.m);
  if (!put<C>(axis.roots, roots)) return false;
  if (!axis.convolves()) return true;
  std::vector<Complex> chirp(axis.n), spectrum(axis.m);
  for (int64_t j = 0; j < axis.n; ++j) {
    chirp[j] = root(j * j % (2 * axis.n), 2 * axis.n);
    spectrum[j] = spectrum[(axis.m - j) % axis.m] =
        std::conj(chirp[j]) / static_cast<double>(axis.m);
  }
  transform_on_host(spectrum);
  return put<C>(axis.chirp, chirp) && put<C>(axis.spectrum, spectrum);
}
void free_tables(Axis& axis) {
  for (void** table : {&axis.roots, &axis.chirp, &axis.spectrum}) {
    cudaFree(*table);
    *table = nullptr;
  }
}

template <class C>
void transform_axis(const Axis& axis, const Lines& in, const Lines& out,
                    const int (&other_sizes)[3], bool inverse, C* work, cudaStream_t stream) {
  Pass pass{};
  pass.n = pass.length = axis.m;
  pass.parts = 1;
  pass.full_length = axis.n;
  std::copy(other_sizes, other_sizes + 3, pass.other_sizes);
  pass.in = {in.form, in.strides, 1, 0, in.valid};
  pass.out = {out.form, out.strides, 1, 0, out.valid};
  const auto* roots = static_cast<const C*>(axis.roots);
  pass.conjugates_in = inverse;
  if (!axis.convolves()) {
    pass.conjugates_end = inverse;
    return run(axis, pass, in.data, out.data, Tables<C>{roots, nullptr, nullptr}, work, stream);
  }
  const auto* chirp = static_cast<const C*>(axis.chirp);
  const int64_t m = axis.m;
  const Side packed{Form::complex,
                    {{m * other_sizes[2] * other_sizes[1], m * other_sizes[2], m}, 1},
                    1,
                    0,
                    axis.m};
  C* const between = work + m * lines_of(other_sizes);
  Pass forward = pass;
  forward.out = packed;
  run(axis, forward, in.data, work, Tables<C>{roots, chirp, static_cast<const C*>(axis.spectrum)},
      between, stream);
  Pass backward = pass;
  backward.in = packed;
  backward.conjugates_in = backward.conjugates_out = true;
  backward.conjugates_end = inverse;
  run(axis, backward, work, out.data, Tables<C>{roots, nullptr, chirp}, between, stream);
}

template bool make_tables<float2>(Axis&);
template bool make_tables<double2>(Axis&);
template void transform_axis(const Axis&, const Lines&, const Lines&, const int (&)[3], bool,
                             float2*, cudaStream_t);
template void transform_axis(const Axis&, const Lines&, const Lines&, const int (&)[3], bool,
                             double2*, cudaStream_t);

}  // namespace heddle::fft
