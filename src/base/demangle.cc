#include "base/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace heddle {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// The scopes and the name of a mangled name that the library cannot read, up to its first template
// arguments: "_ZN2ns3addI..." -> "ns::add". The mangled name when it begins otherwise.
std::string name_before_arguments(const std::string& mangled) {
  std::string name;
  std::size_t at = 2;  // behind "_Z"
  while (at < mangled.size() && (mangled[at] == 'N' || mangled[at] == 'L')) ++at;
  while (at < mangled.size() && mangled[at] >= '1' && mangled[at] <= '9') {
    std::size_t length = 0;
    for (; at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9'; ++at)
      length = std::min<std::size_t>(length * 10 + (mangled[at] - '0'), mangled.size());
    if (length > mangled.size() - at) break;
    const std::string part = mangled.substr(at, length);
    name += (name.empty() ? "" : "::") +
            (part.starts_with("_GLOBAL__N") ? std::string(kAnonymous) : part);
    at += length;
  }
  return name.empty() ? mangled : name;
}

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

// Tags that mark a version of one name, "add[abi:v1]": numba has the whole options in them.
std::string without_tags(std::string name) {
  constexpr std::string_view kTag = "[abi:";
  for (std::size_t begin = name.find(kTag); begin != std::string::npos; begin = name.find(kTag)) {
    const std::size_t end = name.find(']', begin);
    name.erase(begin, end == std::string::npos ? end : end + 1 - begin);
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
  if (name == mangled && name.starts_with("_Z")) name = name_before_arguments(mangled);
  // The name ends at the first '(' or '<' that is not inside template arguments; "(anonymous
  // namespace)" is part of it.
  std::size_t start = 0;
  if (name.starts_with("void ")) start = 5;
  std::size_t end = name.find_first_of("(<", start);
  while (end != std::string::npos && name.compare(end, kAnonymous.size(), kAnonymous) == 0)
    end = name.find_first_of("(<", end + kAnonymous.size());
  return without_tags(
      without_version_namespaces(name.substr(start, end == std::string::npos ? end : end - start)));
}

std::string readable_name(const std::string& mangled) {
  constexpr std::size_t kMaxLength = 160;
  std::string name = without_tags(demangle(mangled));
  return name.size() <= kMaxLength ? name : plain_name(mangled) + "<...>(...)";
}

}  // namespace heddle
