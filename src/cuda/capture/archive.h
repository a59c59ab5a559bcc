// Encodes values as bytes and decodes them. A type states its members once, for both directions,
// with the values that each of them may have:
//   template <class Self, class Archive> static void fields(Self& self, Archive& archive);
// Unsigned numbers take seven bits a byte, lowest first; the other types are made of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/address_layout.h"
#include "base/diagnostics.h"
#include "base/types.h"

namespace heddle::cuda {

using Bytes = std::vector<std::uint8_t>;

// The values that a number may have, both ends included.
struct Range {
  std::uint64_t least = 0, most = ~std::uint64_t{0};
};
// Of device addresses, and of sizes and distances in device memory.
inline constexpr Range kAddresses{0, (std::uint64_t{1} << kAddressBits) - 1};
// Of a process, at which its device code may reach registered memory.
inline constexpr Range kHostAddresses{kAddresses.most + 1, (std::uint64_t{1} << 57) - 1};
// Numbers of launches, from 1 on. NestedLaunches uses the bits above.
inline constexpr Range kLaunches{1, (std::uint64_t{1} << 47) - 1};

class Encoder {
 public:
  static constexpr bool decodes = false;
  explicit Encoder(Bytes& to) : to_(to) {}

  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  // A value of an enumeration up to its last one.
  template <class Value>
  void bounded(const Value& value, Value) {
    put(static_cast<std::uint64_t>(value));
  }
  // Numbers or addresses; `what` names them in a message.
  template <class Value>
  void within(const Value& value, Range, const char*) {
    put(value);
  }
  template <class Value>
  void one_of(const Value& value, std::initializer_list<std::uint64_t>, const char*) {
    put(value);
  }

 private:
  template <class Value>
    requires(std::is_unsigned_v<Value>)
  void put(Value value) {
    auto rest = static_cast<std::uint64_t>(value);
    for (; rest >= 0x80; rest >>= 7) to_.push_back(static_cast<std::uint8_t>(rest | 0x80));
    to_.push_back(static_cast<std::uint8_t>(rest));
  }
  void put(int value) { put(static_cast<std::uint32_t>(value) << 1 ^ -(value < 0 ? 1U : 0U)); }
  void put(float value) { put(std::bit_cast<std::uint32_t>(value)); }
  void put(Address value) { put(value.value); }
  void put(const Dim3& value) { (*this)(value.x, value.y, value.z); }
  void put(const std::string& value) {
    put(value.size());
    to_.insert(to_.end(), value.begin(), value.end());
  }
  void put(const Bytes& value) {
    put(value.size());
    to_.insert(to_.end(), value.begin(), value.end());
  }
  template <class Value>
  void put(const std::vector<Value>& values) {
    put(values.size());
    for (const Value& value : values) put(value);
  }
  template <class Value, std::size_t N>
  void put(const std::array<Value, N>& values) {
    for (const Value& value : values) put(value);
  }
  template <class First, class Second>
  void put(const std::pair<First, Second>& value) {
    (*this)(value.first, value.second);
  }
  template <class Value>
  void put(const std::optional<Value>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class... Values>
  void put(const std::variant<Values...>& value) {
    put(value.index());
    std::visit([this](const auto& held) { put(held); }, value);
  }
  template <class Value>
    requires requires(const Value& value, Encoder& archive) { Value::fields(value, archive); }
  void put(const Value& value) {
    Value::fields(value, *this);
  }

  Bytes& to_;
};

// Every read is checked: damaged bytes throw Damage.
class Decoder {
 public:
  static constexpr bool decodes = true;
  struct Damage {
    std::size_t offset;  // in the bytes
    std::string what;
  };
  explicit Decoder(std::span<const std::uint8_t> bytes, std::size_t offset = 0)
      : bytes_(bytes), offset_(offset) {}

  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == bytes_.size(); }

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  template <class Value>
  void bounded(Value& value, Value last) {
    value = static_cast<Value>(checked({0, static_cast<std::uint64_t>(last)}, "a kind"));
  }
  template <class Value>
  void within(Value& value, Range range, const char* what) {
    value = static_cast<Value>(checked(range, what));
  }
  template <class Value>
  void one_of(Value& value, std::initializer_list<std::uint64_t> values, const char* what) {
    const std::size_t start = offset_;
    const std::uint64_t read = number();
    std::string text;
    for (const std::uint64_t allowed : values) {
      if (read == allowed) {
        value = static_cast<Value>(read);
        return;
      }
      text += (text.empty() ? "" : ", ") + std::to_string(allowed);
    }
    fail(start, std::string(what) + " is " + std::to_string(read) + ", which is none of " + text);
  }

