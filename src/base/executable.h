// Where executables are. Files of an installation are found relative to the running one.
#pragma once

#include <filesystem>
#include <string>

namespace heddle {

// The path of the running executable without links: from /proc/self/exe or, where /proc is not
// mounted, from the name under which the process was started. Throws UserError when neither exists.
std::filesystem::path executable_path();

// The executable of this name in the folders of PATH, as execvp(3) finds it: an empty folder is the
// current one, and without PATH the folders are /bin and /usr/bin. Empty when there is none.
std::string find_in_path(const std::string& name);

}  // namespace heddle
