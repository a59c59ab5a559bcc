#include "cuda/compile/patches/local_data.h"

#include <algorithm>

namespace heddle::cuda {
namespace {

constexpr std::size_t kAlignment = 16;  // of the widest access

// The name that the call at `at` calls: "call.uni (retval0), \n\tname, \n". Empty through a
// register.
std::string_view called_name(std::string_view ptx, std::size_t at) {
  const std::size_t start = ptx.find("\n\t", at);
  if (start == std::string_view::npos) return {};
  const std::size_t end = ptx.find_first_of(",;\n", start + 2);
  return end == std::string_view::npos ? std::string_view()
                                       : ptx.substr(start + 2, end - start - 2);
}

bool defines_function(std::string_view ptx, std::string_view name) {
  for (std::size_t at = ptx.find(".func"); at != std::string_view::npos;
       at = ptx.find(".func", at + 1)) {
    const std::size_t end = ptx.find('\n', at);
    const std::size_t body = std::min(ptx.find_first_of("{;", at), ptx.size() - 1);
    if (ptx[body] == '{' && ptx.substr(at, end - at).find(name) != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

bool passes_local_data(std::string_view ptx) {
  if (ptx.find("__local_depot") == std::string_view::npos) return false;
  for (std::size_t at = ptx.find("\tcall"); at != std::string_view::npos;
       at = ptx.find("\tcall", at + 1)) {
    const std::string_view name = called_name(ptx, at);
    if (!name.empty() && defines_function(ptx, name)) return true;
  }
  return false;
}

// "  %2 = alloca [12 x %struct.V], align 4" declares a variable of unknown size: all aggregates are
// aligned. Scalars have the alignment of their type.
std::string with_aligned_locals(std::string_view ir) {
  constexpr std::string_view word = " = alloca ", align = ", align ";
  std::string out;
  while (!ir.empty()) {
    const std::size_t end = std::min(ir.find('\n'), ir.size() - 1) + 1;
    const std::string_view line = ir.substr(0, end);
    ir.remove_prefix(end);
    const std::size_t at = line.find(word), number = line.find(align, at);
    const bool is_aggregate =
        at != std::string_view::npos && number != std::string_view::npos &&
        std::string_view("[%{<").find(line[at + word.size()]) != std::string_view::npos;
    std::size_t alignment = 0, rest = number + align.size();
    while (is_aggregate && rest < line.size() && line[rest] >= '0' && line[rest] <= '9')
      alignment = alignment * 10 + static_cast<std::size_t>(line[rest++] - '0');
    if (!is_aggregate || alignment >= kAlignment) {
      out += line;
      continue;
    }
    out.append(line.substr(0, number + align.size())).append("16").append(line.substr(rest));
  }
  return out;
}

}  // namespace heddle::cuda
