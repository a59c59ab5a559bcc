#include "mem/set_index.h"

#include <algorithm>
#include <string>

#include "base/diagnostics.h"

namespace heddle::mem {

namespace {

// Primitive polynomials of degree 1..10 without their leading term.
constexpr std::array<std::uint32_t, PolynomialHash::kMaxBits + 1> kPolynomials{
    0, 0b1, 0b11, 0b11, 0b11, 0b101, 0b11, 0b11, 0b11101, 0b10001, 0b1001};

}  // namespace

PolynomialHash::PolynomialHash(int bits) : bits_(bits) {
  check_invariant(bits >= 0 && bits <= kMaxBits,
                  "a polynomial hash of an unsupported width was configured");
  if (bits == 0) return;
  std::uint32_t power = 1;  // x^i modulo the polynomial
  for (int i = 0; i < 64; ++i) {
    for (int k = 0; k < bits; ++k)
      if (power >> k & 1) masks_[static_cast<std::size_t>(k)] |= std::uint64_t{1} << i;
    power <<= 1;
    if (power >> bits & 1)
      power = (power ^ (1u << bits)) ^ kPolynomials[static_cast<std::size_t>(bits)];
  }
}

SetIndexFunction::SetIndexFunction(config::SetIndex kind, std::uint32_t sets)
    : kind_(kind),
      sets_(sets),
      bits_(std::bit_width(sets) - 1),
      power_of_two_(std::has_single_bit(sets)),
      polynomial_(kind == config::SetIndex::ipoly ? std::min(bits_, PolynomialHash::kMaxBits) : 0) {
  const auto refuse = [&](const char* need) {
    throw UserError("a cache with " + std::to_string(sets) +
                    " sets cannot use this set index: " + need);
  };
  if (sets == 0) refuse("at least one set is needed");
  if (kind == config::SetIndex::fermi_hash && sets != 32 && sets != 64)
    refuse("the Fermi hash needs 32 or 64 sets");
  if (kind != config::SetIndex::linear && !power_of_two_) refuse("a hash needs a power of two");
  if (kind == config::SetIndex::ipoly && bits_ > PolynomialHash::kMaxBits)
    refuse("the polynomial hash reaches 1024 sets");
}

std::uint32_t SetIndexFunction::hashed(std::uint64_t line_number, std::uint64_t address) const {
  switch (kind_) {
    case config::SetIndex::fermi_hash: {
      // Nugteren et al., "A detailed GPU cache model based on reuse distance theory", HPCA 2014.
      const auto bit = [address](int from, int to) {
        return static_cast<std::uint32_t>((address >> from & 1) << to);
      };
      const std::uint32_t low = static_cast<std::uint32_t>(line_number & 31) ^
                                (bit(13, 0) | bit(14, 1) | bit(15, 2) | bit(17, 3) | bit(19, 4));
      return sets_ == 64 ? low | bit(12, 5) : low;
    }
    case config::SetIndex::xor_hash:
      return static_cast<std::uint32_t>((line_number ^ line_number >> bits_) & (sets_ - 1));
    case config::SetIndex::ipoly: return polynomial_(line_number);
    case config::SetIndex::prime_displacement:
      // Kharbutli et al., "Using prime numbers for cache indexing", HPCA 2004, with 7 for the
      // displacement, as in the CCWS authors' simulator.
      return static_cast<std::uint32_t>((line_number + 7 * (line_number >> bits_)) & (sets_ - 1));
    case config::SetIndex::linear: break;
  }
  return static_cast<std::uint32_t>(line_number % sets_);
}

}  // namespace heddle::mem
