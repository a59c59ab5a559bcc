// Tensor cores: HMMA, IMMA, DMMA, MOVM. Fragments are PTX's of mma with the same shape, register by
// register.
#pragma GCC optimize("O3")
#include "exec/isa/matrix.h"
#include "exec/isa/matrix_product.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;
using U32 = std::uint32_t;

// The registers of a source or of the result.
template <class T>
auto row_of(const Warp& w, const DecodedInstruction& r, int k) {
  return [from = row(w, r.src[k])](U32 reg) {
    return reinterpret_cast<const Lane<T>*>(from + reg * kRowOfWords);
  };
}
template <class T>
auto result_row_of(Warp& w, const DecodedInstruction& r) {
  return [to = w.bases[0] + r.dst[0]](U32 reg) {
    return reinterpret_cast<Lane<T>*>(to + reg * kRowOfWords);
  };
}

// In `offset`.
struct Modes {
  std::uint8_t m, n, k;
  bool half_sums, clamps;
  std::uint8_t unused[3];
  ptx::MatrixShape shape() const { return {m, n, k}; }
};
static_assert(sizeof(Modes) == sizeof(std::int64_t));

template <class A, class B>
void multiply(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const auto modes = std::bit_cast<Modes>(r.offset);
  const ptx::MatrixShape s = modes.shape();
  constexpr bool kFloat = std::is_same_v<typename A::Sum, float>;
  Sums<typename A::Sum> c;
  if constexpr (!kFloat)
    read_sums(s, c, row_of<std::int32_t>(w, r, 2));
  else if (modes.half_sums)
    read_half_sums(s, c, row_of<U32>(w, r, 2));
  else
    read_sums(s, c, row_of<float>(w, r, 2));
  add_product<A, B>(s, c, row_of<U32>(w, r, 0), row_of<U32>(w, r, 1));
  if constexpr (!kFloat)
    write_sums(s, c, modes.clamps, result_row_of<U32>(w, r));
  else if (modes.half_sums)
    write_half_sums(s, c, result_row_of<U32>(w, r));
  else
    write_sums(s, c, result_row_of<float>(w, r));
}

// The values of pairs of registers.
struct Doubles {
  alignas(32) double values[2][kWarpSize];
  Doubles(const Warp& w, const DecodedInstruction& r, int k, int pairs) {
    for (int n = 0; n < pairs; ++n)
      for (int part = 0; part < 8; ++part)
        _mm256_store_si256(reinterpret_cast<__m256i*>(values[n]) + part,
                           load_pair(row(w, r.src[k]) + 2 * n * kRowOfWords, part));
  }
  auto row_of() {
    return [this](U32 reg) { return values[reg]; };
  }
};
void multiply_doubles(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  constexpr ptx::MatrixShape kShape{8, 8, 4};
  Doubles a{w, r, 0, 1}, b{w, r, 1, 1}, sums{w, r, 2, 2};
  Sums<double> c;
  read_sums(kShape, c, sums.row_of());
  add_product<DoubleElements, DoubleElements>(kShape, c, a.row_of(), b.row_of());
  write_sums(kShape, c, sums.row_of());
  DecodedInstruction to = r;
  for (int n = 0; n < 2; ++n, to.dst[0] += 2 * kRowOfWords)
    store_pairs(w, to, reinterpret_cast<const __m256i*>(sums.values[n]), mask);
}

std::int64_t modes_of(U32 m, U32 n, U32 k, bool half_sums, bool clamps) {
  return std::bit_cast<std::int64_t>(Modes{static_cast<std::uint8_t>(m),
                                           static_cast<std::uint8_t>(n),
                                           static_cast<std::uint8_t>(k),
                                           half_sums,
                                           clamps,
                                           {}});
}
Handler half_product(const sass::Instruction& i, DecodedInstruction& r) {
  const bool large = has_modifier(i, sass::HalfShape::n16816), tf32 = has_flag(i, "TF32");
  r.offset = modes_of(16, 8, large ? 16 : 8, has_modifier(i, sass::HalfAccumulator::F16), false);
  if (tf32) return multiply<Tensor32Elements, Tensor32Elements>;
  return has_flag(i, "BF16") ? multiply<BrainElements, BrainElements>
                             : multiply<HalfElements, HalfElements>;
}
template <class A>
Handler integer_product_of(bool signed_b) {
  return signed_b ? multiply<A, Integer8<std::int8_t>> : multiply<A, Integer8<std::uint8_t>>;
}
Handler integer_product(const sass::Instruction& i, DecodedInstruction& r) {
  const auto shape = *sass::modifier_of<sass::IntShape>(i);
  const bool small = shape == sass::IntShape::n8816;
  r.offset = modes_of(small ? 8 : 16, 8, shape == sass::IntShape::n16832 ? 32 : 16, false,
                      has_flag(i, "SAT"));
  const auto& m = i.modifiers;  // after the shape the signs of A and B
  return m[1] != 0 ? integer_product_of<Integer8<std::int8_t>>(m[2] != 0)
                   : integer_product_of<Integer8<std::uint8_t>>(m[2] != 0);
}

}  // namespace

Handler matrix_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (r.src_flags != 0) return nullptr;
  switch (i.opcode) {
    case Opcode::HMMA: return half_product(i, r);
    case Opcode::IMMA: return integer_product(i, r);
    case Opcode::DMMA: return has_modifier(i, sass::Rounding::RN_) ? multiply_doubles : nullptr;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
