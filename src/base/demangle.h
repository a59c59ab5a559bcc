// C++ names as people wrote them.
#pragma once

#include <string>

namespace heddle {

// "_Z6vecaddPKfS0_Pfi" -> "vecadd(float const*, float const*, float*, int)"; other names stay as they are.
std::string demangle(const std::string& mangled);
// The same without template arguments and parameters: "vecadd", "ns::scan".
std::string plain_name(const std::string& mangled);

}  // namespace heddle
