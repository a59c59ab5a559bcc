// Where the compiler and our own headers, bitcode and runtime library are. Everything of ours is
// found from the place of the running executable, so that a build tree and an installed tree look
// the same.
#pragma once

#include <filesystem>

namespace heddle::cuda {

struct Toolchain {
  std::filesystem::path clang;    // clang++ 19
  std::filesystem::path include;  // cuda_runtime.h is here: PREFIX/include/heddle-cuda
  std::filesystem::path bitcode;  // the device mathematics: PREFIX/lib/heddle/device_math.bc
  std::filesystem::path library;  // the folder of libcudart.so.13: PREFIX/lib
  bool openmp = false;            // clang's OpenMP is installed
};

// Throws UserError when clang-19 or a part of Heddle's installation is missing. HEDDLE_CLANG names
// another clang.
Toolchain find_toolchain();

}  // namespace heddle::cuda
