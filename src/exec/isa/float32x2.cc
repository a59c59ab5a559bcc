// Pairs of singles in 64-bit registers. Each half is computed separately.
#pragma GCC optimize("O3")
#include <cmath>
#include <optional>

#include "exec/isa/decode.h"
#include "exec/isa/float_bits.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;

template <Opcode kOp>
float compute(float a, float b, float c) {
  a = pin(a), b = pin(b), c = pin(c);
  if constexpr (kOp == Opcode::add)
    return pin(a + b);
  else if constexpr (kOp == Opcode::sub)
    return pin(a - b);
  else if constexpr (kOp == Opcode::mul)
    return pin(a * b);
  else
    return pin(__builtin_fmaf(a, b, c));
}

template <Opcode kOp>
void pairs(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  std::optional<DirectedRounding> rounding;
  if (is_directed(i.rounding)) rounding.emplace(i.rounding);
  const auto* a = source<float>(w, r, 0);
  const auto* b = source<float>(w, r, 1);
  const auto* c = kOp == Opcode::fma ? source<float>(w, r, 2) : b;
  alignas(64) float result[2 * kWarpSize];
  for (int n = 0; n < 2 * kWarpSize; ++n) {
    const auto in = [&](float x) { return i.ftz ? flush(x) : x; };
    result[n] = in(canonical(compute<kOp>(in(a[n]), in(b[n]), in(c[n]))));
  }
  store_lanes<8>(w.bases[0] + r.dst[0], result, mask);
}

}  // namespace

Handler float32x2_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return pairs<Opcode::add>;
    case Opcode::sub: return pairs<Opcode::sub>;
    case Opcode::mul: return pairs<Opcode::mul>;
    case Opcode::fma: return pairs<Opcode::fma>;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
