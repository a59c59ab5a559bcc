// Where the running executable is. Files of an installation are found relative to it.
#pragma once

#include <filesystem>

namespace heddle {

// The path of the running executable without links: from /proc/self/exe or, where /proc is not
// mounted, from the name under which the process was started. Throws UserError when neither exists.
std::filesystem::path executable_path();

}  // namespace heddle
