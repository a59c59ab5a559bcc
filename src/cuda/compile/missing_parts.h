// Messages about CUDA libraries that Heddle does not have and packages that are not installed.
#pragma once

#include <string>

namespace heddle::cuda {

// Clang's messages name only the missing file or identifier. These add the library.
void print_absent_libraries(const std::string& source, const std::string& messages);
// Thrust and CUB come from Debian packages.
void print_missing_packages(const std::string& messages);

// Whether a linker flag, as "-lcublas", names a library that Heddle does not have.
bool is_absent_library(const std::string& flag);

}  // namespace heddle::cuda
