// One pass over memory: transforms of all lines along an axis, of a length that fits into shared
// memory. Longer ones are two or four passes (axis.h).
#pragma once
#include "shared/launches.h"
#include "shared/numbers.h"

namespace heddle::fft {

// Elements of a block in shared memory, which holds them twice.
template <class C>
constexpr int kElements = 40960 / (2 * sizeof(C));
constexpr int kMaxStages = 12, kMaxLines = 64;

// How an axis is stored. Of a Hermitian line the second half is the first one, mirrored.
enum class Form { complex, real, hermitian };

// Where lines are: of the batch and of two other axes, and along the axis itself.
struct Strides {
  int64_t others[3], axis;
};

// Indices of the axis are `step` times the element plus `part_step` times the part of the line, if
// a line is transformed in parts.
struct Side {
  Form form;
  Strides strides;
  int step, part_step;
  int valid;  // indices from here on are zero and are not stored
};

struct Pass {
  int n, stages, radices[kMaxStages];
  int length;     // of the table of roots, a multiple of n
  int parts;      // of a line
  bool twiddles;  // element k of part i is multiplied by root i k
  int other_sizes[3];
  int full_length;  // of a Hermitian line
  Side in, out;
  bool conjugates_in, conjugates_out, conjugates_end;  // before `pre`; before and after `post`
};

inline int64_t lines_of(const int (&other_sizes)[3]) {
  return static_cast<int64_t>(other_sizes[0]) * other_sizes[1] * other_sizes[2];
}

// Roots of unity exp(-2 pi i k / length), and factors of the axis' indices or null.
template <class C>
struct Tables {
  const C *roots, *pre, *post;
};

// Whether n has only prime factors 2, 3, 5 and 7.
bool is_smooth(int n);
// `pass.n` and the other members are set; finds the radices and launches.
template <class C>
void launch(Pass pass, const void* in, void* out, const Tables<C>& tables, cudaStream_t stream);

}  // namespace heddle::fft
