// Tensor cores: HMMA, IMMA, BMMA, DMMA, QMMA, MOVM, LDSM, STSM. Fragments are PTX's of mma with the
// same shape, register by register.
#pragma GCC optimize("O3")
#include "exec/isa/matrix.h"
#include "exec/isa/matrix_product.h"
#include "exec/machine_code/operands.h"
#include "sass/operand_use.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

void nothing(Warp&, const DecodedInstruction&, U32) {}

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
  std::uint16_t k;
  std::uint8_t m, n;
  bool half_sums, clamps, sparse;
  std::uint8_t selector;  // of a sparse A
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
  if (modes.sparse)
    add_sparse_product<A, B>(s, c, row_of<U32>(w, r, 0), row_of<U32>(w, r, 1),
                             SparseColumns(s.k, A::packed, source<U32>(w, r, 3), modes.selector));
  else
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
  static constexpr int kMost = 8;
  alignas(32) double values[kMost][kWarpSize];
  Doubles(const Warp& w, const DecodedInstruction& r, int k, U32 pairs) {
    for (U32 n = 0; n < pairs; ++n)
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
  const ptx::MatrixShape s = std::bit_cast<Modes>(r.offset).shape();
  const U32 pairs = s.m * s.n / kWarpSize;
  Doubles a{w, r, 0, s.m * s.k / kWarpSize}, b{w, r, 1, s.k * s.n / kWarpSize},
      sums{w, r, 2, pairs};
  Sums<double> c;
  read_sums(s, c, sums.row_of());
  add_product<DoubleElements, DoubleElements>(s, c, a.row_of(), b.row_of());
  write_sums(s, c, sums.row_of());
  DecodedInstruction to = r;
  for (U32 n = 0; n < pairs; ++n, to.dst[0] += 2 * kRowOfWords)
    store_pairs(w, to, reinterpret_cast<const __m256i*>(sums.values[n]), mask);
}

template <bool kBoth>
void multiply_bits(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const ptx::MatrixShape s = std::bit_cast<Modes>(r.offset).shape();
  Sums<std::int64_t> c;
  read_sums(s, c, row_of<std::int32_t>(w, r, 2));
  add_product_of_bits(s, kBoth, c, row_of<U32>(w, r, 0), row_of<U32>(w, r, 1));
  write_sums(s, c, false, result_row_of<U32>(w, r));
}

