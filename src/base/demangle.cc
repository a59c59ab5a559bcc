#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace heddle {

std::string demangle(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free};
  return status == 0 ? text.get() : mangled;
}

std::string plain_name(const std::string& mangled) {
  std::string name = demangle(mangled);
  // The name ends at the first '(' or '<' that is not inside template arguments; "(anonymous namespace)::" is part of it.
  std::size_t start = 0;
  if (name.starts_with("void ")) start = 5;
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::size_t scan = start;
  while (name.compare(scan, kAnonymous.size(), kAnonymous) == 0) scan += kAnonymous.size();
  const std::size_t end = name.find_first_of("(<", scan);
  return name.substr(start, end == std::string::npos ? end : end - start);
}

}  // namespace heddle
