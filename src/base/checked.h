// Arithmetic on numbers that come from outside: a result beyond 64 bits is known as such, and never
// wraps around.
#pragma once

#include <cstdint>
#include <optional>

namespace heddle {

// (Checked(height - 1) * pitch + width).at_most(memory_bytes)
class Checked {
 public:
  constexpr explicit Checked(std::uint64_t value) : value_(value) {}

  friend constexpr Checked operator+(Checked a, Checked b) {
    a.exact_ &= b.exact_ && !__builtin_add_overflow(a.value_, b.value_, &a.value_);
    return a;
  }
  friend constexpr Checked operator*(Checked a, Checked b) {
    a.exact_ &= b.exact_ && !__builtin_mul_overflow(a.value_, b.value_, &a.value_);
    return a;
  }
  friend constexpr Checked operator+(Checked a, std::uint64_t b) { return a + Checked(b); }
  friend constexpr Checked operator*(Checked a, std::uint64_t b) { return a * Checked(b); }

  // False for a result beyond 64 bits.
  constexpr bool at_most(std::uint64_t limit) const { return exact_ && value_ <= limit; }
  constexpr bool equals(std::uint64_t value) const { return exact_ && value_ == value; }
  constexpr std::optional<std::uint64_t> value() const {
    return exact_ ? std::optional(value_) : std::nullopt;
  }

 private:
  std::uint64_t value_;
  bool exact_ = true;
};

// Whether [offset, offset + bytes) is inside of [0, size).
constexpr bool is_inside(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

}  // namespace heddle
