// Loads and stores of 256 bits per lane. Their registers are listed outside the decoded
// instruction.
#include <utility>

#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"

namespace heddle::exec {
namespace {

template <class E>
void load(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const U32 count = r.instruction->vector;
  const bool log = !m.direct && !m.stores.empty();
  Located at;
  locate(w, r, mask, count * sizeof(E), log, at);
  alignas(64) E elements[8][kWarpSize];
  for (U32 n = 0; n < count; ++n) {
    for (int l = 0; l < kWarpSize; ++l)
      std::memcpy(&elements[n][l], at.at(l) + n * sizeof(E), sizeof(E));
    if (!log) continue;
    for (U32 rest = at.global_lanes; rest; rest &= rest - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(rest));
      m.stores.patch(m.addresses[l] + n * sizeof(E), &elements[n][l], sizeof(E));
    }
  }
  for (U32 n = 0; n < count; ++n)
    store_lanes<sizeof(E)>(fragment_row<E>(w, fragments(w, r).dst[n]), elements[n], mask);
}

template <class E>
void store(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const U32 count = r.instruction->vector;
  Located at;
  locate(w, r, mask, count * sizeof(E), !m.direct, at);
  const U32 logged = m.direct ? 0 : at.global_lanes;
  for (U32 n = 0; n < count; ++n) {
    const auto* lanes = fragment_row<E>(std::as_const(w), fragments(w, r).src[n]);
    for (U32 rest = mask; rest; rest &= rest - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(rest));
      if (logged >> l & 1)
        m.stores.store(m.addresses[l] + n * sizeof(E), &lanes[l], sizeof(E));
      else
        std::memcpy(at.at(static_cast<int>(l)) + n * sizeof(E), &lanes[l], sizeof(E));
    }
  }
}

}  // namespace

Handler wide_memory_handler(const ptx::Instruction& i) {
  const bool eight = i.access_bytes == 8;
  if (i.opcode == ptx::Opcode::ld_wide) return eight ? load<std::uint64_t> : load<U32>;
  return eight ? store<std::uint64_t> : store<U32>;
}

}  // namespace heddle::exec
