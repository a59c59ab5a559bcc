// The registers of a warp as its decoded instructions name them: rows of 32 lanes, and predicates.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/types.h"
#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// A 256-bit vector of T, and a T in a register row, both exempt from type-based aliasing.
template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(32), may_alias));
};
template <class T>
using Vector = typename VectorOf<T>::type;
template <class T>
struct LaneOf {
  typedef T type __attribute__((may_alias));
};
template <class T>
using Lane = typename LaneOf<T>::type;

template <class T>
inline constexpr int kVectors = static_cast<int>(sizeof(T));  // vectors in 32 lanes of 4 or 8 bytes

inline const std::uint8_t* row(const Warp& w, const RowSource& s) {
  return w.bases[s.base] + s.offset;
}
template <class T>
inline const Lane<T>* source(const Warp& w, const DecodedInstruction& r, int i) {
  return reinterpret_cast<const Lane<T>*>(__builtin_assume_aligned(row(w, r.src[i]), 128));
}
template <class T>
inline Lane<T>* destination(Warp& w, const DecodedInstruction& r, int i = 0) {
  return reinterpret_cast<Lane<T>*>(__builtin_assume_aligned(w.bases[0] + r.dst[i], 128));
}
// A lane of a source of 4 or 8 bytes.
inline std::uint64_t pair_or_word(const Warp& w, const RowSource& s, std::size_t lane) {
  const std::uint8_t* const at = row(w, s);
  std::uint64_t value = 0;
  if (!s.pair) {
    std::memcpy(&value, at + lane * s.bytes, s.bytes);
    return value;
  }
  constexpr std::size_t kRowBytes = 128;
  std::memcpy(&value, at + lane * 4, 4);
  std::uint32_t high = 0;
  std::memcpy(&high, at + kRowBytes + lane * 4, 4);
  return value | std::uint64_t{high} << 32;
}
inline std::uint32_t predicate(const Warp& w, const PredicateSource& p) {
  return w.predicates[p.row] ^ p.flip;
}
inline void set_predicate(Warp& w, std::uint16_t row, std::uint32_t value, std::uint32_t mask) {
  w.predicates[row] = (w.predicates[row] & ~mask) | (value & mask);
}

}  // namespace heddle::exec
