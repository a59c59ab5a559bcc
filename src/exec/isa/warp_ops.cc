// Instructions that exchange values between the lanes of a warp: shfl, vote, match, activemask.
#include "exec/isa/warp_ops.h"
#include "exec/isa/decode.h"

#include "exec/isa/shuffle.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;

// What lanes contribute to an exchange, at one place or at several.
struct Contributions {
  U32 lanes = 0;                         // those that execute it
  const std::uint8_t* values = nullptr;  // by lane: the first source
  U32 holding = 0;                       // lanes whose first source is a predicate that holds
  const Lane<U32>* named = nullptr;      // by lane: its member mask; null: no mask
};
template <class T>
const Lane<T>* values(const Contributions& all) {
  return reinterpret_cast<const Lane<T>*>(__builtin_assume_aligned(all.values, 128));
}

// Computes the results of the lanes in `mask` at one place.
using Exchange = void (*)(Warp& w, const DecodedInstruction& r, U32 mask, const Contributions& all);

[[gnu::always_inline]] inline Contributions contributions(const Warp& w,
                                                          const DecodedInstruction& r, U32 mask) {
  return {mask, row(w, r.src[0]), predicate(w, r.src_predicate[0]),
          r.members == DecodedInstruction::kAllLanes ? nullptr : source<U32>(w, r, r.members)};
}
// The handler of an instruction whose lanes are all at one place.
template <Exchange kExchange>
void at_one_place(Warp& w, const DecodedInstruction& r, U32 mask) {
  kExchange(w, r, mask, contributions(w, r, mask));
}

template <ptx::ShflMode kMode>
void shuffle(Warp& w, const DecodedInstruction& r, U32 mask, const Contributions& all) {
  alignas(64) U32 result[kWarpSize];
  const U32 in_range = shuffle_lanes<kMode>(values<U32>(all), source<U32>(w, r, 1),
                                            source<U32>(w, r, 2), all.lanes, result);
  store_result(w, r, result, mask);
  set_predicate(w, r.dst_predicate[1], in_range, mask);
}

void write_word(Warp& w, const DecodedInstruction& r, U32 value, U32 mask) {
  alignas(64) U32 words[kWarpSize];
  for (auto& word : words) word = value;
  store_result(w, r, words, mask);
}

// The lanes of `mask` that name the same members as the lowest of them.
U32 like_the_first(const Lane<U32>* named, U32 mask) {
  const __m256i first = _mm256_set1_epi32(static_cast<int>(named[std::countr_zero(mask)]));
  U32 same = 0;
  for (int part = 0; part < 4; ++part) {
    const __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(named) + part);
    same |=
        static_cast<U32>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(eight, first))))
        << (8 * part);
  }
  return same & mask;
}

// Calls `act(who, lanes)` for every set of `lanes` that name the same members; `who` are the
// executing lanes among them. The tiles of a warp name different members in one instruction.
template <class Act>
void among_members(const Contributions& all, U32 mask, Act act) {
  if (all.named == nullptr) return act(all.lanes, mask);
  for (U32 rest = mask; rest != 0;) {
    const U32 who = all.lanes & all.named[std::countr_zero(rest)],
              lanes = like_the_first(all.named, rest);
    act(who, lanes);
    rest &= ~lanes;
  }
}

[[gnu::always_inline]] inline void vote(Warp& w, const DecodedInstruction& r, U32 mask,
                                        const Contributions& all) {
  among_members(all, mask, [&](U32 who, U32 lanes) {
    const U32 holds = all.holding & who;
    switch (ptx_of(r).as<ptx::VoteMode>()) {
      case ptx::VoteMode::all:
        set_predicate(w, r.dst_predicate[0], holds == who ? ~0u : 0, lanes);
        break;
      case ptx::VoteMode::any: set_predicate(w, r.dst_predicate[0], holds ? ~0u : 0, lanes); break;
      case ptx::VoteMode::uni:
        set_predicate(w, r.dst_predicate[0], holds == 0 || holds == who ? ~0u : 0, lanes);
        break;
      case ptx::VoteMode::ballot: write_word(w, r, holds, lanes); break;
    }
  });
}

template <class T>
[[gnu::always_inline]] inline void match(Warp& w, const DecodedInstruction& r, U32 mask,
                                         const Contributions& all) {
  const auto* a = values<T>(all);
  alignas(64) U32 result[kWarpSize] = {};
  U32 agree = 0;
  const bool any = ptx_of(r).as<ptx::MatchMode>() == ptx::MatchMode::any;
  among_members(all, mask, [&](U32 who, U32 lanes) {
    for (U32 rest = lanes; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      U32 same = 0;
      for (U32 others = who; others; others &= others - 1)
        if (const int other = std::countr_zero(others); a[other] == a[lane])
          same |= U32{1} << other;
      if (any)
        result[lane] = same;
      else if (same == who)
        result[lane] = who, agree |= U32{1} << lane;
    }
  });
  store_result(w, r, result, mask);
  if (!any) set_predicate(w, r.dst_predicate[1], agree, mask);
}

