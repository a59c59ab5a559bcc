// What an instruction computes, worked out from the PTX manual's words with the host's exact
// integers, its rounding modes and wide floats. Shares nothing with the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::conformance {

struct Expected {
  enum class Kind {
    bits,
    nan /* any of its type */,
    range,
    open /* PTX leaves it */,
    unknown
  } kind = Kind::unknown;
  std::uint64_t bits = 0;
  double low = 0,
         high = 0;  // range: of the result read as a number; pairs are checked as two ranges
  double low_upper = 0, high_upper = 0;
};
inline Expected exactly(std::uint64_t bits) { return {Expected::Kind::bits, bits}; }

// "add.sat.s32": the words, and how they were asked for.
struct Name {
  std::vector<std::string> words;
  explicit Name(const std::string& text);
  const std::string& root() const { return words.front(); }
  bool has(const std::string& word) const;
  std::string type(std::size_t from_end = 0) const { return words[words.size() - 1 - from_end]; }
};
using Operands = std::vector<std::uint64_t>;

// The result as it is stored: in the low bits of a 64-bit cell.
Expected expect(const std::string& key, const Operands& operands);

// By family; kind `unknown` when the key is none of theirs.
Expected expect_integer(const Name& name, const Operands& operands);
Expected expect_logic(const Name& name, const Operands& operands);
Expected expect_video(const Name& name, const Operands& operands);
Expected expect_float(const Name& name, const Operands& operands);
// add.f32 and the like on one element of a type.
Expected expect_arithmetic(const Name& name, const std::string& type, Operands operands);
Expected expect_half(const Name& name, const Operands& operands);
Expected expect_compare(const Name& name, const Operands& operands);
Expected expect_convert(const Name& name, const Operands& operands);

// Integers of a type, exactly.
__extension__ using Wide = __int128;
Wide value_of(const std::string& type, std::uint64_t bits);
std::uint64_t bits_of(const std::string& type, Wide value);  // wraps
unsigned width_in_bits(const std::string& type);
bool is_signed_type(const std::string& type);

// Floating-point values of any type, exactly, and back with one rounding of high + low.
__extension__ using Quad = __float128;
bool is_nan_of(const std::string& type, std::uint64_t bits);
Quad number_of(const std::string& type, std::uint64_t bits);
std::uint64_t round_to(const std::string& type, Quad high, Quad low, const std::string& rounding);
std::uint64_t nan_of(const std::string& type);  // the one that instructions produce
std::uint64_t infinity_of(const std::string& type);
std::uint64_t flushed(const std::string& type, std::uint64_t bits);
bool is_negative(const std::string& type, std::uint64_t bits);

}  // namespace heddle::conformance
