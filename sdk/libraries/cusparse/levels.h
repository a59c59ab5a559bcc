// Rows of a triangular matrix in levels: a row depends on rows of lower levels only, so that the
// rows of one level are computed together.
#pragma once
#include <vector>

#include "cusparse/handle.h"

namespace heddle::sparse {

// Entries of op(A) by rows, and the rows by levels. Arrays are in one piece of device memory.
struct Levels {
  int rows = 0, count = 0;
  int *offsets = nullptr, *columns = nullptr, *places = nullptr;  // where the value of an entry is
  int *order = nullptr, *starts = nullptr;                        // the rows of a level
  std::vector<int> sizes;                                         // of levels
  bool unit = false, lower = true;

  Levels() = default;
  Levels(const Levels&) = delete;
  Levels& operator=(const Levels&) = delete;
  ~Levels() { cudaFree(offsets); }
};

// `keys` and `minors` are the rows and columns of the entries of op(A), from 0, in any order.
Status find_levels(cudaStream_t stream, int rows, int count, const int* keys, const int* minors,
                   bool lower, Levels& levels);

// What a kernel reads of them.
struct Rows {
  const int *offsets, *columns, *places, *order, *starts;
  bool unit, lower;
};
// Calls launch(rows, first, last, items) for levels [first, last): several only when one block of
// threads computes each.
template <class Launch>
Status for_each_level(const Levels& levels, int64_t width, Launch launch) {
  const Rows rows{levels.offsets, levels.columns, levels.places, levels.order,
                  levels.starts,  levels.unit,    levels.lower};
  const int n = static_cast<int>(levels.sizes.size());
  for (int first = 0; first < n;) {
    int last = first + 1;
    if (levels.sizes[first] * width <= kThreads)
      while (last < n && levels.sizes[last] * width <= kThreads) ++last;
    const int64_t items = levels.sizes[first] * width;
    launch(rows, first, last, items <= kThreads ? 1 : blocks_for(items));
    first = last;
  }
  return launched();
}

}  // namespace heddle::sparse
