#include "cuda/compile/device_symbols.h"

#include <sstream>
#include <string_view>

namespace heddle::cuda {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

// ".visible .func (.param .b32 func_retval0) _Z1fi(" -> "_Z1fi"; ".extern .global .align 4 .u32
// v[4];" -> "v".
std::string_view declared_name(std::string_view line) {
  if (const std::size_t result = line.find(") ");
      line.find(".func") != std::string_view::npos && result != std::string_view::npos)
    line.remove_prefix(result + 2);
  std::size_t begin = 0;
  while (begin < line.size()) {  // the first word that is neither a directive nor its number
    while (begin < line.size() && !is_word(line[begin]) && line[begin] != '.') ++begin;
    std::size_t end = begin;
    while (end < line.size() && (is_word(line[end]) || line[end] == '.')) ++end;
    const std::string_view word = line.substr(begin, end - begin);
    if (!word.empty() && word[0] != '.' && (word[0] < '0' || word[0] > '9')) return word;
    begin = end;
  }
  return {};
}

}  // namespace

std::string names_of_device_code(const std::string& ptx) {
  std::string text;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    const bool defined = line.starts_with(".visible ") || line.starts_with(".weak "),
               needed = line.starts_with(".extern ");
    const bool reachable = line.find(".func") != std::string::npos ||
                           line.find(".global") != std::string::npos ||
                           line.find(".const") != std::string::npos;
    if (!(defined || needed) || !reachable) continue;
    const std::string_view name = declared_name(line);
    if (name.empty()) continue;
    const std::string symbol = "\\\"heddle.device." + std::string(name) + "\\\"";
    // The linker drops this section ("e") from its output, so an undefined name is no error.
    text += defined ? "asm(\".weak " + symbol + "\\n.set " + symbol + ", 0\");\n"
                    : "asm(\".pushsection .heddle.needs,\\\"e\\\"\\n.quad " + symbol +
                          "\\n.popsection\");\n";
  }
  return text;
}

}  // namespace heddle::cuda
