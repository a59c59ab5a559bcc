// All forms of an architecture, found by opcode.
#pragma once

#include <cstdint>
#include <span>

#include "sass/encoding/form.h"

namespace heddle::sass {

// The forms with this opcode (bit 91 and bits 11:0), in the order in which they are tried.
std::span<const EncodingForm* const> forms_with_code(int architecture, std::uint16_t code);
// Every form of every table.
std::span<const EncodingForm> all_forms();

}  // namespace heddle::sass
