#include "cuda/compile/patches/cache_operators.h"

#include <algorithm>

namespace heddle::cuda {
namespace {

// "v2.u32 ..." or "f64 ...": there is no operator between the state space and the type.
bool begins_with_type(std::string_view text) {
  if (text.starts_with("v2.") || text.starts_with("v4.")) return true;
  return text.size() > 1 && std::string_view("busf").find(text[0]) != std::string_view::npos &&
         text[1] >= '0' && text[1] <= '9';
}

// The position for the operator in the statement that begins here; npos if it takes none.
std::size_t operator_place(std::string_view statement, std::string_view opcode) {
  for (const std::string_view space : {".global.", "."}) {
    const std::string head = std::string(opcode) + std::string(space);
    if (statement.starts_with(head) && begins_with_type(statement.substr(head.size())))
      return head.size();
  }
  return std::string_view::npos;
}

// The first character of a line after blanks and a guard.
std::size_t statement_start(std::string_view line) {
  std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line[start] != '@') return start;
  start = line.find_first_of(" \t", start);
  return start == std::string_view::npos ? start : line.find_first_not_of(" \t", start);
}

}  // namespace

std::string with_cache_operator(std::string_view ptx, std::string_view opcode,
                                std::string_view cache_operator) {
  std::string out;
  while (!ptx.empty()) {
    const std::size_t end = std::min(ptx.find('\n'), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(end);
    const std::size_t start = statement_start(line);
    const std::size_t place =
        start == std::string_view::npos ? start : operator_place(line.substr(start), opcode);
    if (place == std::string_view::npos) {
      out += line;
      continue;
    }
    out += line.substr(0, start + place);
    out += cache_operator;
    out += '.';
    out += line.substr(start + place);
  }
  return out;
}

}  // namespace heddle::cuda
