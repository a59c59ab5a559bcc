// Where the compiler is, and where Heddle's headers, bitcode and runtime library are. Heddle's
// files are found relative to the running executable: a build tree and an installed tree have one
// layout.
#pragma once

#include <filesystem>

namespace heddle::cuda {

struct Toolchain {
  std::filesystem::path clang;    // clang++ 19
  std::filesystem::path include;  // cuda_runtime.h is here: PREFIX/include/heddle-cuda
  std::filesystem::path bitcode;  // the device mathematics: PREFIX/lib/heddle/device_math.bc
  std::filesystem::path library;  // the folder of libcudart.so.13: PREFIX/lib
  std::filesystem::path headers;  // precompiled headers are kept here; empty: not kept
  bool openmp = false;            // clang's OpenMP is installed
};

// UserError when clang-19 or a part of Heddle's installation is missing. The environment variable
// HEDDLE_CLANG selects another clang. HEDDLE_HEADER_CACHE selects the folder of precompiled
// headers, or none if it is empty; a build tree has PREFIX/lib/heddle/headers.
Toolchain find_toolchain();

}  // namespace heddle::cuda