// An 8 x 8 matrix of halves: a lane has two neighbours in a row.
void transpose(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const auto* a = source<U32>(w, r, 0);
  alignas(64) U32 result[kWarpSize] = {};
  for (U32 lane = 0; lane < kWarpSize; ++lane)
    for (U32 half = 0; half < 2; ++half) {
      const U32 from_row = lane % 4 * 2 + half, column = lane / 4;
      result[lane] |= (a[from_row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff) << (16 * half);
    }
  store_result(w, r, result, mask);
}

template <bool kTransposed>
void load(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  std::uint8_t* const first = w.bases[0] + r.dst[0];
  load_matrices(w, r, kTransposed,
                {first, first + kRowOfWords, first + 2 * kRowOfWords, first + 3 * kRowOfWords});
}
template <bool kTransposed>
void store(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const std::uint8_t* const first = row(w, r.src[1]);
  store_matrices(w, r, kTransposed,
                 {first, first + kRowOfWords, first + 2 * kRowOfWords, first + 3 * kRowOfWords});
}
Handler memory_handler(const sass::Instruction& i) {
  const bool loads = i.opcode == Opcode::LDSM;
  const auto layout = *sass::modifier_of<sass::MatrixLayout>(i);
  if (layout == sass::MatrixLayout::M88) return loads ? load<false> : store<false>;
  if (layout == sass::MatrixLayout::MT88) return loads ? load<true> : store<true>;
  return nullptr;
}

Handler half_product(const sass::Instruction& i) {
  if (has_flag(i, "TF32")) return multiply<Tensor32Elements, Tensor32Elements>;
  return has_flag(i, "BF16") ? multiply<BrainElements, BrainElements>
                             : multiply<HalfElements, HalfElements>;
}
// The signs of A and B are the first two modifiers of this kind.
template <class Kind>
bool is_signed(const sass::Instruction& i, int which) {
  for (std::size_t n = 0; n < i.form->modifiers.size(); ++n)
    if (i.form->modifiers[n].kind == sass::kKindOf<Kind> && which-- == 0)
      return i.modifiers[n] != 0;
  return false;
}
template <class S, class U>
Handler integer_product_of(bool signed_a, bool signed_b) {
  if (signed_a) return signed_b ? multiply<S, S> : multiply<S, U>;
  return signed_b ? multiply<U, S> : multiply<U, U>;
}
Handler integer_product(const sass::Instruction& i) {
  if (sass::modifier_of<sass::MatrixInt4>(i))
    return integer_product_of<Integer4<std::int8_t>, Integer4<std::uint8_t>>(
        is_signed<sass::MatrixInt4>(i, 0), is_signed<sass::MatrixInt4>(i, 1));
  return integer_product_of<Integer8<std::int8_t>, Integer8<std::uint8_t>>(
      is_signed<sass::MatrixInt>(i, 0), is_signed<sass::MatrixInt>(i, 1));
}
Handler bit_product(const sass::Instruction& i) {
  return has_modifier(i, sass::BitOp::AND) ? multiply_bits<true> : multiply_bits<false>;
}
template <class A>
Handler eighth_product_of(sass::EighthFloat format_b) {
  return format_b == sass::EighthFloat::E4M3 ? multiply<A, Eighth<decode_e4m3>>
                                             : multiply<A, Eighth<decode_e5m2>>;
}
Handler eighth_product(const sass::Instruction& i) {
  const auto format_b = static_cast<sass::EighthFloat>(i.modifiers[3]);
  return static_cast<sass::EighthFloat>(i.modifiers[2]) == sass::EighthFloat::E4M3
             ? eighth_product_of<Eighth<decode_e4m3>>(format_b)
             : eighth_product_of<Eighth<decode_e5m2>>(format_b);
}
Handler double_product(const sass::Instruction& i) {
  return has_modifier(i, sass::Rounding::RN_) ? multiply_doubles : nullptr;
}

std::int64_t modes_of(const sass::Instruction& i, const sass::WarpProduct& product) {
  Modes modes{.k = static_cast<std::uint16_t>(product.depth),
              .m = static_cast<std::uint8_t>(product.rows),
              .n = static_cast<std::uint8_t>(product.columns),
              .half_sums = has_modifier(i, sass::HalfAccumulator::F16),
              .clamps = has_flag(i, "SAT"),
              .sparse = product.sparse,
              .selector = 0};
  if (product.sparse) modes.selector = static_cast<std::uint8_t>(source_operand(i, 4).value);
  return std::bit_cast<std::int64_t>(modes);
}

}  // namespace

Handler matrix_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (sass::product_shape_of(i)) return warpgroup_product_handler(i, r);
  if (r.src_flags != 0) return nullptr;
  if (const auto product = sass::warp_product_of(i)) {
    r.offset = modes_of(i, *product);
    if (product->sparse && !SparseColumns::fits(product->depth, 32 / product->element_bits,
                                                std::bit_cast<Modes>(r.offset).selector))
      return nullptr;
  }
  switch (i.opcode) {
    case Opcode::HMMA: return half_product(i);
    case Opcode::IMMA: return integer_product(i);
    case Opcode::BMMA: return bit_product(i);
    case Opcode::DMMA: return double_product(i);
    case Opcode::QMMA: return eighth_product(i);
    case Opcode::MOVM: return transpose;
    case Opcode::LDSM:
    case Opcode::STSM: return memory_handler(i);
    case Opcode::WARPGROUP: return nothing;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
