// Moves: MOV, SEL, FSEL, and from registers of lanes to uniform ones.
#pragma GCC optimize("O3")
#include "exec/isa/float_bits.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

template <Handler kHandler>
Handler of_datapath(const sass::Instruction& i) {
  return is_uniform(i) ? in_all_lanes<kHandler> : kHandler;
}

void move(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<U32, 1>(w, r, m, [](auto a) { return a; });
}
// MOV may have a mask of the lanes of a quad beside its source.
void move_in_quads(Warp& w, const DecodedInstruction& r, U32 mask) {
  constexpr U32 kFirstOfQuads = 0x11111111;
  move(w, r, mask & kFirstOfQuads * source<U32>(w, r, 1)[0]);
}
Handler move_of(const sass::Instruction& i) {
  return i.form->operands.size() == 2 ? of_datapath<move>(i) : move_in_quads;
}

void choose(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 first = predicate(w, r.src_predicate[0]);
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i)
    result[i] = select(lanes_of(first, i), words(w, r, 0)[i], words(w, r, 1)[i]);
  store_words(w, r, result, mask);
}
// Operands keep their bits but for signs; .FTZ flushes them.
template <bool kFtz>
void choose_float(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 first = predicate(w, r.src_predicate[0]);
  const FloatSigns a{r, 0}, b{r, 1};
  alignas(64) Words result[kWordVectors];
  for (int i = 0; i < kWordVectors; ++i) {
    result[i] = select(lanes_of(first, i), a.apply(words(w, r, 0)[i]), b.apply(words(w, r, 1)[i]));
    if constexpr (kFtz) result[i] = (Words)flush((Vector<float>)result[i]);
  }
  store_words(w, r, result, mask);
}
Handler choose_float_handler(const sass::Instruction& i, const DecodedInstruction& r) {
  if (has_flag(i, "FTZ")) return choose_float<true>;
  return r.src_flags != 0 ? choose_float<false> : choose;
}

// The value of the lowest lane that executes it: compilers use it for values that are the same in
// all lanes. The predicate holds in lanes whose value differs. No document says so; with it the
// code of ptxas does what its PTX says (BRA.DIV in convergence.cc).
// With .OR also where the predicate holds already, for a value of two words.
template <bool kOr>
void to_uniform(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto* values = source<U32>(w, r, 0);
  const U32 first = values[std::countr_zero(mask)];
  U32 differs = kOr ? w.predicates[r.dst_predicate[0]] : 0;
  for (U32 l = 0; l < kWarpSize; ++l) differs |= U32{values[l] != first} << l;
  const Words value = broadcast(first);
  alignas(64) const Words result[kWordVectors] = {value, value, value, value};
  store_words(w, r, result, ~U32{0});
  set_predicate(w, r.dst_predicate[0], differs, mask);
}

}  // namespace

Handler move_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::MOV:
    case Opcode::UMOV: return move_of(i);
    case Opcode::SEL:
    case Opcode::USEL: return of_datapath<choose>(i);
    case Opcode::FSEL: return choose_float_handler(i, r);
    case Opcode::R2UR: return has_part(i, "OR") ? to_uniform<true> : to_uniform<false>;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
