// Names of device code on the host side. Across archives: a linker takes a member of an archive
// when another object needs a name that it defines. Device functions and variables are no names of
// the host, so a member that contains nothing else would be left out. Host names are generated for
// them.
#pragma once

#include <string>

namespace heddle::cuda {

// C++ for the host side of the file with this PTX. It defines a name for every device function and
// variable that other files may use, and references one for every function and variable of other
// files. A name that is defined nowhere is no error here; loading the program reports it.
std::string names_of_device_code(const std::string& ptx);

// The PTX with the names that its host side uses. nvcc and clang name kernels and variables with
// internal linkage differently. object: the bytes of the host side's object.
std::string with_host_names(const std::string& ptx, const std::string& object);

}  // namespace heddle::cuda
