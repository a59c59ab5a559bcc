// The modifiers of machine code as enumerations: `ISETP.GE.U32.AND` has Compare::GE, Format::U32
// and Combine::AND. modifiers.inc lists the values in the order of their encoding.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::sass {

#define HEDDLE_SASS_MODIFIER(NAME, ...) enum class NAME : std::uint8_t { __VA_ARGS__ };
#include "sass/modifiers.inc"
#undef HEDDLE_SASS_MODIFIER

enum class ModifierKind : std::uint8_t {
#define HEDDLE_SASS_MODIFIER(NAME, ...) NAME,
#include "sass/modifiers.inc"
#undef HEDDLE_SASS_MODIFIER
  flag  // a single bit with a name: .X, .FTZ, .SAT
};

template <class Modifier>
inline constexpr ModifierKind kKindOf = ModifierKind::flag;
#define HEDDLE_SASS_MODIFIER(NAME, ...) \
  template <>                           \
  inline constexpr ModifierKind kKindOf<NAME> = ModifierKind::NAME;
#include "sass/modifiers.inc"
#undef HEDDLE_SASS_MODIFIER

// The kind of a name of modifiers.inc; `flag` for another name.
ModifierKind modifier_kind(std::string_view name);

struct ModifierName {
  bool known = false;     // false: no instruction has this value
  std::string_view text;  // "GE"; empty for a value that a listing omits
};
ModifierName modifier_name(ModifierKind kind, std::uint64_t value);

}  // namespace heddle::sass
