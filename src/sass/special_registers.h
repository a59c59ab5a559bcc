// The special registers that S2R, S2UR and CS2R read.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::sass {

// "SR_TID.X"; empty when there is none of this number.
std::string_view special_register_name(std::uint8_t number);
bool has_special_register(int architecture, std::uint8_t number);

}  // namespace heddle::sass
