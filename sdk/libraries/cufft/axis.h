// Transforms of any length along one axis: in one pass, in two (Cooley and Tukey's factors), or, if
// the length has a prime factor above 7, as a convolution of a length that is a power of 2
// (Bluestein).
#pragma once
#include "cufft/pass.h"

namespace heddle::fft {

struct Axis {
  int n = 1;
  int m = 1;  // length of what is computed: n, or Bluestein's
  int factors[2] = {1, 1};
  // Device memory: roots of m; of Bluestein's algorithm the chirp and its transform.
  void *roots = nullptr, *chirp = nullptr, *spectrum = nullptr;

  bool convolves() const { return m != n; }
  // Memory for the lines between passes, in elements of a line.
  int64_t work() const { return static_cast<int64_t>(m) * (convolves() + (factors[1] > 1)); }
};

// One side of the transform of an axis.
struct Lines {
  void* data;
  Form form;
  Strides strides;
  int valid;
};

// Finds m and its factors; false if n is too large.
bool choose_factors(Axis& axis, bool is_double);
// The largest length of every kind.
int largest_length(bool is_double);
template <class C>
bool make_tables(Axis& axis);
void free_tables(Axis& axis);
template <class C>
void transform_axis(const Axis& axis, const Lines& in, const Lines& out,
                    const int (&other_sizes)[3], bool inverse, C* work, cudaStream_t stream);

}  // namespace heddle::fft
