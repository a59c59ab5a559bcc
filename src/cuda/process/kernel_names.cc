#include "cuda/process/kernel_names.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>

namespace heddle::cuda {
namespace {

bool opens(char c) { return c == '(' || c == '<'; }
bool closes(char c) { return c == ')' || c == '>'; }

// Where the bracket that closes the text was opened; npos when the text does not end with one.
std::size_t opening_of_last(std::string_view text) {
  if (text.empty() || !closes(text.back())) return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// The part behind the last occurrence of `mark` outside of brackets.
std::string_view behind_last(std::string_view text, char mark) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i])) --depth;
    if (depth == 0 && text[i] == mark) return text.substr(i + 1);
  }
  return text;
}

}  // namespace

std::vector<std::string> kernel_aliases(const std::string& mangled) {
  std::vector<std::string> names{mangled};
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.emplace_back(name);
  };
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled{
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free};
  if (status != 0) return names;
  std::string_view name = demangled.get();
  name = name.substr(0, opening_of_last(name));  // parameters
  name = behind_last(name, ' ');                 // a template's return type
  add(name);
  if (!name.empty() && name.back() == '>') name = name.substr(0, opening_of_last(name));
  add(name);
  add(behind_last(name, ':'));
  return names;
}

std::string kernel_short_name(const std::string& mangled) { return kernel_aliases(mangled).back(); }

}  // namespace heddle::cuda
