// __grid_constant__, which clang 19 does not know: a kernel reads such a parameter where it is, by
// its address, too. Without it every thread copies the parameter to local memory when its address
// is taken. Heddle's headers make it an annotation; LLVM's text gets LLVM's own mark.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// LLVM's text with the mark of each annotated parameter and without the annotations.
std::string with_grid_constants(std::string_view ir);

}  // namespace heddle::cuda
