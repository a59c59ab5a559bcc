#include "sass/modifiers.h"

#include <string>
#include <vector>

namespace heddle::sass {
namespace {

struct Names {
  std::string_view kind;
  std::vector<std::string> values;
};

// `n` stands before a name that is none in C++.
bool has_prefix(std::string_view name) {
  return name.size() > 1 && name[0] == 'n' && (name[1] <= '9' || name == "nNAN");
}

// `_` is a point, but not in H0_H0, H1_H1, BF16_V2, 2D_ARRAY and 1D_BUFFER.
void write_points(std::string& name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = std::string_view(name).substr(i);
    const bool stays = rest.starts_with("_H0") || rest.starts_with("_H1") || rest == "_V2" ||
                       rest == "_ARRAY" || rest == "_BUFFER";
    if (name[i] == '_' && !stays) name[i] = '.';
  }
}

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    std::string_view name = list.substr(0, comma);
    if (has_prefix(name)) name.remove_prefix(1);
    names.emplace_back(name);
    write_points(names.back());
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 2);
  }
  return names;
}

const std::vector<Names>& all_names() {
  static const std::vector<Names> names = {
#define HEDDLE_TEXT(...) #__VA_ARGS__  // of the lists that macros write, too
#define HEDDLE_SASS_MODIFIER(NAME, ...) {#NAME, split_names(HEDDLE_TEXT(__VA_ARGS__))},
#include "sass/modifiers.inc"
#undef HEDDLE_SASS_MODIFIER
#undef HEDDLE_TEXT
  };
  return names;
}

}  // namespace

ModifierKind modifier_kind(std::string_view name) {
  const std::vector<Names>& names = all_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].kind == name) return static_cast<ModifierKind>(i);
  }
  return ModifierKind::flag;
}

ModifierName modifier_name(ModifierKind kind, std::uint64_t value) {
  const std::vector<std::string>& values = all_names()[static_cast<std::size_t>(kind)].values;
  if (value >= values.size()) return {};
  const std::string& name = values[value];
  if (name.starts_with("refused")) return {};
  return {true, name.ends_with('.') ? std::string_view{} : std::string_view(name)};
}

}  // namespace heddle::sass
