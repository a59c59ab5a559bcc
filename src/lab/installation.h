// Where Heddle's own files are, seen from its executable.
#pragma once

#include <string>

namespace heddle::lab {

std::string library_folder();
// Our CUDA runtime, as a file. UserError when it is not there.
std::string runtime_library();

}  // namespace heddle::lab
