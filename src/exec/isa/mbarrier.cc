#include "exec/isa/mbarrier.h"
#include "exec/isa/decode.h"

#include <algorithm>

#include "exec/fault.h"
#include "exec/isa/memory_access.h"
#include "exec/livelock/livelock_detector.h"
#include "exec/state/pending_atomic.h"

namespace heddle::exec {
namespace {

using ptx::MbarrierOp;
using ptx::Space;

constexpr U32 kMaxArrivals = (1u << 20) - 1;
constexpr std::int32_t kMaxBytes = (1 << 20) - 1;
constexpr U64 kParity = 1;
constexpr U32 kMaxWaitIterations = 16;

struct Barrier {
  U32 pending = 0, expected = 0;
  std::int32_t bytes = 0;
  U64 phase = 0;

  explicit Barrier(U64 word)
      : pending(-static_cast<U32>(word >> 43) & kMaxArrivals),
        expected(-static_cast<U32>(word >> 1) & kMaxArrivals),
        bytes(static_cast<std::int32_t>(static_cast<std::int64_t>(word << 21) >> 42)),
        phase(word >> 63) {}
  U64 word() const {
    return phase << 63 | U64{-pending & kMaxArrivals} << 43 |
           (static_cast<U64>(bytes) & 0x3fffff) << 21 | U64{-expected & kMaxArrivals} << 1;
  }
  void complete_if_done() {
    if (pending == 0 && bytes == 0) pending = expected, phase ^= kParity;
  }
};

// One lane's operation on its mbarrier object.
class Act {
 public:
  Act(Warp& w, const DecodedInstruction& r, int lane, std::uint8_t* place)
      : w_(w), r_(r), lane_(lane), place_(place), barrier_(read()) {}

  U64 old() const { return barrier_.word(); }
  void init(U32 count) {
    if (count == 0 || count > kMaxArrivals)
      fail("an mbarrier is initialized for 1 to 1048575 arrivals, not " + std::to_string(count));
    barrier_ = Barrier{0};
    barrier_.pending = barrier_.expected = count;
  }
  void invalidate() { barrier_ = Barrier{0}; }
  void add_expected(U32 bytes) { add(static_cast<std::int64_t>(bytes)); }
  void arrive(U32 count, bool drop, bool stays_open) {
    if (count == 0 || count > barrier_.pending) {
      fail(std::to_string(count) + " arrivals at an mbarrier whose phase waits for " +
           std::to_string(barrier_.pending) + (barrier_.expected ? "" : ": it is not initialized"));
    }
    if (stays_open && count == barrier_.pending)
      fail("mbarrier.arrive.noComplete would complete the phase");
    barrier_.pending -= count;
    if (drop) barrier_.expected -= count;
    barrier_.complete_if_done();
  }
  void complete_bytes(U32 bytes) {
    add(-static_cast<std::int64_t>(bytes));
    barrier_.complete_if_done();
  }
  // Of a copy whose arrival was not counted in advance.
  void add_arrival() {
    if (barrier_.pending == kMaxArrivals) fail("more than 1048575 arrivals at an mbarrier");
    ++barrier_.pending;
  }
  bool phase_is_over(U64 state, bool parity) const {
    return barrier_.phase != (parity ? state & kParity : Barrier{state}.phase);
  }
  void write() {
    const U64 word = barrier_.word();
    if (w_.machine->detector && word != read().word()) w_.machine->detector->note_change();
    std::memcpy(place_, &word, sizeof word);
  }

 private:
  Barrier read() const {
    U64 word;
    std::memcpy(&word, place_, sizeof word);
    return Barrier{word};
  }
  void add(std::int64_t bytes) {
    const std::int64_t sum = barrier_.bytes + bytes;
    if (sum > kMaxBytes || sum < -kMaxBytes)
      fail("an mbarrier counts up to 1048575 bytes, not " + std::to_string(sum));
    barrier_.bytes = static_cast<std::int32_t>(sum);
  }
  [[noreturn]] void fail(const std::string& what) const { throw_trap(w_, r_, lane_, what); }

