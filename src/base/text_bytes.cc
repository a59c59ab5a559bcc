#include "base/text_bytes.h"

namespace heddle {
namespace {

constexpr unsigned char kFirst = 0xef, kSecond = 0x9e;  // of U+F780 to U+F7FF in UTF-8

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool in_range(unsigned char byte, unsigned low, unsigned high) {
  return byte >= low && byte <= high;
}

// The length of the character at a place, 0 when there is none (RFC 3629, section 4).
std::size_t character_at(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at), second = byte_at(text, at + 1);
  const auto tail = [&](std::size_t i) { return in_range(byte_at(text, at + i), 0x80, 0xbf); };
  if (first < 0x80) return 1;
  if (in_range(first, 0xc2, 0xdf)) return tail(1) ? 2 : 0;
  if (in_range(first, 0xe0, 0xef)) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
    return in_range(second, low, high) && tail(2) ? 3 : 0;
  }
  if (in_range(first, 0xf0, 0xf4)) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
    return in_range(second, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

// Whether a private character of encode_bytes() is at a place.
bool is_encoded(std::string_view text, std::size_t at) {
  return byte_at(text, at) == kFirst && in_range(byte_at(text, at + 1), kSecond, kSecond + 1u) &&
         in_range(byte_at(text, at + 2), 0x80, 0xbf);
}

// Copies characters; `other` appends what stands for a byte that is none.
template <class Other>
std::string with_other_bytes(std::string_view text, bool escape_private, Other other) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = escape_private && is_encoded(text, at) ? 0 : character_at(text, at);
    if (length == 0)
      other(result, byte_at(text, at++));
    else
      result += text.substr(at, length), at += length;
  }
  return result;
}

}  // namespace

std::string readable_text(std::string_view text) {
  return with_other_bytes(text, false,
                          [](std::string& result, unsigned char) { result += "\xef\xbf\xbd"; });
}

std::string encode_bytes(std::string_view text) {
  return with_other_bytes(text, true, [](std::string& result, unsigned char byte) {
    result += static_cast<char>(kFirst);
    result += static_cast<char>(kSecond + ((byte >> 6) & 1));
    result += static_cast<char>(0x80 | (byte & 0x3f));
  });
}

std::string decode_bytes(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (!is_encoded(text, at)) {
      result += text[at++];
      continue;
    }
    const unsigned high = byte_at(text, at + 1) - kSecond, low = byte_at(text, at + 2) & 0x3fu;
    result += static_cast<char>(0x80 | (high << 6) | low);
    at += 3;
  }
  return result;
}

}  // namespace heddle
