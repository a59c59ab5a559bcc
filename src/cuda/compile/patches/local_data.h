// Local data that functions read in wider pieces than its type has. nvcc inlines almost every
// function and then keeps such data in registers. clang calls large functions, and passes them the
// address of data that is aligned for its own type only.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// Whether a kernel or function of this PTX has local data and calls a function of this PTX.
bool passes_local_data(std::string_view ptx);

// LLVM's text with every local array and structure aligned to 16 bytes.
std::string with_aligned_locals(std::string_view ir);

}  // namespace heddle::cuda
