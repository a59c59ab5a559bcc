// A capture in its parts, and as the bytes of a file whose checksums are right, so that damage
// reaches the contents.
#pragma once

#include <string>
#include <vector>

#include "cuda/capture/format.h"

namespace heddle::fuzz {

struct CaptureParts {
  std::vector<std::string> data;     // contents of data chunks
  std::vector<cuda::Bytes> records;  // encoded
  cuda::Bytes info;                  // encoded
  bool split = false;                // each record has a chunk of its own
};

CaptureParts parts_of(const cuda::CaptureFile& file);
cuda::Bytes encoded(const cuda::Record& record);
cuda::Bytes encoded(const cuda::CaptureInfo& info);
std::string bytes_of(const CaptureParts& parts);

// Two kernels, a texture, copies in both directions, a fill and a graph.
CaptureParts small_capture();

}  // namespace heddle::fuzz
