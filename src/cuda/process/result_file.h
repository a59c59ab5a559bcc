// Writing files atomically: a file is complete or does not exist.
#pragma once

#include <string>

namespace heddle::cuda {

// As OutputFile (base/output_file.h), in a folder that exists.
void write_atomically(const std::string& path, const std::string& text);

}  // namespace heddle::cuda
