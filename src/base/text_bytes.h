// Names and arguments are bytes; JSON, SQLite and HTML hold UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// For people: bytes that are not UTF-8 become U+FFFD.
std::string readable_text(std::string_view text);

// For a file that Heddle reads again: a byte that is not UTF-8 becomes one of the private
// characters U+F780 to U+F7FF; decode_bytes() is the reverse. UTF-8 without these characters stays
// as it is.
std::string encode_bytes(std::string_view text);
std::string decode_bytes(std::string_view text);

}  // namespace heddle
