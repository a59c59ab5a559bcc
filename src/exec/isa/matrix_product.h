// D = A * B + C of the fragments in the registers of a warp. Products are exact. Floating-point
// sums are rounded to nearest after each product, in the order of k. docs/model.md says where a GPU
// differs. A function `row_of(register)` returns the 32 lanes of a fragment's register.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "exec/isa/matrix_layout.h"
#include "exec/isa/small_float.h"

namespace heddle::exec {

// Registers of A and B: the number and the values of their elements.
struct HalfElements {
  using Register = std::uint32_t;
  using Sum = float;
  static constexpr std::uint32_t packed = 2;
  static float decode(std::uint32_t word, std::uint32_t element) {
    return decode_half(word >> (16 * element));
  }
};
struct BrainElements {
  using Register = std::uint32_t;
  using Sum = float;
  static constexpr std::uint32_t packed = 2;
  static float decode(std::uint32_t word, std::uint32_t element) {
    return decode_brain(word >> (16 * element) & 0xffff);
  }
};
struct Tensor32Elements {
  using Register = std::uint32_t;
  using Sum = float;
  static constexpr std::uint32_t packed = 1;
  static float decode(std::uint32_t word, std::uint32_t) {
    return std::bit_cast<float>(word & 0xffffe000u);
  }
};
template <class T>
struct Integer8 {
  using Register = std::uint32_t;
  using Sum = std::int64_t;
  static constexpr std::uint32_t packed = 4;
  static std::int64_t decode(std::uint32_t word, std::uint32_t element) {
    return static_cast<T>(word >> (8 * element));
  }
};
template <class T>
struct Integer4 {
  using Register = std::uint32_t;
  using Sum = std::int64_t;
  static constexpr std::uint32_t packed = 8;
  static std::int64_t decode(std::uint32_t word, std::uint32_t element) {
    const std::uint32_t nibble = word >> (4 * element) & 15;
    return std::is_signed_v<T> && nibble > 7 ? std::int64_t{nibble} - 16 : nibble;
  }
};
template <float (*kDecode)(std::uint32_t)>
struct Eighth {
  using Register = std::uint32_t;
  using Sum = float;
  static constexpr std::uint32_t packed = 4;
  static float decode(std::uint32_t word, std::uint32_t element) {
    return kDecode(word >> (8 * element) & 0xff);
  }
};
struct DoubleElements {
  using Register = double;
  using Sum = double;
  static constexpr std::uint32_t packed = 1;
  static double decode(double value, std::uint32_t) { return value; }
};

inline constexpr std::uint32_t kMaxRows = 32, kMaxColumns = 32, kMaxDepth = 128;

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
void for_sums(const ptx::MatrixShape& s, std::uint32_t packed, F f) {
  const std::uint32_t registers = s.m * s.n / kWarpSize / packed;
  for (std::uint32_t reg = 0; reg < registers; ++reg)
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      for (std::uint32_t e = 0; e < packed; ++e)
        f(place_in_c(s.m, packed, lane, reg, e), lane, reg, e);
}

template <class Sum, class RowOf>
void read_sums(const ptx::MatrixShape& s, Sums<Sum>& c, RowOf row_of) {
  for_sums(s, 1, [&](MatrixPlace p, std::uint32_t lane, std::uint32_t reg, std::uint32_t) {
    c.at[p.row][p.column] = static_cast<Sum>(row_of(reg)[lane]);
  });
}
template <class RowOf>
void read_half_sums(const ptx::MatrixShape& s, Sums<float>& c, RowOf row_of) {
  for_sums(s, 2, [&](MatrixPlace p, std::uint32_t lane, std::uint32_t reg, std::uint32_t e) {
    c.at[p.row][p.column] = decode_half(row_of(reg)[lane] >> (16 * e));
  });
}
template <class RowOf>
void write_sums(const ptx::MatrixShape& s, const Sums<float>& d, RowOf row_of) {
  for_sums(s, 1, [&](MatrixPlace p, std::uint32_t lane, std::uint32_t reg, std::uint32_t) {
    row_of(reg)[lane] = canonical(d.at[p.row][p.column]);
  });
}
template <class RowOf>
void write_half_sums(const ptx::MatrixShape& s, const Sums<float>& d, RowOf row_of) {
  for_sums(s, 2, [&](MatrixPlace p, std::uint32_t lane, std::uint32_t reg, std::uint32_t e) {
    const float x = d.at[p.row][p.column];
    const std::uint32_t half =
        x == x ? static_cast<std::uint32_t>(_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT)) & 0xffff
               : kHalf.nan;
    auto& word = row_of(reg)[lane];
    word = e == 0 ? half : word | half << 16;
  });
}
template <class RowOf>
void write_sums(const ptx::MatrixShape& s, const Sums<double>& d, RowOf row_of) {
  for_sums(s, 1, [&](MatrixPlace p, std::uint32_t lane, std::uint32_t reg, std::uint32_t) {
    row_of(reg)[lane] = d.at[p.row][p.column];
  });
}
template <class RowOf>
void write_sums(const ptx::MatrixShape& s, const Sums<std::int64_t>& d, bool clamps, RowOf row_of) {
  using Limits = std::numeric_limits<std::int32_t>;
  for_sums(s, 1, [&](MatrixPlace p, std::uint32_t lane, std::uint32_t reg, std::uint32_t) {
    std::int64_t x = d.at[p.row][p.column];
    if (clamps) x = std::clamp<std::int64_t>(x, Limits::min(), Limits::max());
    row_of(reg)[lane] = static_cast<std::uint32_t>(x);
  });
}

