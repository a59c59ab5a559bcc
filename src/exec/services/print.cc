#include "exec/services/print.h"

#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace heddle::exec {
namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 24;

// The parts of "%-08.3lld".
struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  bool width_given = false, precision_given = false;  // given as *
  std::string length;
  char letter = 0;
  bool wide() const {
    return length == "l" || length == "ll" || length == "j" || length == "z" || length == "t" ||
           length == "L";
  }
};

class Reader {
 public:
  Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::string_view literal() { return take(std::min(text_.find('%', at_), text_.size()) - at_); }
  // The conversion after a '%'; none when it is not one.
  std::optional<Conversion> conversion() {
    const std::size_t start = at_++;
    Conversion c;
    while (!at_end() && std::strchr("-+ #0", text_[at_])) c.flags += text_[at_++];
    c.width_given = star();
    if (!c.width_given) c.width = number();
    if (!at_end() && text_[at_] == '.') {
      ++at_;
      c.precision_given = star();
      if (!c.precision_given) c.precision = number().value_or(0);
    }
    while (!at_end() && std::strchr("hljztL", text_[at_])) c.length += text_[at_++];
    if (!at_end()) c.letter = text_[at_++];
    if (c.letter && std::strchr("diouxXcsaAeEfFgGp%n", c.letter)) return c;
    unknown_ = text_.substr(start, at_ - start);
    return std::nullopt;
  }
  std::string_view unknown() const { return unknown_; }

 private:
  std::string_view take(std::size_t count) {
    at_ += count;
    return text_.substr(at_ - count, count);
  }
  bool star() { return !at_end() && text_[at_] == '*' && ++at_; }
  std::optional<int> number() {
    if (at_end() || text_[at_] < '0' || text_[at_] > '9') return std::nullopt;
    int value = 0;
    while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9') {
      if (value < 100000) value = value * 10 + (text_[at_] - '0');
      ++at_;
    }
    return value;
  }

  std::string_view text_, unknown_;
  std::size_t at_ = 0;
};

// Formats one value with the host's printf.
template <class T>
void append(std::string& out, const Conversion& c, const char* length, T value) {
  std::string spec = "%" + c.flags;
  if (c.width) spec += std::to_string(*c.width);
  if (c.precision) spec += "." + std::to_string(*c.precision);
  spec += length;
  spec += c.letter;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  char small[128];
  const int bytes = std::snprintf(small, sizeof small, spec.c_str(), value);
  if (bytes < 0) return;
  if (static_cast<std::size_t>(bytes) < sizeof small) {
    out.append(small, static_cast<std::size_t>(bytes));
    return;
  }
  std::vector<char> large(static_cast<std::size_t>(bytes) + 1);
  std::snprintf(large.data(), large.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
  out.append(large.data(), static_cast<std::size_t>(bytes));
}

class Printer {
 public:
  Printer(const ReadMemory& read, std::uint64_t arguments) : read_(read), next_(arguments) {}
  Printed result;

  bool convert(Conversion c) {
    if (c.letter == '%') return result.text += '%', true;
    std::int32_t given = 0;
    if (c.width_given) {
      if (!take(given)) return false;
      if (given < 0) c.flags += '-', given = -given;
      c.width = given;
    }
    if (c.precision_given) {
      if (!take(given)) return false;
      c.precision = given < 0 ? std::nullopt : std::optional(given);
    }
    switch (c.letter) {
      case 's': return text(c);
      case 'p':
      case 'n': {
        std::uint64_t pointer = 0;
        if (!take(pointer)) return false;
        if (c.letter == 'p') append(result.text, c, "", reinterpret_cast<void*>(pointer));
        return true;
      }
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return value<double>(c, "");
      case 'c': return value<std::int32_t>(c, "");
      default:
        return c.wide() ? value<long long>(c, "ll") : value<std::int32_t>(c, c.length.c_str());
    }
  }

 private:
  template <class T>
  bool take(T& value) {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    if (!read_(next_, &value, sizeof(T))) return false;
    next_ += sizeof(T);
    ++result.arguments;
    return true;
  }
  template <class T>
  bool value(const Conversion& c, const char* length) {
    T v{};
    if (!take(v)) return false;
    append(result.text, c, length, v);
    return true;
  }
  bool text(const Conversion& c) {
    std::uint64_t address = 0;
    if (!take(address)) return false;
    const std::optional<std::string> string =
        address ? read_text(read_, address) : std::optional<std::string>("(null)");
    if (string) append(result.text, c, "", string->c_str());
    return string.has_value();
  }

  const ReadMemory& read_;
  std::uint64_t next_;
};

}  // namespace

std::optional<std::string> read_text(const ReadMemory& read, std::uint64_t address) {
  std::string text;
  for (char c = 0; text.size() < kLongestText; text += c) {
    if (!read(address + text.size(), &c, 1)) return std::nullopt;
    if (c == 0) break;
  }
  return text;
}

std::optional<Printed> print(const ReadMemory& read, const std::string& format,
                             std::uint64_t arguments) {
  Reader reader(format);
  Printer printer(read, arguments);
  while (!reader.at_end()) {
    printer.result.text += reader.literal();
    if (reader.at_end()) break;
    const auto conversion = reader.conversion();
    if (!conversion)
      printer.result.text += reader.unknown();
    else if (!printer.convert(*conversion))
      return std::nullopt;
  }
  return std::move(printer.result);
}

}  // namespace heddle::exec
