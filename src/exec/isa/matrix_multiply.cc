// D = A * B + C by a warp. Products are exact. Floating-point sums are rounded to nearest after
// each product, in the order of k. docs/model.md says where a GPU differs.
#pragma GCC optimize("O3")
#include <limits>
#include <utility>

#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"
#include "exec/isa/small_float.h"

namespace heddle::exec {
namespace {

using ptx::Type;
using U32 = std::uint32_t;

// Registers of A and B: the number and the values of their elements.
struct Half {
  using Register = U32;
  using Sum = float;
  static constexpr U32 packed = 2;
  static float decode(U32 word, U32 element) { return decode_half(word >> (16 * element)); }
};
struct Brain {
  using Register = U32;
  using Sum = float;
  static constexpr U32 packed = 2;
  static float decode(U32 word, U32 element) {
    return decode_brain(word >> (16 * element) & 0xffff);
  }
};
struct Tensor32 {
  using Register = U32;
  using Sum = float;
  static constexpr U32 packed = 1;
  static float decode(U32 word, U32) { return std::bit_cast<float>(word & 0xffffe000u); }
};
template <class T>
struct Integer8 {
  using Register = U32;
  using Sum = std::int64_t;
  static constexpr U32 packed = 4;
  static std::int64_t decode(U32 word, U32 element) {
    return static_cast<T>(word >> (8 * element));
  }
};
template <class T>
struct Integer4 {
  using Register = U32;
  using Sum = std::int64_t;
  static constexpr U32 packed = 8;
  static std::int64_t decode(U32 word, U32 element) {
    const U32 nibble = word >> (4 * element) & 15;
    return std::is_signed_v<T> && nibble > 7 ? std::int64_t{nibble} - 16 : nibble;
  }
};
template <float (*kDecode)(U32)>
struct Eighth {
  using Register = U32;
  using Sum = float;
  static constexpr U32 packed = 4;
  static float decode(U32 word, U32 element) { return kDecode(word >> (8 * element) & 0xff); }
};
struct Double {
  using Register = double;
  using Sum = double;
  static constexpr U32 packed = 1;
  static double decode(double value, U32) { return value; }
};

constexpr U32 kMaxRows = 32, kMaxColumns = 32, kMaxDepth = 64;

template <class Sum>
struct Sums {
  alignas(32) Sum at[kMaxRows][kMaxColumns];
};

inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline std::int64_t multiply_add(std::int64_t a, std::int64_t b, std::int64_t c) {
  return a * b + c;
}

// Calls a function with the position of every lane's registers in C or D.
template <class F>
void for_sums(const ptx::MatrixShape& s, U32 packed, F f) {
  const U32 registers = s.m * s.n / kWarpSize / packed;
  for (U32 reg = 0; reg < registers; ++reg)
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 e = 0; e < packed; ++e) f(place_in_c(s.m, packed, lane, reg, e), lane, reg, e);
}

template <class Register, class Sum>
void read_sums(Warp& w, const ptx::Operand* from, const ptx::MatrixShape& s, Sums<Sum>& c) {
  for_sums(s, 1, [&](MatrixPlace p, U32 lane, U32 reg, U32) {
    c.at[p.row][p.column] =
        static_cast<Sum>(fragment_row<Register>(std::as_const(w), from[reg])[lane]);
  });
}
void read_half_sums(Warp& w, const ptx::Operand* from, const ptx::MatrixShape& s, Sums<float>& c) {
  for_sums(s, 2, [&](MatrixPlace p, U32 lane, U32 reg, U32 e) {
    c.at[p.row][p.column] =
        decode_half(fragment_row<U32>(std::as_const(w), from[reg])[lane] >> (16 * e));
  });
}

void write_sums(Warp& w, const DecodedInstruction& r, const ptx::MatrixShape& s,
                const Sums<float>& d) {
  const auto& to = fragments(w, r).dst;
  if (ptx_of(r).type == Type::f32) {
    for_sums(s, 1, [&](MatrixPlace p, U32 lane, U32 reg, U32) {
      fragment_row<float>(w, to[reg])[lane] = canonical(d.at[p.row][p.column]);
    });
    return;
  }
  for_sums(s, 2, [&](MatrixPlace p, U32 lane, U32 reg, U32 e) {
    const float x = d.at[p.row][p.column];
    const U32 half =
        x == x ? static_cast<U32>(_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT)) & 0xffff : kHalf.nan;
    auto& word = fragment_row<U32>(w, to[reg])[lane];
    word = e == 0 ? half : word | half << 16;
  });
}
void write_sums(Warp& w, const DecodedInstruction& r, const ptx::MatrixShape& s,
                const Sums<double>& d) {
  const auto& to = fragments(w, r).dst;
  for_sums(s, 1, [&](MatrixPlace p, U32 lane, U32 reg, U32) {
    fragment_row<double>(w, to[reg])[lane] = d.at[p.row][p.column];
  });
}
void write_sums(Warp& w, const DecodedInstruction& r, const ptx::MatrixShape& s,
                const Sums<std::int64_t>& d) {
  using Limits = std::numeric_limits<std::int32_t>;
  const auto& to = fragments(w, r).dst;
  for_sums(s, 1, [&](MatrixPlace p, U32 lane, U32 reg, U32) {
    std::int64_t x = d.at[p.row][p.column];
    if (ptx_of(r).satfinite) x = std::clamp<std::int64_t>(x, Limits::min(), Limits::max());
    fragment_row<U32>(w, to[reg])[lane] = static_cast<U32>(x);
  });
}

