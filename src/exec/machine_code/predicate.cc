// Predicates: integer comparisons, PLOP3, and moves between predicates and registers.
#pragma GCC optimize("O3")

#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Compare;
using sass::Opcode;

template <Compare kOp, class T>
[[gnu::always_inline]] inline U32 compare_lanes(const Warp& w, const DecodedInstruction& r) {
  if constexpr (kOp == Compare::F || kOp == Compare::T) return kOp == Compare::T ? ~U32{0} : 0;
  return vector_test<T>(w, r, [](auto a, auto b) {
    if constexpr (kOp == Compare::LT)
      return a < b;
    else if constexpr (kOp == Compare::EQ)
      return a == b;
    else if constexpr (kOp == Compare::LE)
      return a <= b;
    else if constexpr (kOp == Compare::GT)
      return a > b;
    else if constexpr (kOp == Compare::NE)
      return a != b;
    else
      return a >= b;
  });
}
// .EX compares the upper words of longer numbers: where they are equal, the result of the lower
// words decides.
enum class Form { simple, combined, extended };
template <Compare kOp, class T, Form kForm>
void compare_integers(Warp& w, const DecodedInstruction& r, U32 mask) {
  U32 holds = compare_lanes<kOp, T>(w, r);
  if constexpr (kForm == Form::extended && kOp != Compare::F && kOp != Compare::T) {
    const U32 equal = compare_lanes<Compare::EQ, T>(w, r), lower = predicate(w, r.src_predicate[1]);
    holds = (equal & lower) | (~equal & holds);
  }
  store_comparison<kForm == Form::simple>(w, r, holds, mask);
}
template <Handler kHandler>
Handler of_datapath(const sass::Instruction& i) {
  return is_uniform(i) ? in_all_lanes<kHandler> : kHandler;
}
template <class T, Form kForm>
Handler comparison_of(const sass::Instruction& i) {
  switch (*sass::modifier_of<Compare>(i)) {
    case Compare::F: return of_datapath<compare_integers<Compare::F, T, kForm>>(i);
    case Compare::LT: return of_datapath<compare_integers<Compare::LT, T, kForm>>(i);
    case Compare::EQ: return of_datapath<compare_integers<Compare::EQ, T, kForm>>(i);
    case Compare::LE: return of_datapath<compare_integers<Compare::LE, T, kForm>>(i);
    case Compare::GT: return of_datapath<compare_integers<Compare::GT, T, kForm>>(i);
    case Compare::NE: return of_datapath<compare_integers<Compare::NE, T, kForm>>(i);
    case Compare::GE: return of_datapath<compare_integers<Compare::GE, T, kForm>>(i);
    case Compare::T: return of_datapath<compare_integers<Compare::T, T, kForm>>(i);
  }
  return nullptr;
}
template <class T>
Handler comparison(const sass::Instruction& i) {
  if (has_flag(i, "EX")) return comparison_of<T, Form::extended>(i);
  if (is_simple_comparison(i)) return comparison_of<T, Form::simple>(i);
  return comparison_of<T, Form::combined>(i);
}
Handler comparison_handler(const sass::Instruction& i, DecodedInstruction& r) {
  r.offset = static_cast<std::int64_t>(*sass::modifier_of<sass::Combine>(i));
  return has_modifier(i, sass::Int32::S32_) ? comparison<S32>(i) : comparison<U32>(i);
}

// The table's entry for p, q and s is at p << 2 | q << 1 | s. `offset` has the tables of both
// results, the second in bits 15:8.
U32 look_up(U32 table, U32 p, U32 q, U32 s) {
  U32 result = 0;
  for (U32 n = 0; n < 8; ++n)
    if (table >> n & 1) result |= (n & 4 ? p : ~p) & (n & 2 ? q : ~q) & (n & 1 ? s : ~s);
  return result;
}
// Of predicates, or of the signs of registers.
template <bool kSigns>
void logic_of_predicates(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto read = [&](int k) {
    if constexpr (!kSigns) return predicate(w, r.src_predicate[k]);
    U32 signs = 0;
    for (int i = 0; kSigns && i < kWordVectors; ++i) signs |= predicate_of(words(w, r, k)[i], i);
    return signs;
  };
  const U32 p = read(0), q = read(1), s = read(2);
  const auto tables = static_cast<U32>(r.offset);
  const U32 first = look_up(tables & 0xff, p, q, s), second = look_up(tables >> 8, p, q, s);
  set_predicate(w, r.dst_predicate[0], first, mask);
  set_predicate(w, r.dst_predicate[1], second, mask);
}

Handler logic_handler_of(const sass::Instruction& i, DecodedInstruction& r) {
  const bool signs = has_flag(i, "SIGN");
  const int tables = signs ? 3 : 0;
  r.offset = source_operand(i, tables).value & 0xff;
  r.offset |= (source_operand(i, tables + 1).value & 0xff) << 8;
  return signs ? logic_of_predicates<true> : of_datapath<logic_of_predicates<false>>(i);
}

// Byte `offset` of the register has a bit for each of P0 to P6. The second source says which are
// moved, all without it; the bits of others are 0 in a register.
constexpr int kPredicates = 7;
void predicates_to_register(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto byte = static_cast<int>(r.offset) * 8;
  alignas(64) U32 result[kWarpSize];
  const auto *a = source<U32>(w, r, 0), *moved = source<U32>(w, r, 1);
  for (int l = 0; l < kWarpSize; ++l) {
    U32 bits = 0;
    for (int p = 0; p < kPredicates; ++p) bits |= (w.predicates[predicate_row(p)] >> l & 1) << p;
    result[l] = (a[l] & ~(U32{0xff} << byte)) | (bits & moved[l]) << byte;
  }
  store_result(w, r, result, mask);
}
void register_to_predicates(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto byte = static_cast<int>(r.offset) * 8;
  const auto *a = source<U32>(w, r, 0), *moved = source<U32>(w, r, 1);
  const bool all = !r.src[1].present;
  for (int p = 0; p < kPredicates; ++p) {
    U32 bits = 0, wanted = 0;
    for (int l = 0; l < kWarpSize; ++l) {
      bits |= (a[l] >> (byte + p) & 1) << l;
      wanted |= U32{all || (moved[l] >> p & 1)} << l;
    }
    set_predicate(w, predicate_row(p), bits, mask & wanted);
  }
}

}  // namespace

Handler predicate_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::ISETP:
    case Opcode::UISETP: return comparison_handler(i, r);
    case Opcode::PLOP3:
    case Opcode::UPLOP3: return logic_handler_of(i, r);
    case Opcode::P2R:
      r.offset = static_cast<std::int64_t>(*sass::modifier_of<sass::Byte>(i));
      return predicates_to_register;
    case Opcode::R2P:
      r.offset = static_cast<std::int64_t>(*sass::modifier_of<sass::Byte>(i));
      return register_to_predicates;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
