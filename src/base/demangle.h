// C++ names as people wrote them.
#pragma once

#include <string>

namespace heddle {

// "_Z6vecaddPKfS0_Pfi" -> "vecadd(float const*, float const*, float*, int)"; other names stay as
// they are.
std::string demangle(const std::string& mangled);
// The same without template arguments and parameters, and without namespaces that only number a
// version: "vecadd", "ns::scan", "cub::DeviceScanKernel".
std::string plain_name(const std::string& mangled);
// For a line of text: the whole name, or the plain one where a template's arguments would fill a
// page.
std::string readable_name(const std::string& mangled);

}  // namespace heddle