// The elements of A, whose rows have `depth`, and of B.
template <class A, class RowOf>
void read_a(std::uint32_t rows, std::uint32_t depth, typename A::Sum (&a)[kMaxRows][kMaxDepth],
            RowOf row_of_a) {
  for (std::uint32_t reg = 0; reg < rows * depth / kWarpSize / A::packed; ++reg) {
    const auto* lanes = row_of_a(reg);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      for (std::uint32_t e = 0; e < A::packed; ++e) {
        const MatrixPlace p = place_in_a(rows, depth, A::packed, lane, reg, e);
        a[p.row][p.column] = A::decode(lanes[lane], e);
      }
  }
}
template <class B, class RowOf>
void read_b(const ptx::MatrixShape& s, typename B::Sum (&b)[kMaxDepth][kMaxColumns],
            RowOf row_of_b) {
  for (std::uint32_t reg = 0; reg < s.k * s.n / kWarpSize / B::packed; ++reg) {
    const auto* lanes = row_of_b(reg);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      for (std::uint32_t e = 0; e < B::packed; ++e) {
        const MatrixPlace p = place_in_b(s.k, s.n, B::packed, lane, reg, e);
        b[p.row][p.column] = B::decode(lanes[lane], e);
      }
  }
}

// c += A * B.
template <class A, class B, class RowOfA, class RowOfB>
void add_product(const ptx::MatrixShape& s, Sums<typename A::Sum>& c, RowOfA row_of_a,
                 RowOfB row_of_b) {
  using Sum = typename A::Sum;
  Sum a[kMaxRows][kMaxDepth];
  alignas(32) Sum b[kMaxDepth][kMaxColumns];
  read_a<A>(s.m, s.k, a, row_of_a);
  read_b<B>(s, b, row_of_b);
  for (std::uint32_t m = 0; m < s.m; ++m)
    for (std::uint32_t k = 0; k < s.k; ++k)
      for (std::uint32_t n = 0; n < s.n; ++n)
        c.at[m][n] = multiply_add(a[m][k], b[k][n], c.at[m][n]);
}

// The same with a sparse A, of which the fragment has half of the elements.
template <class A, class B, class RowOfA, class RowOfB>
void add_sparse_product(const ptx::MatrixShape& s, Sums<typename A::Sum>& c, RowOfA row_of_a,
                        RowOfB row_of_b, const SparseColumns& columns) {
  using Sum = typename A::Sum;
  Sum a[kMaxRows][kMaxDepth];
  alignas(32) Sum b[kMaxDepth][kMaxColumns];
  read_a<A>(s.m, s.k / 2, a, row_of_a);
  read_b<B>(s, b, row_of_b);
  for (std::uint32_t m = 0; m < s.m; ++m)
    for (std::uint32_t e = 0; e < s.k / 2; ++e)
      for (std::uint32_t n = 0; n < s.n; ++n)
        c.at[m][n] = multiply_add(a[m][e], b[columns.of(m, e)][n], c.at[m][n]);
}

// The same of bits: rows of A and columns of B are 32-bit words.
template <class RowOfA, class RowOfB>
void add_product_of_bits(const ptx::MatrixShape& s, bool both, Sums<std::int64_t>& c,
                         RowOfA row_of_a, RowOfB row_of_b) {
  constexpr std::uint32_t kWords = 8;
  std::uint32_t a[kMaxRows][kWords], b[kMaxColumns][kWords];
  for (std::uint32_t reg = 0; reg < s.m * s.k / kWarpSize / 32; ++reg)
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const MatrixPlace p = place_in_a(s.m, s.k, 32, lane, reg, 0);
      a[p.row][p.column / 32] = row_of_a(reg)[lane];
    }
  for (std::uint32_t reg = 0; reg < s.k * s.n / kWarpSize / 32; ++reg)
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const MatrixPlace p = place_in_b(s.k, s.n, 32, lane, reg, 0);
      b[p.column][p.row / 32] = row_of_b(reg)[lane];
    }
  for (std::uint32_t m = 0; m < s.m; ++m)
    for (std::uint32_t n = 0; n < s.n; ++n)
      for (std::uint32_t k = 0; k < s.k / 32; ++k)
        c.at[m][n] += std::popcount(both ? a[m][k] & b[n][k] : a[m][k] ^ b[n][k]);
}

}  // namespace heddle::exec
