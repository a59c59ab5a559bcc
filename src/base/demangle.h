// Readable forms of mangled C++ names.
#pragma once

#include <string>

namespace heddle {

// "_Z6vecaddPKfS0_Pfi" -> "vecadd(float const*, float const*, float*, int)"; returns other names
// unchanged.
std::string demangle(const std::string& mangled);
// The name without template arguments, parameters and version namespaces: "vecadd", "ns::scan",
// "cub::DeviceScanKernel".
std::string plain_name(const std::string& mangled);
// For messages: the demangled name, or the plain name where it has more than 160 characters.
std::string readable_name(const std::string& mangled);

}  // namespace heddle
