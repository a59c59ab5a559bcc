// Names of kernels in tables.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

// The names in their order. One that is wider than a column has "…" in the place of its outer
// namespaces, unless another name would look the same.
std::vector<std::string> kernel_labels(const std::vector<std::string>& names);

// The same for the kernels of a table, by their member `name`.
template <class Kernels, class Name>
std::vector<std::string> kernel_labels(const Kernels& kernels, Name name) {
  std::vector<std::string> names;
  for (const auto& kernel : kernels) names.push_back(kernel.*name);
  return kernel_labels(names);
}

}  // namespace heddle::report
