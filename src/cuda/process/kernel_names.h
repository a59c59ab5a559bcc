// Kernels' names as people write them.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

// What a kernel may be called, most exact first: mangled; demangled without its parameters
// ("ns::scale<float>"); without template arguments ("ns::scale"); without namespaces ("scale").
// Without repetitions.
std::vector<std::string> kernel_aliases(const std::string& mangled);

// The shortest of them.
std::string kernel_short_name(const std::string& mangled);

}  // namespace heddle::cuda
