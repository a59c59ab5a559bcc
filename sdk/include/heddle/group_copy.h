// Copies by one thread, or by the threads of a group, each a part.
#pragma once

#include "heddle/scoped_atomics.h"

namespace cuda {

// A size that is a multiple of an alignment.
template <size_t alignment>
struct aligned_size_t {
  static constexpr size_t align = alignment;
  size_t value;
  HEDDLE_BOTH explicit constexpr aligned_size_t(size_t size) : value(size) {}
  HEDDLE_BOTH constexpr operator size_t() const { return value; }
};

}  // namespace cuda

namespace heddle {

HEDDLE_BOTH size_t byte_count(size_t size) { return size; }
template <size_t alignment>
HEDDLE_BOTH size_t byte_count(cuda::aligned_size_t<alignment> size) {
  return size.value;
}

template <class Unit>
static HEDDLE_BOTH void copy_units(void* to, const void* from, size_t bytes, size_t first,
                                   size_t step) {
  for (size_t i = first; i < bytes / sizeof(Unit); i += step)
    static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
}
static HEDDLE_BOTH void copy_share(void* to, const void* from, size_t bytes, size_t first,
                                   size_t step) {
  const size_t mixed = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (mixed % 16 == 0)
    copy_units<uint4>(to, from, bytes, first, step);
  else if (mixed % 4 == 0)
    copy_units<unsigned int>(to, from, bytes, first, step);
  else
    copy_units<unsigned char>(to, from, bytes, first, step);
}
static HEDDLE_BOTH void copy_bytes(void* to, const void* from, size_t bytes) {
  copy_share(to, from, bytes, 0, 1);
}
template <class Group>
static HEDDLE_BOTH void copy_bytes_together(const Group& group, void* to, const void* from,
                                            size_t bytes) {
  copy_share(to, from, bytes, group.thread_rank(), group.size());
}

}  // namespace heddle
