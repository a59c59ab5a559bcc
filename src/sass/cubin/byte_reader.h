// Reads little-endian numbers from bytes that come from outside. A read past the end is a UserError
// that names the part of the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <fmt/format.h>

#include "base/checked.h"
#include "base/diagnostics.h"

namespace heddle::sass {

using Bytes = std::span<const std::uint8_t>;

class ByteReader {
 public:
  ByteReader(Bytes bytes, std::string part) : bytes_(bytes), part_(std::move(part)) {}

  std::size_t at() const { return at_; }
  bool done() const { return at_ == bytes_.size(); }
  std::size_t rest() const { return bytes_.size() - at_; }

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  Bytes take(std::uint64_t count) {
    if (count > rest()) refuse("ends early");
    const Bytes taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }
  void move_to(std::uint64_t at) {
    if (at > bytes_.size()) refuse("points past its end");
    at_ = at;
  }
  // LEB128 of DWARF.
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    refuse("has a number of more than 64 bits");
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64;) {
      const std::uint8_t byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
    refuse("has a number of more than 64 bits");
  }
  // Control characters are refused: names are printed on terminals.
  std::string text() {
    std::string text;
    while (const std::uint8_t next = number<std::uint8_t>()) {
      if (next < 0x20 || next == 0x7f) refuse("has a control character");
      text += static_cast<char>(next);
    }
    return text;
  }
  [[noreturn]] void refuse(const std::string& how) const {
    throw UserError(fmt::format("the cubin is corrupt: {} {} (byte {})", part_, how, at_));
  }

 private:
  Bytes bytes_;
  std::string part_;
  std::size_t at_ = 0;
};

}  // namespace heddle::sass
