// What a PTX text declares at module scope, found token by token without parsing. A program can
// contain hundreds of kilobytes of PTX that no kernel uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::ptx {

// Variables that a module may declare as name<N>.
inline constexpr std::uint64_t kMaxNumberedVariables = std::uint64_t{1} << 16;

struct Declaration {
  enum class Kind : std::uint8_t { kernel, function, variable } kind = Kind::variable;
  bool is_external = false;  // .extern
  bool is_shared = false;    // .visible, .weak, .common
  std::string name;
};

// Kernels, functions, and variables that the loader places, in the order of the text. `file` is the
// text's name in messages. UserError when the text has no tokens of PTX.
std::vector<Declaration> scan_declarations(std::string_view text, const std::string& file);

}  // namespace heddle::ptx
