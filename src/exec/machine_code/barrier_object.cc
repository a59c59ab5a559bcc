// SYNCS and ARRIVES: mbarrier objects, by the handlers of PTX.
#include "exec/isa/decode.h"
#include "exec/isa/mbarrier.h"
#include "exec/isa/memory_access.h"
#include "exec/livelock/livelock_detector.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

void nothing(Warp&, const DecodedInstruction&, U32) {}

// SYNCS.EXCH.64, which initializes an object: by the warp, with uniform registers.
void exchange(Warp& w, const DecodedInstruction& r, U32 mask) {
  const int lane = std::countr_zero(mask);
  Located at;
  locate(w, r, mask & -mask, 8, false, at);
  U64 old = 0;
  const U64 given = pair_or_word(w, r.src[1], static_cast<std::size_t>(lane));
  std::memcpy(&old, at.at(lane), sizeof old);
  if (w.machine->detector && given != old) w.machine->detector->note_change();
  std::memcpy(at.at(lane), &given, sizeof given);
  if (r.dst_bytes[0] == 0) return;
  for (U32 n = 0; n < 2; ++n) {
    alignas(64) U32 words[kWarpSize];
    std::fill(std::begin(words), std::end(words), static_cast<U32>(old >> (32 * n)));
    store_lanes<4>(w.bases[0] + r.dst[0] + n * kRowOfWords, words, ~U32{0});
  }
}

// .TMASK: the lanes that arrive at the same object, and the upper half of its state before them.
void arrive_with_mask(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) U32 lanes[kWarpSize] = {}, states[kWarpSize] = {};
  Located at;
  locate(w, r, mask, 8, false, at);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (U32 others = mask; others; others &= others - 1) {
      const int other = std::countr_zero(others);
      lanes[lane] |= U32{at.at(other) == at.at(lane)} << other;
    }
    std::memcpy(&states[lane], at.at(lane) + 4, sizeof states[lane]);
  }
  mbarrier_handler(ptx_of(r))(w, r, mask);
  store_lanes<4>(w.bases[0] + r.dst[0], lanes, mask);
  store_lanes<4>(w.bases[0] + r.dst[0] + kRowOfWords, states, mask);
}

Handler arrival_handler(const sass::Instruction& i, DecodedInstruction& r) {
  // ARRIVES.TRANSCNT, which follows, counts the arrival of the copies itself.
  if (has_modifier(i, sass::ArrivalCounts::A0T1)) return r.dst_bytes[0] == 0 ? nothing : nullptr;
  r.src[1].present = !has_modifier(i, sass::ArrivalCounts::A1T0);  // otherwise one arrival
  r.machine.pair_result = r.dst_bytes[0] != 0;
  if (!has_modifier(i, sass::ArrivalResult::TMASK)) return mbarrier_handler(ptx_of(r));
  r.machine.pair_result = false;
  return r.dst_bytes[0] != 0 ? arrive_with_mask : mbarrier_handler(ptx_of(r));
}

}  // namespace

Handler barrier_object_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (i.opcode == Opcode::ARRIVES) {
    return has_modifier(i, sass::CopyArrivalCount::TRANS_) ? nullptr : mbarrier_handler(ptx_of(r));
  }
  if (i.opcode != Opcode::SYNCS) return nullptr;
  if (i.form->name == "SYNCS.EXCH.64") {
    r.src[1].pair = true;
    return exchange;
  }
  if (i.form->name == "SYNCS.ARRIVE.TRANS64") return arrival_handler(i, r);
  if (i.form->name == "SYNCS.PHASECHK.TRANS64") return wait_by_high_word;
  if (has_modifier(i, sass::BarrierCache::WB)) return nullptr;
  return mbarrier_handler(ptx_of(r));
}

}  // namespace heddle::exec
