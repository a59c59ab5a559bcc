// The fields of a line, which blanks separate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/types.h"

namespace heddle::trace {

class Fields {
 public:
  explicit Fields(std::string_view line) : line_(line) {}

  // The next field; empty at the end of the line.
  std::string_view next();
  // The next field as a number of at most `most`. FormatError names it by `what` otherwise.
  std::uint64_t decimal(const char* what, std::uint64_t most);
  std::uint64_t hexadecimal(const char* what, std::uint64_t most);  // with or without 0x
  std::int64_t with_sign(const char* what);
  // Of the first character that has not been read, blanks before it included.
  std::size_t position() const { return at_; }

 private:
  std::uint64_t number(const char* what, std::uint64_t most, int base);

  std::string_view line_;
  std::size_t at_ = 0;
};

// `text` as a number. FormatError names it by `what` when it is none or more than `most`.
std::uint64_t parse_number(std::string_view text, const char* what, std::uint64_t most, int base);
// "x,y,z", each of them at most that of `most`.
Dim3 parse_triple(std::string_view text, const char* what,
                  const std::array<std::uint64_t, 3>& most);

}  // namespace heddle::trace
