#include "base/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace heddle {
namespace {

// CUB and Thrust put each version into an inline namespace:
// "cub::CUB_101702_750_NS::DeviceScanKernel".
std::string without_version_namespaces(std::string name) {
  constexpr std::string_view kEnd = "_NS::";
  for (std::size_t end = name.find(kEnd); end != std::string::npos; end = name.find(kEnd, end)) {
    const std::size_t colon = name.rfind(':', end),
                      begin = colon == std::string::npos ? 0 : colon + 1;
    const bool version = std::all_of(
        name.begin() + static_cast<std::ptrdiff_t>(begin),
        name.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
    if (version)
      name.erase(begin, end + kEnd.size() - begin), end = begin;
    else
      end += kEnd.size();
  }
  return name;
}

}  // namespace

std::string demangle(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free};
  return status == 0 ? text.get() : mangled;
}

std::string plain_name(const std::string& mangled) {
  std::string name = demangle(mangled);
  // The name ends at the first '(' or '<' that is not inside template arguments; "(anonymous
  // namespace)::" is part of it.
  std::size_t start = 0;
  if (name.starts_with("void ")) start = 5;
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::size_t scan = start;
  while (name.compare(scan, kAnonymous.size(), kAnonymous) == 0) scan += kAnonymous.size();
  const std::size_t end = name.find_first_of("(<", scan);
  return without_version_namespaces(
      name.substr(start, end == std::string::npos ? end : end - start));
}

std::string readable_name(const std::string& mangled) {
  constexpr std::size_t kMaxLength = 160;
  std::string name = demangle(mangled);
  return name.size() <= kMaxLength ? name : plain_name(mangled) + "<...>(...)";
}

}  // namespace heddle
