// The basic types of the simulator. Quantities that must not be mixed have separate types.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace heddle {

inline constexpr int kWarpSize = 32;       // lanes of a warp; fixed by the PTX execution model
inline constexpr int kMaxWarpsPerSm = 64;  // width of WarpMask; all modelled SMs have at most 64

// A point in time of one clock domain, counted in that clock's cycles from the start of the device.
struct Cycle {
  std::uint64_t value = 0;

  constexpr Cycle() = default;
  constexpr explicit Cycle(std::uint64_t v) : value(v) {}
  friend constexpr auto operator<=>(Cycle, Cycle) = default;
  constexpr Cycle& operator+=(std::uint64_t n) {
    value += n;
    return *this;
  }
  constexpr Cycle& operator++() {
    ++value;
    return *this;
  }
  friend constexpr Cycle operator+(Cycle c, std::uint64_t n) { return Cycle{c.value + n}; }
  friend constexpr std::uint64_t operator-(Cycle a, Cycle b) { return a.value - b.value; }
  static constexpr Cycle never() { return Cycle{~std::uint64_t{0}}; }
};

// A byte address in the device's address space.
struct Address {
  std::uint64_t value = 0;

  constexpr Address() = default;
  constexpr explicit Address(std::uint64_t v) : value(v) {}
  friend constexpr auto operator<=>(Address, Address) = default;
  friend constexpr Address operator+(Address a, std::uint64_t n) { return Address{a.value + n}; }
  friend constexpr std::uint64_t operator-(Address a, Address b) { return a.value - b.value; }
};

// The address of the first byte of a cache line.
struct LineAddress {
  std::uint64_t value = 0;

  constexpr LineAddress() = default;
  constexpr explicit LineAddress(std::uint64_t v) : value(v) {}
  friend constexpr auto operator<=>(LineAddress, LineAddress) = default;
};
constexpr LineAddress line_of(Address a, std::uint64_t line_bytes) {
  return LineAddress{a.value & ~(line_bytes - 1)};
}

// An index into a kernel's instruction array. The simulated byte address is index *
// kInstructionBytes.
using Pc = std::uint32_t;
inline constexpr Pc kNoPc = ~Pc{0};
inline constexpr int kInstructionBytes = 8;  // GPGPU-Sim's PTX mode gives every instruction 8 bytes

// A warp slot of an SM, 0..kMaxWarpsPerSm-1, or none.
struct WarpSlot {
  std::int8_t index = -1;

  static const WarpSlot none;
  constexpr WarpSlot() = default;
  constexpr explicit WarpSlot(int i) : index(static_cast<std::int8_t>(i)) {}
  friend constexpr auto operator<=>(WarpSlot, WarpSlot) = default;
  constexpr explicit operator bool() const { return index >= 0; }
};
inline constexpr WarpSlot WarpSlot::none{};

// A set of positions in one machine word.
template <class Word, class Position>
struct BitSet {
  Word bits = 0;

  constexpr BitSet() = default;
  constexpr explicit BitSet(Word b) : bits(b) {}
  static constexpr int capacity() { return static_cast<int>(sizeof(Word)) * 8; }
  static constexpr BitSet first(int n) {  // the positions 0..n-1
    return n >= capacity() ? BitSet{static_cast<Word>(~Word{0})}
                           : BitSet{static_cast<Word>((Word{1} << n) - 1)};
  }
  static constexpr BitSet all() { return BitSet{static_cast<Word>(~Word{0})}; }
  static constexpr BitSet only(Position p) {
    return BitSet{static_cast<Word>(Word{1} << index(p))};
  }

  constexpr bool test(Position p) const { return index(p) >= 0 && ((bits >> index(p)) & 1); }
  constexpr void set(Position p) { bits |= Word{1} << index(p); }
  constexpr void reset(Position p) { bits &= ~(Word{1} << index(p)); }
  constexpr void assign(Position p, bool on) {
    bits = static_cast<Word>((bits & ~(Word{1} << index(p))) | (Word{on} << index(p)));
  }
  constexpr bool any() const { return bits != 0; }
  constexpr bool none() const { return bits == 0; }
  constexpr int count() const { return std::popcount(bits); }
  constexpr bool has_several() const { return (bits & (bits - 1)) != 0; }
  constexpr Position lowest() const { return Position(bits ? std::countr_zero(bits) : -1); }
  // The first member at or after `from`, wrapping around; an invalid position when the set is
  // empty.
  constexpr Position next_cyclic(int from) const {
    const Word upper = from >= capacity()
                           ? Word{0}
                           : static_cast<Word>(bits & (static_cast<Word>(~Word{0}) << from));
    return upper ? Position(std::countr_zero(upper)) : lowest();
  }

  friend constexpr bool operator==(BitSet, BitSet) = default;
  friend constexpr BitSet operator&(BitSet a, BitSet b) {
    return BitSet{static_cast<Word>(a.bits & b.bits)};
  }
  friend constexpr BitSet operator|(BitSet a, BitSet b) {
    return BitSet{static_cast<Word>(a.bits | b.bits)};
  }
  friend constexpr BitSet operator^(BitSet a, BitSet b) {
    return BitSet{static_cast<Word>(a.bits ^ b.bits)};
  }
  friend constexpr BitSet operator~(BitSet a) { return BitSet{static_cast<Word>(~a.bits)}; }
  constexpr BitSet& operator&=(BitSet o) {
    bits &= o.bits;
    return *this;
  }
  constexpr BitSet& operator|=(BitSet o) {
    bits |= o.bits;
    return *this;
  }

  // Calls f(position) for every member, lowest first.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (Word rest = bits; rest; rest &= rest - 1) f(Position(std::countr_zero(rest)));
  }

 private:
  static constexpr int index(Position p) {
    if constexpr (requires { p.index; })
      return p.index;
    else
      return static_cast<int>(p);
  }
};

using LaneMask = BitSet<std::uint32_t, int>;       // lanes of one warp
using WarpMask = BitSet<std::uint64_t, WarpSlot>;  // warp slots of one SM

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

}  // namespace heddle

template <>
struct std::hash<heddle::LineAddress> {
  std::size_t operator()(heddle::LineAddress l) const noexcept {
    return l.value * 0x9E3779B97F4A7C15ull >> 7;
  }
};
