// C++ leaves a float open that does not fit into the 8 or 16 bits it is converted to. nvcc converts
// to 32 bits, which saturates, and keeps the lower ones: (unsigned char)-5.0f is 0. LLVM converts
// to 16 bits with a sign. Programs about pictures lean on what their GPUs did.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// Whether this PTX converts floats to fewer than 32 bits.
bool has_narrow_conversions(std::string_view ptx);

// LLVM's text with such conversions led by way of 32 bits.
std::string with_wide_conversions(std::string_view ir);

}  // namespace heddle::cuda
