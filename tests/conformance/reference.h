// Reference results, computed after the PTX manual with the host's integers, rounding modes and
// wide floats. Shares no code with the simulator.
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
    open /* not defined by PTX */,
    unknown
  } kind = Kind::unknown;
  std::uint64_t bits = 0;
  double low = 0,
         high = 0;  // range: of the result read as a number; pairs are checked as two ranges
  double low_upper = 0, high_upper = 0;
};
inline Expected exactly(std::uint64_t bits) { return {Expected::Kind::bits, bits}; }

// The parts of "add.sat.s32".
struct Name {
  std::vector<std::string> words;
  explicit Name(const std::string& text);
  const std::string& root() const { return words.front(); }
  bool has(const std::string& word) const;
  std::string type(std::size_t from_end = 0) const { return words[words.size() - 1 - from_end]; }
};
using Operands = std::vector<std::uint64_t>;

// The result in the low bits of a 64-bit cell.
Expected reference_result(const std::string& key, const Operands& operands);

// By family; kind `unknown` when the key belongs to another family.
Expected reference_integer(const Name& name, const Operands& operands);
Expected reference_logic(const Name& name, const Operands& operands);
Expected reference_video(const Name& name, const Operands& operands);
Expected reference_float(const Name& name, const Operands& operands);
// add.f32 and similar instructions on one element.
Expected reference_arithmetic(const Name& name, const std::string& type, Operands operands);
Expected reference_half(const Name& name, const Operands& operands);
Expected reference_compare(const Name& name, const Operands& operands);
Expected reference_convert(const Name& name, const Operands& operands);

// Exact integers.
__extension__ using Wide = __int128;
Wide value_of(const std::string& type, std::uint64_t bits);
std::uint64_t bits_of(const std::string& type, Wide value);  // wraps
unsigned width_in_bits(const std::string& type);
bool is_signed_type(const std::string& type);
inline bool is_float_type(const std::string& type) {
  return type[0] == 'f' || type.starts_with("bf");
}

// Exact floating-point values, and the result of one rounding of high + low.
__extension__ using Quad = __float128;
bool is_nan_of(const std::string& type, std::uint64_t bits);
Quad number_of(const std::string& type, std::uint64_t bits);
std::uint64_t round_to(const std::string& type, Quad high, Quad low, const std::string& rounding);
std::uint64_t nan_of(const std::string& type);  // the NaN that instructions produce
std::uint64_t infinity_of(const std::string& type);
std::uint64_t flushed(const std::string& type, std::uint64_t bits);
bool is_negative(const std::string& type, std::uint64_t bits);

}  // namespace heddle::conformance