template <class A, class B>
void multiply(Warp& w, const DecodedInstruction& r, U32 mask) {
  using Sum = typename A::Sum;
  using Register = typename A::Register;
  need_whole_warp(w, r, mask);
  const ptx::MatrixShape s = ptx_of(r).as<ptx::Matrix>().shape();
  const ptx::Operand* from = fragments(w, r).src.data();
  constexpr std::size_t kMaxRegisters = ptx::MatrixOperands::kMaxRegisters;
  Sum a[kMaxRows][kMaxDepth];
  alignas(32) Sum b[kMaxDepth][kMaxColumns];
  Sums<Sum> c;
  for (U32 reg = 0; reg < s.m * s.k / kWarpSize / A::packed; ++reg) {
    const auto* lanes = fragment_row<Register>(std::as_const(w), from[reg]);
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 e = 0; e < A::packed; ++e) {
        const MatrixPlace p = place_in_a(s.m, s.k, A::packed, lane, reg, e);
        a[p.row][p.column] = A::decode(lanes[lane], e);
      }
  }
  for (U32 reg = 0; reg < s.k * s.n / kWarpSize / B::packed; ++reg) {
    const auto* lanes = fragment_row<Register>(std::as_const(w), from[kMaxRegisters + reg]);
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 e = 0; e < B::packed; ++e) {
        const MatrixPlace p = place_in_b(s.k, s.n, B::packed, lane, reg, e);
        b[p.row][p.column] = B::decode(lanes[lane], e);
      }
  }
  from += 2 * kMaxRegisters;
  if constexpr (std::is_same_v<Sum, float>) {
    if (ptx_of(r).as<ptx::Matrix>().half_c)
      read_half_sums(w, from, s, c);
    else
      read_sums<float>(w, from, s, c);
  } else if constexpr (std::is_same_v<Sum, double>) {
    read_sums<double>(w, from, s, c);
  } else {
    read_sums<std::int32_t>(w, from, s, c);
  }
  for (U32 m = 0; m < s.m; ++m)
    for (U32 k = 0; k < s.k; ++k)
      for (U32 n = 0; n < s.n; ++n) c.at[m][n] = multiply_add(a[m][k], b[k][n], c.at[m][n]);
  write_sums(w, r, s, c);
}

// Rows of A and columns of B are 32-bit words.
void multiply_bits(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  constexpr U32 kWords = 8;
  const ptx::MatrixShape s = ptx_of(r).as<ptx::Matrix>().shape();
  const ptx::Operand* from = fragments(w, r).src.data();
  constexpr std::size_t kMaxRegisters = ptx::MatrixOperands::kMaxRegisters;
  U32 a[kMaxRows][kWords], b[kMaxColumns][kWords];
  Sums<std::int64_t> c;
  for (U32 reg = 0; reg < s.m * s.k / kWarpSize / 32; ++reg)
    for (U32 lane = 0; lane < kWarpSize; ++lane) {
      const MatrixPlace p = place_in_a(s.m, s.k, 32, lane, reg, 0);
      a[p.row][p.column / 32] = fragment_row<U32>(std::as_const(w), from[reg])[lane];
    }
  for (U32 reg = 0; reg < s.k * s.n / kWarpSize / 32; ++reg)
    for (U32 lane = 0; lane < kWarpSize; ++lane) {
      const MatrixPlace p = place_in_b(s.k, s.n, 32, lane, reg, 0);
      b[p.column][p.row / 32] =
          fragment_row<U32>(std::as_const(w), from[kMaxRegisters + reg])[lane];
    }
  read_sums<std::int32_t>(w, from + 2 * kMaxRegisters, s, c);
  const bool both = ptx_of(r).bool_op == ptx::BoolOp::and_;
  for (U32 m = 0; m < s.m; ++m)
    for (U32 n = 0; n < s.n; ++n)
      for (U32 k = 0; k < s.k / 32; ++k)
        c.at[m][n] += std::popcount(both ? a[m][k] & b[n][k] : a[m][k] ^ b[n][k]);
  write_sums(w, r, s, c);
}

}  // namespace

Handler matrix_multiply_handler(const ptx::Instruction& i) {
  if (ptx::is_volta(i)) return quad_multiply_handler();
  using E4m3 = Eighth<decode_e4m3>;
  using E5m2 = Eighth<decode_e5m2>;
  const bool second_b = i.as<ptx::Matrix>().second_b, signed_b = second_b;
  switch (i.source_type) {
    case Type::f16: return multiply<Half, Half>;
    case Type::bf16: return multiply<Brain, Brain>;
    case Type::tf32: return multiply<Tensor32, Tensor32>;
    case Type::f64: return multiply<Double, Double>;
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
