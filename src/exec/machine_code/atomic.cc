// Atomics and reductions in memory, by the handlers of PTX.
#include "exec/isa/decode.h"
#include "exec/isa/memory_access.h"
#include "exec/machine_code/handlers.h"
#include "sass/encoding/form.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

// ATOMS.CAST: a compare-and-swap whose result is 1 in lanes that have swapped, else 0. It has as
// many bits as what is compared.
void compare_and_test(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 bytes = r.instruction->access_bytes;
  Located at;
  locate(w, r, mask, bytes, false, at);
  alignas(64) U32 swapped[kWarpSize] = {}, upper[kWarpSize] = {};
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const U64 compared = pair_or_word(w, r.src[1], l), given = pair_or_word(w, r.src[2], l);
    if (std::memcmp(at.at(lane), &compared, bytes) != 0) continue;
    std::memcpy(at.at(lane), &given, bytes);
    swapped[l] = 1;
  }
  store_lanes<4>(w.bases[0] + r.dst[0], swapped, mask);
  if (bytes == 8) store_lanes<4>(w.bases[0] + r.dst[0] + sizeof swapped, upper, mask);
}

// The predicate of an atomic at a generic address holds where it has been performed: on a GPU not
// in shared and local memory, for which other code follows. Here in every memory.
void atomic_in_any_space(Warp& w, const DecodedInstruction& r, U32 mask) {
  set_predicate(w, r.dst_predicate[0], ~U32{0}, mask);
  atomic_handler(ptx_of(r))(w, r, mask);
}

}  // namespace

Handler atomic_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::ATOM:
    case Opcode::ATOMG:
    case Opcode::ATOMS:
    case Opcode::RED:
    case Opcode::REDG: break;
    default: return nullptr;
  }
  const ptx::Instruction& like = ptx_of(r);
  const bool tests = r.dst_predicate[0] != kPredicateRows + 2;
  if (like.atomic == ptx::AtomicOp::none || (tests && i.opcode != Opcode::ATOM)) return nullptr;
  const bool wide = r.instruction->access_bytes == 8;
  for (std::size_t n = 1; n < 3; ++n) {
    r.src[n].pair = r.src[n].present && wide;
    if (r.src[n].pair) r.src[n].bytes = 8;
  }
  if (i.form->name == "ATOMS.CAST" || i.form->name == "ATOM.E.CAST") return compare_and_test;
  if (i.form->name == "ATOMS.POPC.INC.32") {
    if (r.dst_bytes[0] != 0) return nullptr;
    r.src[1] = kOneRow;
  }
  // The numbers of a vector are in one register each, or two halves in one.
  r.machine.pair_result = (wide && r.dst_bytes[0] != 0) || like.opcode == ptx::Opcode::atom_wide;
  return tests ? atomic_in_any_space : atomic_handler(like);
}

}  // namespace heddle::exec
