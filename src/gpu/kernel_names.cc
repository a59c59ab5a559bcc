#include "gpu/kernel_names.h"

#include <algorithm>
#include <string_view>

#include "base/demangle.h"

namespace heddle::gpu {
namespace {

bool opens(char c) { return c == '(' || c == '<'; }
bool closes(char c) { return c == ')' || c == '>'; }

// The position of the bracket that matches the last character; npos when that is no closing
// bracket.
std::size_t opening_of_last(std::string_view text) {
  if (text.empty() || !closes(text.back())) return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// The part after the last `mark` that is outside of brackets.
std::string_view after_last(std::string_view text, char mark) {
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
  const std::string demangled = demangle(mangled);
  if (demangled == mangled) return names;
  std::string_view name = demangled;
  name = name.substr(0, opening_of_last(name));  // parameters
  name = after_last(name, ' ');                  // a template's return type
  add(name);
  if (!name.empty() && name.back() == '>') name = name.substr(0, opening_of_last(name));
  add(name);
  add(after_last(name, ':'));
  return names;
}

std::string kernel_short_name(const std::string& mangled) { return kernel_aliases(mangled).back(); }

}  // namespace heddle::gpu
