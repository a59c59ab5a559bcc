// mma.m8n8k4 on halves, as on Volta: four products at once. Lanes 4q to 4q + 3 and 4q + 16 to 4q +
// 19 compute the q-th product. The layout is that of the PTX manual ("Matrix Fragments for
// mma.m8n8k4 with .f16").
#include <utility>

#include "exec/isa/matrix.h"
#include "exec/isa/small_float.h"

namespace heddle::exec {
namespace {

struct Product {
  float a[8][4], b[4][8], c[8][8];
};

float half_in(const Warp& w, const ptx::Operand* from, U32 lane, U32 element) {
  return decode_half(fragment_row<U32>(w, from[element / 2])[lane] >> (16 * (element % 2)));
}

// The layout of C and D. Halves fill a lane's row; singles are in pairs.
MatrixPlace place_of_sum(bool halves, U32 lane, U32 element) {
  const U32 below = lane < 16 ? 0 : 4;
  if (halves) return {lane % 4 + below, element};
  return {(lane & 1) + (element & 2) + below, (element & 4) + (lane & 2) + (element & 1)};
}

void multiply(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const ptx::Instruction& i = ptx_of(r);
  const ptx::MatrixOperands& all = fragments(w, r);
  const ptx::Operand *a = all.src.data(), *b = a + ptx::MatrixOperands::kMaxRegisters,
                     *c = b + ptx::MatrixOperands::kMaxRegisters;
  const auto& matrix = i.as<ptx::Matrix>();
  const bool a_columns = matrix.columns, b_columns = matrix.columns_b;
  const bool half_c = matrix.half_c, half_d = i.type == ptx::Type::f16;
  Product products[4];
  for (U32 lane = 0; lane < kWarpSize; ++lane) {
    Product& p = products[lane / 4 % 4];
    const U32 own = lane % 4, below = lane < 16 ? 0 : 4;
    for (U32 e = 0; e < 4; ++e) {
      (a_columns ? p.a[e + below][own] : p.a[own + below][e]) = half_in(w, a, lane, e);
      (b_columns ? p.b[e][own + below] : p.b[own][e + below]) = half_in(w, b, lane, e);
    }
    for (U32 e = 0; e < 8; ++e) {
      const MatrixPlace at = place_of_sum(half_c, lane, e);
      p.c[at.row][at.column] =
          half_c ? half_in(w, c, lane, e) : fragment_row<float>(std::as_const(w), c[e])[lane];
    }
  }
  for (Product& p : products)
    for (U32 m = 0; m < 8; ++m)
      for (U32 k = 0; k < 4; ++k)
        for (U32 n = 0; n < 8; ++n) p.c[m][n] = __builtin_fmaf(p.a[m][k], p.b[k][n], p.c[m][n]);
  for (U32 lane = 0; lane < kWarpSize; ++lane) {
    for (U32 e = 0; e < 8; ++e) {
      const MatrixPlace at = place_of_sum(half_d, lane, e);
      const float sum = products[lane / 4 % 4].c[at.row][at.column];
      if (!half_d) {
        fragment_row<float>(w, all.dst[e])[lane] = canonical(sum);
        continue;
      }
      auto& word = fragment_row<U32>(w, all.dst[e / 2])[lane];
      const U32 half = encode(kHalf, sum, ptx::Rounding::rn);
      word = e % 2 == 0 ? half : (word & 0xffff) | half << 16;
    }
  }
}

}  // namespace

Handler quad_multiply_handler() { return multiply; }

}  // namespace heddle::exec
