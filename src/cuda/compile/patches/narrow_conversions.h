// Converting a float to 8 or 16 bits is undefined in C++ if the value does not fit. nvcc converts
// to 32 bits, which saturates, and keeps the low bits: (unsigned char)-5.0f is 0. LLVM converts to
// 16 bits with a sign. Image-processing programs rely on nvcc's result.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// The LLVM text with such conversions replaced by a conversion to 32 bits and a truncation.
std::string with_wide_conversions(std::string_view ir);

}  // namespace heddle::cuda
