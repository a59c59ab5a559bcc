// The names by which a user may refer to a kernel.
#pragma once

#include <string>
#include <vector>

namespace heddle::gpu {

// Most exact first: mangled; demangled without parameters ("ns::scale<float>"); without template
// arguments ("ns::scale"); without namespaces ("scale"). No name appears twice.
std::vector<std::string> kernel_aliases(const std::string& mangled);

// The last of these names.
std::string kernel_short_name(const std::string& mangled);

}  // namespace heddle::gpu
