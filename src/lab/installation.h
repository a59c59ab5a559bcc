// Where Heddle's own files are, seen from its executable.
#pragma once

#include <string>

namespace heddle::lab {

std::string library_folder();
// Our CUDA runtime, as a file. UserError when it is not there.
std::string runtime_library();

// The workloads, compiled: in the build tree beside the executable. UserError when they are not
// there.
std::string programs_folder();

}  // namespace heddle::lab
