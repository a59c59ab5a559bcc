// Every option of heddle cc: nvcc 13's, those of clang and gcc that build systems write, and
// Heddle's own. Parsing, `heddle cc --help`, completion and manual pages read this table.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/compile/compile.h"

namespace heddle::cuda {

struct Option {
  // How a value is written. none: takes none. one: "-arch=sm_80" and "-arch sm_80". attached: also
  // "-O2". list, attached_list: several values with commas between them. optional_file: as one, but
  // a value that does not end in .toml is the next argument.
  enum class Value { none, one, attached, list, attached_list, optional_file };
  // silent: accepted; nothing that its user could miss. noted: accepted with a note, because its
  // user expects an output or a check. refused: an error.
  enum class Effect { applied, silent, noted, refused };

  std::vector<std::string_view> names;  // nvcc's long name, its short one, others
  Value value;
  Effect effect;
  std::string_view placeholder;  // "FILE"; empty: the option has no value
  // What it does, or why it has no effect or is refused.
  std::string_view meaning;
  std::function<void(CompileOptions&, const std::string&)> apply;  // of every value of a list
};

const std::vector<Option>& option_table();

}  // namespace heddle::cuda
