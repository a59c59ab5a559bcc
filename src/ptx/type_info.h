// Names, sizes and kinds of the types.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/type.h"

namespace heddle::ptx {

// Size of a register or memory element; 0 for pred and for types smaller than a byte.
std::uint32_t bytes_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);
// The type that a modifier or directive names, without its dot; none for other words.
Type type_named(std::string_view name);
std::string_view name_of(Type type);

}  // namespace heddle::ptx
