// What a CTA scheduler asks an SM to count: the warp instructions of each CTA, and the states of
// warps and cycles. An SM of which nothing is asked has no CtaCounters.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "base/types.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

struct CtaCounting {
  bool issues = false;  // warp instructions per CTA
  bool states = false;  // WarpStates
};

// Sums over cycles with a resident CTA. A paused warp has none of the states.
struct WarpStates {
  std::uint64_t cycles = 0;
  std::uint64_t idle_cycles = 0;    // no warp had an instruction, and none waited for memory
  std::uint64_t memory_cycles = 0;  // nothing issued; all warps not at a CTA barrier waited for it
  std::uint64_t active_warps = 0;   // not finished
  std::uint64_t waiting_warps = 0;  // the instruction waited for a register
  // The instruction was ready and did not issue; it was one of the load/store unit, or another.
  std::uint64_t excess_memory_warps = 0, excess_alu_warps = 0;
};

class CtaCounters {
 public:
  explicit CtaCounters(const CtaCounting& wanted) : wanted_(wanted) {}

  void start_cta(int slot) { issued_[static_cast<std::size_t>(slot)] = 0; }
  void count_issue(WarpSlot warp, int slot) {
    ++issued_[static_cast<std::size_t>(slot)];
    issued_now_.set(warp);
  }
  std::uint64_t issued(int slot) const { return issued_[static_cast<std::size_t>(slot)]; }

  // Around the picks of a cycle that is simulated.
  void begin_issue(const WarpTable& warps) {
    if (!wanted_.states) return;
    issued_now_ = {};
    read(warps);
  }
  void end_issue(const WarpTable& warps) {
    if (!wanted_.states) return;
    count_warps(1);
    if (issued_now_.none()) count_lost_cycles(warps, 1);
  }
  // `cycles` cycles in which nothing issues and no warp changes its state.
  void count_repeated(const WarpTable& warps, std::uint64_t cycles) {
    if (!wanted_.states) return;
    issued_now_ = {};
    read(warps);
    count_warps(cycles);
    count_lost_cycles(warps, cycles);
  }
  // The counts since the last call.
  WarpStates take_states() { return std::exchange(states_, {}); }

 private:
  void read(const WarpTable& warps) {
    active_ = warps.live & ~warps.paused;
    waiting_ = warps.valid & ~warps.ready & active_;
    ready_ = warps.ready & active_;
    memory_heads_ = warps.heads(static_cast<std::size_t>(index(UnitClass::mem)));
  }
  void count_warps(std::uint64_t cycles) {
    const auto add = [cycles](std::uint64_t& sum, WarpMask members) {
      sum += cycles * static_cast<std::uint64_t>(members.count());
    };
    const WarpMask excess = ready_ & ~issued_now_;
    states_.cycles += cycles;
    add(states_.active_warps, active_);
    add(states_.waiting_warps, waiting_);
    if (excess.none()) return;
    add(states_.excess_memory_warps, excess & memory_heads_);
    add(states_.excess_alu_warps, excess & ~memory_heads_);
  }
  // Cycles in which nothing issued.
  void count_lost_cycles(const WarpTable& warps, std::uint64_t cycles);
  bool memory_blocks_all(const WarpTable& warps) const;

  const CtaCounting wanted_;
  std::array<std::uint64_t, kMaxWarpsPerSm> issued_{};  // by CTA slot
  WarpMask issued_now_;
  WarpMask active_, waiting_, ready_, memory_heads_;  // as the schedulers find them
  WarpStates states_;
};

}  // namespace heddle::sm
