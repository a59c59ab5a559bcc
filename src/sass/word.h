// The 128 bits of an instruction of sm_70 and later, and fields of them.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::sass {

inline constexpr std::uint64_t kInstructionBytes = 16;

struct InstructionWord {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  // Bits last:first, at most 64 of them.
  constexpr std::uint64_t bits(int last, int first) const {
    std::uint64_t value = 0;
    if (first >= 64) {
      value = high >> (first - 64);
    } else {
      value = low >> first;
      if (first > 0) value |= high << (64 - first);
    }
    const int width = last - first + 1;
    return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
  }
  constexpr bool bit(int at) const { return bits(at, at) != 0; }
  constexpr void set(int last, int first) {
    for (int at = first; at <= last; ++at) (at < 64 ? low : high) |= std::uint64_t{1} << (at & 63);
  }
  // The low bits of the value become bits last:first.
  constexpr void put(int last, int first, std::uint64_t value) {
    for (int at = first; at <= last; ++at, value >>= 1) {
      std::uint64_t& half = at < 64 ? low : high;
      const std::uint64_t bit = std::uint64_t{1} << (at & 63);
      half = (half & ~bit) | (value & 1 ? bit : 0);
    }
  }
  friend bool operator==(const InstructionWord&, const InstructionWord&) = default;
};

// A field: one or two ranges of bits, the higher part of the value first.
struct BitField {
  struct Range {
    std::uint8_t last = 0, first = 0;
  };
  std::array<Range, 2> ranges{};
  std::uint8_t count = 0;
  bool inverted = false;  // the value is the complement of the bits

  constexpr std::uint64_t of(const InstructionWord& word) const {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) {
      const Range& range = ranges[static_cast<std::size_t>(i)];
      value = value << (range.last - range.first + 1) | word.bits(range.last, range.first);
    }
    return inverted ? ~value & ((std::uint64_t{1} << width()) - 1) : value;
  }
  constexpr int width() const {
    int bits = 0;
    for (int i = 0; i < count; ++i) {
      const Range& range = ranges[static_cast<std::size_t>(i)];
      bits += range.last - range.first + 1;
    }
    return bits;
  }
  constexpr void cover(InstructionWord& mask) const {
    for (int i = 0; i < count; ++i) {
      const Range& range = ranges[static_cast<std::size_t>(i)];
      mask.set(range.last, range.first);
    }
  }
};

constexpr std::int64_t sign_extended(std::uint64_t value, int bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

}  // namespace heddle::sass
