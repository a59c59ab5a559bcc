// JSON that a process of Heddle has written, of which there may be a line for each of many
// launches.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace heddle::lab {

// Discarded (is_discarded()) when the text is no JSON, or has an integer of more than 64 bits.
nlohmann::ordered_json read_json(std::string_view text);

}  // namespace heddle::lab
