// Device code across archives. A linker takes a member of an archive when somebody needs a name
// that it defines; functions and variables of device code are no names of the host's, so a member
// with nothing else would stay out. Names of the host's stand for them.
#pragma once

#include <string>

namespace heddle::cuda {

// C++ for the host side of the file that this PTX was made of: defines a name for every function
// and variable that other files may use, and needs one for every function and variable of other
// files. What nobody defines is no mistake here; loading tells it.
std::string names_of_device_code(const std::string& ptx);

}  // namespace heddle::cuda