  Warp& w_;
  const DecodedInstruction& r_;
  int lane_;
  std::uint8_t* place_;
  Barrier barrier_;
};

U64 operand(const Warp& w, const DecodedInstruction& r, std::size_t lane, U64 absent) {
  const RowSource& s = r.src[1];
  if (!s.present) return absent;
  U64 v = 0;
  std::memcpy(&v, row(w, s) + lane * s.bytes, s.bytes);
  return v;
}

void locate_objects(Warp& w, const DecodedInstruction& r, U32 mask, bool keep_addresses,
                    Located& at) {
  locate(w, r, mask, 8, keep_addresses, at);
  if (at.space != Space::shared)
    throw_trap(w, r, std::countr_zero(mask), "an mbarrier outside of shared memory");
}

void store_pair(Warp& w, const DecodedInstruction& r, const U64* states, U32 mask) {
  alignas(64) U32 halves[2][kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l)
    halves[0][l] = static_cast<U32>(states[l]), halves[1][l] = static_cast<U32>(states[l] >> 32);
  for (U32 n = 0; n < 2; ++n)
    store_lanes<4>(w.bases[0] + r.dst[0] + n * sizeof halves[0], halves[n], mask);
}

// Returns the state before.
U64 change_object(Warp& w, const DecodedInstruction& r, int lane, std::uint8_t* place, U32 given) {
  const auto& [op, expects_bytes, no_complete, by_parity] = ptx_of(r).as<ptx::Mbarrier>();
  Act act(w, r, lane, place);
  const U64 old = act.old();
  switch (op) {
    case MbarrierOp::init: act.init(given); break;
    case MbarrierOp::inval: act.invalidate(); break;
    case MbarrierOp::expect_tx: act.add_expected(given); break;
    case MbarrierOp::complete_tx: act.complete_bytes(given); break;
    default:
      if (expects_bytes) act.add_expected(given);
      act.arrive(expects_bytes ? 1 : given, op == MbarrierOp::arrive_drop, no_complete);
  }
  act.write();
  return old;
}

void change(Warp& w, const DecodedInstruction& r, U32 mask) {
  Located at;
  locate_objects(w, r, mask, false, at);
  alignas(64) U64 states[kWarpSize] = {};
  for (U32 rest = mask & ~at.remote_lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    states[l] = change_object(w, r, lane, at.at(lane), static_cast<U32>(operand(w, r, l, 1)));
  }
  if (at.remote_lanes) [[unlikely]] {
    PendingAtomic& pending = defer_remote_atomic(w, r, at);
    for (std::size_t l = 0; l < kWarpSize; ++l) pending.operands[l] = operand(w, r, l, 1);
  }
  if (r.machine.pair_result)
    store_pair(w, r, states, mask);
  else if (r.dst_bytes[0] == 8)
    store_lanes<8>(w.bases[0] + r.dst[0], states, mask);
}

// A waiting warp yields soon to its lanes that do not wait; in a functional run, at once to other
// warps.
template <bool kHighWord>
void wait(Warp& w, const DecodedInstruction& r, U32 mask) {
  const bool parity = ptx_of(r).as<ptx::Mbarrier>().by_parity;
  Located at;
  locate_objects(w, r, mask, false, at);
  U32 over = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const U64 given = operand(w, r, static_cast<std::size_t>(lane), 0);
    const bool done =
        Act(w, r, lane, at.at(lane)).phase_is_over(kHighWord ? given << 32 : given, parity);
    over |= U32{done} << lane;
  }
  set_predicate(w, r.dst_predicate[0], over, mask);
  if (over == mask) return;
  w.spin_iterations =
      std::max(w.spin_iterations, w.machine->max_spin_iterations -
                                      std::min(w.machine->max_spin_iterations, kMaxWaitIterations));
  if (!w.machine->direct) return;
  w.spins = true;
  if (w.spin_pc == kNoPc) w.spin_pc = w.pc;
}

void pending_count(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto* states = source<U64>(w, r, 0);
  alignas(64) U32 counts[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) counts[l] = Barrier{states[l]}.pending;
  store_lanes<4>(w.bases[0] + r.dst[0], counts, mask);
}

// The bytes are copied when the copy issues; in a timed run the arrival follows when they have
// arrived.
void arrive_after_copies(Warp& w, const DecodedInstruction& r, U32 mask) {
  Located at;
  locate_objects(w, r, mask, true, at);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (ptx_of(r).as<ptx::CopyArrival>().noinc) continue;
    Act act(w, r, lane, at.at(lane));
    act.add_arrival();
    act.write();
  }
  const std::array<U64, kWarpSize> addresses = w.machine->addresses;
  if (!w.machine->direct) {
    defer_atomic(w, r, mask, addresses).operands = {};
    return;
  }
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    arrive_later(w, r, lane, *w.cta, addresses[static_cast<std::size_t>(lane)], 0);
  }
}

}  // namespace

void wait_by_high_word(Warp& w, const DecodedInstruction& r, U32 mask) { wait<true>(w, r, mask); }

void change_remotely(Warp& w, const DecodedInstruction& r, int lane, std::uint8_t* place,
                     U32 given) {
  change_object(w, r, lane, place, given);
}

void arrive_later(Warp& w, const DecodedInstruction& r, int lane, Cta& cta, U64 address,
                  U32 bytes) {
  Act act(w, r, lane, cta.shared.data() + address);
  if (ptx_of(r).opcode == ptx::Opcode::bulk_load)
    act.complete_bytes(bytes);
  else
    act.arrive(1, false, false);
  act.write();
}

Handler mbarrier_handler(const ptx::Instruction& i) {
  if (i.opcode == ptx::Opcode::mbarrier_count) return pending_count;
  if (i.opcode == ptx::Opcode::cp_async_arrive) return arrive_after_copies;
  return i.as<ptx::Mbarrier>().op == MbarrierOp::wait ? wait<false> : change;
}

}  // namespace heddle::exec
