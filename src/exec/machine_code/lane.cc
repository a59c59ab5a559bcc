// Exchanges between the lanes of a warp: SHFL, VOTE, MATCH, REDUX. The lanes that execute the
// instruction take part; WARPSYNC has brought them together.
#include "exec/isa/shuffle.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

template <ptx::ShflMode kMode>
void shuffle(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) U32 result[kWarpSize];
  const U32 in_range = shuffle_lanes<kMode>(source<U32>(w, r, 0), source<U32>(w, r, 1),
                                            source<U32>(w, r, 2), mask, result);
  store_result(w, r, result, mask);
  set_predicate(w, r.dst_predicate[0], in_range, mask);
}
Handler shuffle_handler(const sass::Instruction& i) {
  switch (*sass::modifier_of<sass::Shuffle>(i)) {
    case sass::Shuffle::IDX: return shuffle<ptx::ShflMode::idx>;
    case sass::Shuffle::UP: return shuffle<ptx::ShflMode::up>;
    case sass::Shuffle::DOWN: return shuffle<ptx::ShflMode::down>;
    case sass::Shuffle::BFLY: return shuffle<ptx::ShflMode::bfly>;
  }
  return nullptr;
}

void write_word(Warp& w, const DecodedInstruction& r, U32 value, U32 mask) {
  const Words word = broadcast(value);
  alignas(64) const Words result[kWordVectors] = {word, word, word, word};
  store_words(w, r, result, mask);
}

// The ballot, and whether the predicate holds in all lanes, in any, or in all or none.
template <sass::Vote kVote, bool kUniform>
void vote(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 holding = predicate(w, r.src_predicate[0]) & mask;
  const bool result = kVote == sass::Vote::ALL   ? holding == mask
                      : kVote == sass::Vote::ANY ? holding != 0
                                                 : holding == 0 || holding == mask;
  const U32 written = kUniform ? ~U32{0} : mask;
  write_word(w, r, holding, written);
  set_predicate(w, r.dst_predicate[0], result ? ~U32{0} : 0, written);
}
template <bool kUniform>
Handler vote_handler(const sass::Instruction& i) {
  switch (*sass::modifier_of<sass::Vote>(i)) {
    case sass::Vote::ALL: return vote<sass::Vote::ALL, kUniform>;
    case sass::Vote::ANY: return vote<sass::Vote::ANY, kUniform>;
    case sass::Vote::EQ: return vote<sass::Vote::EQ, kUniform>;
  }
  return nullptr;
}

// By lane: the lanes with the same value; with kAll all of them or none, and which it is.
template <bool kWide, bool kAll>
void match(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto* low = source<U32>(w, r, 0);
  const auto* high = low + (kWide ? kWarpSize : 0);
  const auto value = [&](int lane) { return U64{high[lane]} << 32 | low[lane]; };
  alignas(64) U32 result[kWarpSize] = {};
  U32 agree = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    U32 same = 0;
    for (U32 others = mask; others; others &= others - 1) {
      const int other = std::countr_zero(others);
      same |= U32{value(other) == value(lane)} << other;
    }
    if (!kAll)
      result[lane] = same;
    else if (same == mask)
      result[lane] = mask, agree |= U32{1} << lane;
  }
  store_result(w, r, result, mask);
  if (kAll) set_predicate(w, r.dst_predicate[0], agree, mask);
}
Handler match_handler(const sass::Instruction& i) {
  return for_flags([]<bool kWide, bool kAll>() -> Handler { return match<kWide, kAll>; },
                   has_modifier(i, sass::MatchWidth::U64), has_modifier(i, sass::Match::ALL));
}

// Of the lanes, into a uniform register.
template <sass::WarpReduction kReduction, class T>
void reduce(Warp& w, const DecodedInstruction& r, U32 mask) {
  using enum sass::WarpReduction;
  const auto* a = source<T>(w, r, 0);
  T value = a[std::countr_zero(mask)];
  for (U32 rest = mask & (mask - 1); rest; rest &= rest - 1) {
    const T x = a[std::countr_zero(rest)];
    value = kReduction == AND_  ? value & x
            : kReduction == OR  ? value | x
            : kReduction == XOR ? value ^ x
            : kReduction == SUM ? static_cast<T>(static_cast<U32>(value) + static_cast<U32>(x))
            : (kReduction == MIN) == (x < value) ? x
                                                 : value;
  }
  write_word(w, r, static_cast<U32>(value), ~U32{0});
}
Handler reduce_handler(const sass::Instruction& i) {
  using enum sass::WarpReduction;
  const bool is_signed = has_modifier(i, sass::Int32::S32_) || has_flag(i, "S32");
  switch (*sass::modifier_of<sass::WarpReduction>(i)) {
    case AND_: return reduce<AND_, U32>;
    case OR: return reduce<OR, U32>;
    case XOR: return reduce<XOR, U32>;
    case SUM: return reduce<SUM, U32>;
    case MIN: return is_signed ? reduce<MIN, std::int32_t> : reduce<MIN, U32>;
    case MAX: return is_signed ? reduce<MAX, std::int32_t> : reduce<MAX, U32>;
  }
  return nullptr;
}

// ELECT: the first lane of those that execute it and are meant, and whether a lane is that one.
template <bool kOfMask>
void elect(Warp& w, const DecodedInstruction& r, U32 mask) {
  U32 meant = mask;
  if constexpr (kOfMask)
    meant &= source<U32>(w, r, 0)[0] ^ (has_source_flag(r, 0, kInverted) ? ~U32{0} : 0);
  else
    meant &= predicate(w, r.src_predicate[0]);
  write_word(w, r, meant ? static_cast<U32>(std::countr_zero(meant)) : 0, ~U32{0});
  set_predicate(w, r.dst_predicate[0], meant & -meant, mask);
}

}  // namespace

Handler lane_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::SHFL: return shuffle_handler(i);
    case Opcode::VOTE: return vote_handler<false>(i);
    case Opcode::VOTEU: return vote_handler<true>(i);
    case Opcode::MATCH: return match_handler(i);
    case Opcode::ELECT:
      if (sass::has_flag(i, "IGNOREKILL")) return nullptr;
      return r.src[0].present ? elect<true> : elect<false>;
    case Opcode::REDUX: return reduce_handler(i);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
