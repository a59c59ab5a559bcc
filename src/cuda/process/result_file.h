// Writing files atomically: a file is complete or does not exist.
#pragma once

#include <string>

namespace heddle::cuda {

// Writes a temporary file in the same folder and renames it. UserError with the reason (no such
// folder, disk full) when that fails; `path` is unchanged then.
void write_atomically(const std::string& path, const std::string& text);

// The whole file. UserError with the reason when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace heddle::cuda
