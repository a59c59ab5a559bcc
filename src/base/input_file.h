// Reads a file.
#pragma once

#include <string>

namespace heddle {

// The whole file. UserError with the reason when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace heddle