 private:
  // Elements of lists need more memory than their bytes do.
  static constexpr std::size_t kMostListBytes = std::size_t{1} << 30;

  [[noreturn]] static void fail(std::size_t offset, std::string what) {
    throw Damage{offset, std::move(what)};
  }
  std::uint64_t number() {
    const std::size_t start = offset_;
    std::uint64_t read = 0;
    for (int shift = 0;; shift += 7) {
      if (at_end()) fail(start, "the data are cut off");
      const std::uint8_t next = bytes_[offset_++];
      if (shift > 56 && (shift > 63 || next > 1)) fail(start, "a number is too long");
      read |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return read;
    }
  }
  std::uint64_t checked(Range range, const char* what) {
    const std::size_t start = offset_;
    const std::uint64_t read = number();
    if (read < range.least || read > range.most)
      fail(start, std::string(what) + " is " + std::to_string(read) + "; it can be " +
                      std::to_string(range.least) + " to " + std::to_string(range.most));
    return read;
  }
  template <class Value>
    requires(std::is_unsigned_v<Value>)
  void get(Value& value) {
    value = static_cast<Value>(checked({0, std::numeric_limits<Value>::max()}, "a number"));
  }
  void get(int& value) {
    std::uint32_t coded = 0;
    get(coded);
    value = static_cast<int>(coded >> 1 ^ -(coded & 1));
  }
  void get(float& value) {
    std::uint32_t bits = 0;
    get(bits);
    value = std::bit_cast<float>(bits);
  }
  void get(Address& value) { get(value.value); }
  void get(Dim3& value) { (*this)(value.x, value.y, value.z); }
  std::size_t length(std::size_t element_bytes) {
    const std::size_t start = offset_;
    const std::uint64_t count = number();
    // Every element takes at least one byte.
    if (count > bytes_.size() - offset_) fail(start, "a list is longer than its chunk");
    if (count > (kMostListBytes - list_bytes_) / element_bytes)
      fail(start, "the lists of a record need more than 1 GiB");
    list_bytes_ += count * element_bytes;
    return count;
  }
  void get(std::string& value) {
    const std::size_t count = length(1);
    value.assign(reinterpret_cast<const char*>(bytes_.data()) + offset_, count);
    offset_ += count;
  }
  void get(Bytes& value) {
    const std::size_t count = length(1);
    value.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(offset_),
                 bytes_.begin() + static_cast<std::ptrdiff_t>(offset_ + count));
    offset_ += count;
  }
  template <class Value>
  void get(std::vector<Value>& values) {
    const std::size_t count = length(sizeof(Value));
    values.clear();
    for (std::size_t i = 0; i < count; ++i) get(values.emplace_back());
  }
  template <class Value, std::size_t N>
  void get(std::array<Value, N>& values) {
    for (Value& value : values) get(value);
  }
  template <class First, class Second>
  void get(std::pair<First, Second>& value) {
    (*this)(value.first, value.second);
  }
  template <class Value>
  void get(std::optional<Value>& value) {
    bool has = false;
    get(has);
    value.reset();
    if (has) get(value.emplace());
  }
  template <std::size_t I = 0, class... Values>
  void get_alternative(std::variant<Values...>& value, std::size_t index) {
    if constexpr (I < sizeof...(Values)) {
      if (index == I)
        get(value.template emplace<I>());
      else
        get_alternative<I + 1>(value, index);
    } else {
      fail(offset_, "an entry has an unknown type");
    }
  }
  template <class... Values>
  void get(std::variant<Values...>& value) {
    std::size_t index = 0;
    get(index);
    get_alternative(value, index);
  }
  template <class Value>
    requires requires(Value& value, Decoder& archive) { Value::fields(value, archive); }
  void get(Value& value) {
    Value::fields(value, *this);
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t offset_, list_bytes_ = 0;
};

}  // namespace heddle::cuda
