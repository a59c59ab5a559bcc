// D = A * B + C by a warp (matrix_product.h).
#pragma GCC optimize("O3")

#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"
#include "exec/isa/matrix_product.h"

namespace heddle::exec {
namespace {

using ptx::Type;

// The registers of A, B, C: row_of<T>(w, from) for read_sums() and its like.
template <class T>
auto row_of(const Warp& w, const ptx::Operand* from) {
  return [&w, from](U32 reg) { return fragment_row<T>(w, from[reg]); };
}
template <class T>
auto result_row_of(Warp& w, const DecodedInstruction& r) {
  return [&w, to = fragments(w, r).dst.data()](U32 reg) { return fragment_row<T>(w, to[reg]); };
}

template <class A, class B>
void multiply(Warp& w, const DecodedInstruction& r, U32 mask) {
  using Sum = typename A::Sum;
  using Register = typename A::Register;
  need_whole_warp(w, r, mask);
  const ptx::Instruction& i = ptx_of(r);
  const ptx::MatrixShape s = i.as<ptx::Matrix>().shape();
  constexpr std::size_t kMaxRegisters = ptx::MatrixOperands::kMaxRegisters;
  const ptx::Operand *a = fragments(w, r).src.data(), *b = a + kMaxRegisters,
                     *from = b + kMaxRegisters;
  Sums<Sum> c;
  if constexpr (std::is_same_v<Sum, float>) {
    if (i.as<ptx::Matrix>().half_c)
      read_half_sums(s, c, row_of<U32>(w, from));
    else
      read_sums(s, c, row_of<float>(w, from));
  } else if constexpr (std::is_same_v<Sum, double>) {
    read_sums(s, c, row_of<double>(w, from));
  } else {
    read_sums(s, c, row_of<std::int32_t>(w, from));
  }
  if (i.as<ptx::Matrix>().sparse)
    add_sparse_product<A, B>(
        s, c, row_of<Register>(w, a), row_of<Register>(w, b),
        SparseColumns(s.k, A::packed, source<U32>(w, r, 0), i.as<ptx::Matrix>().selector));
  else
    add_product<A, B>(s, c, row_of<Register>(w, a), row_of<Register>(w, b));
  if constexpr (std::is_same_v<Sum, double>)
    write_sums(s, c, result_row_of<double>(w, r));
  else if constexpr (std::is_same_v<Sum, std::int64_t>)
    write_sums(s, c, i.satfinite, result_row_of<U32>(w, r));
  else if (i.type == Type::f32)
    write_sums(s, c, result_row_of<float>(w, r));
  else
    write_half_sums(s, c, result_row_of<U32>(w, r));
}

void multiply_bits(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const ptx::Instruction& i = ptx_of(r);
  const ptx::MatrixShape s = i.as<ptx::Matrix>().shape();
  constexpr std::size_t kMaxRegisters = ptx::MatrixOperands::kMaxRegisters;
  const ptx::Operand* from = fragments(w, r).src.data();
  Sums<std::int64_t> c;
  read_sums(s, c, row_of<std::int32_t>(w, from + 2 * kMaxRegisters));
  add_product_of_bits(s, i.bool_op == ptx::BoolOp::and_, c, row_of<U32>(w, from),
                      row_of<U32>(w, from + kMaxRegisters));
  write_sums(s, c, i.satfinite, result_row_of<U32>(w, r));
}

}  // namespace

Handler matrix_multiply_handler(const ptx::Instruction& i) {
  if (ptx::is_volta(i)) return quad_multiply_handler();
  using E4m3 = Eighth<decode_e4m3>;
  using E5m2 = Eighth<decode_e5m2>;
  const bool second_b = i.as<ptx::Matrix>().second_b, signed_b = second_b;
  switch (i.source_type) {
    case Type::f16: return multiply<HalfElements, HalfElements>;
    case Type::bf16: return multiply<BrainElements, BrainElements>;
    case Type::tf32: return multiply<Tensor32Elements, Tensor32Elements>;
    case Type::f64: return multiply<DoubleElements, DoubleElements>;
    case Type::s8:
      return signed_b ? multiply<Integer8<std::int8_t>, Integer8<std::int8_t>>
                      : multiply<Integer8<std::int8_t>, Integer8<std::uint8_t>>;
    case Type::u8:
      return signed_b ? multiply<Integer8<std::uint8_t>, Integer8<std::int8_t>>
                      : multiply<Integer8<std::uint8_t>, Integer8<std::uint8_t>>;
    case Type::s4:
      return signed_b ? multiply<Integer4<std::int8_t>, Integer4<std::int8_t>>
                      : multiply<Integer4<std::int8_t>, Integer4<std::uint8_t>>;
    case Type::u4:
      return signed_b ? multiply<Integer4<std::uint8_t>, Integer4<std::int8_t>>
                      : multiply<Integer4<std::uint8_t>, Integer4<std::uint8_t>>;
    case Type::e4m3: return second_b ? multiply<E4m3, E5m2> : multiply<E4m3, E4m3>;
    case Type::e5m2: return second_b ? multiply<E5m2, E5m2> : multiply<E5m2, E4m3>;
    case Type::b1: return multiply_bits;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
