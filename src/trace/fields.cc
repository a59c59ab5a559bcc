#include "trace/fields.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

[[noreturn]] void refuse(std::string_view text, const char* what, const char* kind) {
  if (text.empty()) throw FormatError(fmt::format("{} is missing", what));
  throw FormatError(fmt::format("{}: '{}' is not {}", what, text.substr(0, 40), kind));
}

}  // namespace

std::uint64_t parse_number(std::string_view text, const char* what, std::uint64_t most, int base) {
  std::string_view digits = text;
  if (base == 16 && digits.starts_with("0x")) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != last || digits.empty())
    refuse(text, what, base == 16 ? "a hexadecimal number" : "a number");
  if (value > most) throw FormatError(fmt::format("{}: {} is more than {}", what, text, most));
  return value;
}

Dim3 parse_triple(std::string_view text, const char* what,
                  const std::array<std::uint64_t, 3>& most) {
  std::array<std::uint32_t, 3> value{};
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto comma = i + 1 < value.size() ? text.find(',') : text.size();
    if (comma == std::string_view::npos)
      throw FormatError(fmt::format("{} has fewer than three numbers", what));
    value[i] = static_cast<std::uint32_t>(parse_number(text.substr(0, comma), what, most[i], 10));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return {value[0], value[1], value[2]};
}

std::string_view Fields::next() {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  std::size_t begin = at_;
  while (begin < line_.size() && blank(line_[begin])) ++begin;
  std::size_t end = begin;
  while (end < line_.size() && !blank(line_[end])) ++end;
  at_ = end;
  return line_.substr(begin, end - begin);
}

std::uint64_t Fields::decimal(const char* what, std::uint64_t most) {
  return parse_number(next(), what, most, 10);
}

std::uint64_t Fields::hexadecimal(const char* what, std::uint64_t most) {
  return parse_number(next(), what, most, 16);
}

std::int64_t Fields::with_sign(const char* what) {
  const std::string_view text = next();
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != last || text.empty()) refuse(text, what, "a number");
  return value;
}

}  // namespace heddle::trace
