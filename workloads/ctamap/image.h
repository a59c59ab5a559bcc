// What the programs of the CTA mapping paper share: images with a row pitch, the CTA shape, and the
// rows that the host checks.
#pragma once

#include "../common.h"

namespace workload {

[[noreturn]] inline void refuse(const char* program, const char* reason) {
  std::fprintf(stderr, "%s: %s\n", program, reason);
  std::exit(2);
}

// Part of an image in memory. The paper's images have a pitch of 4096 or 8192 elements. With that
// pitch all elements of a column are in the same set of a 16 KiB L1. A small part keeps this.
struct Image {
  int width, height, pitch;

  Image(const char* program, int width, int height, int pitch)
      : width(width), height(height), pitch(pitch) {
    if (pitch < width) refuse(program, "pitch must not be smaller than width");
  }
  std::size_t elements() const { return std::size_t(pitch) * height; }
  std::size_t at(int x, int y) const { return std::size_t(y) * pitch + x; }
};

// The shape of a CTA. The paper does not print it.
inline dim3 cta_shape(const char* program, int x, int y) {
  if (x * y > 1024 || x > 1024) refuse(program, "a CTA has at most 1024 threads");
  return dim3(x, y);
}

inline dim3 grid_for(int width, int height, dim3 block) {
  return dim3(blocks_for(width, int(block.x)), blocks_for(height, int(block.y)));
}

// The rows that the host checks: all of them if that takes at most 2^26 operations, otherwise 64
// rows at equal distances, the first and the last among them.
inline std::vector<int> checked_rows(int rows, double operations_per_row) {
  constexpr int kSample = 64;
  const bool all = rows <= kSample || rows * operations_per_row <= 67108864.0;
  std::vector<int> checked(all ? rows : kSample);
  for (std::size_t i = 0; i < checked.size(); ++i)
    checked[i] = all ? int(i) : int((long(rows) - 1) * long(i) / (kSample - 1));
  if (!all) std::printf("the host checks %d of %d rows\n", kSample, rows);
  return checked;
}

}  // namespace workload
