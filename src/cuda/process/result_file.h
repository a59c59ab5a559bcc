// Files that are either complete or absent.
#pragma once

#include <string>

namespace heddle::cuda {

// Writes beside `path` and renames. UserError with the reason (no such folder, disk full) when that
// fails; `path` is then as before.
void write_atomically(const std::string& path, const std::string& text);

// The whole file. UserError with the reason when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace heddle::cuda