U32 reduce(ptx::AtomicOp op, bool is_signed, U32 a, U32 b) {
  using ptx::AtomicOp;
  const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  switch (op) {
    case AtomicOp::and_: return a & b;
    case AtomicOp::or_: return a | b;
    case AtomicOp::xor_: return a ^ b;
    case AtomicOp::min: return less ? a : b;
    case AtomicOp::max: return less ? b : a;
    default: return a + b;
  }
}
[[gnu::always_inline]] inline void reduction(Warp& w, const DecodedInstruction& r, U32 mask,
                                             const Contributions& all) {
  const auto* a = values<U32>(all);
  alignas(64) U32 result[kWarpSize] = {};
  among_members(all, mask, [&](U32 who, U32 lanes) {
    if (who == 0) return;
    U32 value = a[std::countr_zero(who)];
    for (U32 rest = who & (who - 1); rest; rest &= rest - 1)
      value = reduce(ptx_of(r).atomic, ptx_of(r).type == ptx::Type::s32, value,
                     a[std::countr_zero(rest)]);
    for (U32 rest = lanes; rest; rest &= rest - 1) result[std::countr_zero(rest)] = value;
  });
  store_result(w, r, result, mask);
}
// The leader is the lowest member.
[[gnu::always_inline]] inline void elect(Warp& w, const DecodedInstruction& r, U32 mask,
                                         const Contributions& all) {
  alignas(64) U32 leaders[kWarpSize] = {};
  U32 chosen = 0;
  among_members(all, mask, [&](U32 who, U32 lanes) {
    const U32 leader = who ? static_cast<U32>(std::countr_zero(who)) : 0;
    chosen |= (U32{who != 0} << leader) & lanes;
    for (U32 rest = lanes; rest; rest &= rest - 1) leaders[std::countr_zero(rest)] = leader;
  });
  if (ptx_of(r).dst[0].kind == ptx::Operand::Kind::reg) store_result(w, r, leaders, mask);
  set_predicate(w, r.dst_predicate[1], chosen, mask);
}

[[gnu::always_inline]] inline void active_mask(Warp& w, const DecodedInstruction& r, U32 mask,
                                               const Contributions&) {
  write_word(w, r, mask, mask);
}

// The exchange of an instruction, and the handler that makes it at one place.
struct Forms {
  Exchange exchange = nullptr;
  Handler handler = nullptr;
};
template <Exchange kExchange>
constexpr Forms forms() {
  return {kExchange, at_one_place<kExchange>};
}

Forms forms_of(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::shfl:
      switch (i.as<ptx::ShflMode>()) {
        case ptx::ShflMode::up: return forms<shuffle<ptx::ShflMode::up>>();
        case ptx::ShflMode::down: return forms<shuffle<ptx::ShflMode::down>>();
        case ptx::ShflMode::bfly: return forms<shuffle<ptx::ShflMode::bfly>>();
        case ptx::ShflMode::idx: return forms<shuffle<ptx::ShflMode::idx>>();
      }
      return {};
    case Opcode::vote: return forms<vote>();
    case Opcode::match: return i.type == ptx::Type::b64 ? forms<match<U64>>() : forms<match<U32>>();
    case Opcode::redux: return forms<reduction>();
    case Opcode::elect: return forms<elect>();
    case Opcode::activemask: return forms<active_mask>();
    default: return {};
  }
}

}  // namespace

Handler warp_handler(const ptx::Instruction& i) { return forms_of(i).handler; }

void execute_together(Warp& w, const SyncPlace& here, std::span<const SyncPlace> others) {
  const Exchange exchange = forms_of(ptx_of(*here.decoded)).exchange;
  if (exchange == nullptr) return;  // bar.warp.sync
  alignas(128) U64 values[kWarpSize];
  alignas(128) U32 named[kWarpSize];
  Contributions all;
  all.values = reinterpret_cast<const std::uint8_t*>(values), all.named = named;
  const auto contribute = [&](const SyncPlace& place) {
    const Contributions own = contributions(w, *place.decoded, place.lanes);
    all.lanes |= place.lanes;
    all.holding |= own.holding & place.lanes;
    store_lanes<4>(named, own.named, place.lanes);
    if (place.decoded->src[0].bytes == 8)
      store_lanes<8>(values, own.values, place.lanes);
    else
      store_lanes<4>(values, own.values, place.lanes);
  };
  contribute(here);
  for (const SyncPlace& place : others) contribute(place);
  exchange(w, *here.decoded, here.lanes, all);
  for (const SyncPlace& place : others) exchange(w, *place.decoded, place.lanes, all);
}

}  // namespace heddle::exec
