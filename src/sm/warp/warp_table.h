// The state of each warp of an SM, and sets of warps by state. The stages read the sets; every
// change of a warp updates them.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "isa/kernel.h"
#include "sm/warp/instruction_timing.h"
#include "sm/warp/issue_control.h"
#include "sm/warp/kernel_context.h"
#include "sm/warp/scoreboard.h"

namespace heddle::sm {

struct alignas(64) Warp {
  KernelContext* kernel = nullptr;  // of a resident warp
  int cta = -1;                     // CTA slot
  std::uint32_t first_thread = 0;   // number of its first thread among those of its kernel here
  Pc next_pc = kNoPc;               // the next instruction
  Pc fetch_pc = 0;                  // fetched next: the sequential pc, until a flush corrects it
  // The instruction buffer: a ring. A compiler-guided core uses at most 3 places, the other 2.
  static constexpr std::uint8_t kBufferPlaces = 4;
  std::array<Pc, kBufferPlaces> buffer{};
  std::uint8_t buffered = 0, head = 0;
  bool fetching = false;                        // compiler-guided core: a fetch is in flight
  static constexpr std::uint8_t kRefillAt = 1;  // instructions that are left, there
  void append(Pc pc) { buffer[(head + buffered++) % kBufferPlaces] = pc; }
  bool wants_fetch() const {
    return buffered <= kRefillAt && !fetching && fetch_pc < kernel->code_size;
  }
  std::uint32_t in_flight = 0;   // issued instructions not yet completed
  std::uint32_t memory_ops = 0;  // of them, memory instructions
  std::uint32_t stores = 0;      // store sectors that are not acknowledged
  std::uint32_t atomics = 0;
  bool at_barrier = false, at_memory_barrier = false;
  // The cp.async.wait or wgmma.wait_group at which it waits.
  const isa::Instruction* waits_for_copies = nullptr;
  bool at_device_call = false;  // waits for CUDA's device runtime
};

// The sets that decide what schedulers can issue.
struct WarpSets {
  WarpMask ready, valid, waiting, live, paused;
  WarpMask stalled;  // wait for their stall counter only
  friend bool operator==(const WarpSets&, const WarpSets&) = default;
};

struct WarpTable {
  explicit WarpTable(int slots, bool is_guided = false) : guided(is_guided), scoreboard(slots) {}

  // The control words of the code decide when a warp is ready, not the scoreboard.
  const bool guided;

  std::array<Warp, kMaxWarpsPerSm> warps{};
  std::array<std::uint32_t, kMaxWarpsPerSm> age{};
  // By warp slot: among the resident warps, those that are older.
  std::array<WarpMask, kMaxWarpsPerSm> older{};
  std::array<const isa::Instruction*, kMaxWarpsPerSm> head{};
  std::array<int, kMaxWarpsPerSm> kernel{};  // its number among those that run
  Scoreboard scoreboard;
  IssueControl control;  // where guided

  WarpMask resident, live, waiting, valid, ready, reads_loaded;
  WarpMask suspended;   // waiting, not only for an atomic: at a barrier, fence, cp.async.wait or
                        // call of the device runtime
  WarpMask mismatched;  // the buffer is stale: its head is not the next instruction
  WarpMask fetchable;   // live, with an empty buffer and no fetch in flight
  WarpMask done;        // ended, with nothing in flight
  WarpMask paused;      // its CTA is paused: it does not issue

  Warp& operator[](WarpSlot w) { return warps[static_cast<std::size_t>(w.index)]; }
  const Warp& operator[](WarpSlot w) const { return warps[static_cast<std::size_t>(w.index)]; }

  // The warp starts: it is the youngest.
  void set_youngest(WarpSlot w, std::uint32_t its_age) {
    age[static_cast<std::size_t>(w.index)] = its_age;
    for (WarpMask& mask : older) mask.reset(w);
    older[static_cast<std::size_t>(w.index)] = ~WarpMask::only(w);
  }
  // Of `among`, which has resident warps only. `guess` may be any slot or none; a warp that is
  // often the oldest saves time.
  WarpSlot oldest(WarpMask among, WarpSlot guess) const {
    if (among.none()) return WarpSlot::none;
    WarpSlot w = guess && among.test(guess) ? guess : among.lowest();
    for (;;) {
      const WarpMask rest = among & older[static_cast<std::size_t>(w.index)];
      if (rest.none()) return w;
      w = rest.lowest();
    }
  }

  WarpSets sets() const { return {ready, valid, waiting, live, paused, only_stalled()}; }

  Pc head_pc(WarpSlot w) const {
    const Warp& warp = (*this)[w];
    return warp.buffered ? warp.buffer[warp.head] : kNoPc;
  }
  // The head of a valid warp.
  const InstructionTiming& timing_of(WarpSlot w) const {
    return *timing_[static_cast<std::size_t>(w.index)];
  }
  // The valid warps whose head is of the kind.
  WarpMask heads(std::size_t kind) const { return of_kind_[kind] & valid; }
  // The valid warps whose head needs the result of a pending long operation.
  WarpMask waits_for_long() const { return waits_for_long_ & valid & ~ready; }
  // Updates the sets that depend on the buffer's head.
  void refresh(WarpSlot w) {
    const WarpMask one = WarpMask::only(w), others = ~one;
    const Warp& warp = (*this)[w];
    valid &= others;
    ready &= others;
    mismatched &= others;
    head[static_cast<std::size_t>(w.index)] = nullptr;
    const bool lives = (live & one).any();
    if (warp.atomics > 0 && lives)
      waiting.assign(w, suspended.test(w) || !warp.kernel->timing[warp.next_pc].passes_atomics);
    if (warp.buffered && lives)
      refresh_head(w);
    else
      refresh_reads_loaded(w);
  }
  // The same when only the scoreboard has changed. The warp is valid: its head is its next
  // instruction.
  void refresh_ready(WarpSlot w) {
    const InstructionTiming& timing = timing_of(w);
    if (guided) return refresh_ready_guided(w, timing);
    const bool blocked = scoreboard.conflicts(w, timing.registers);
    ready.assign(w, !blocked);
    if (blocked) waits_for_long_.assign(w, scoreboard.conflicts_with_long(w, timing.registers));
    refresh_reads_loaded(w);
  }
  void refresh_reads_loaded(WarpSlot w) {
    if (scoreboard.tracks_loaded()) [[unlikely]]
      find_reads_loaded(w);
  }
  // Of a compiler-guided core: the warps that wait for their stall counter only.
  WarpMask only_stalled() const { return valid & control.stalled() & ~control.waiting(); }
  void refresh_waiting(WarpSlot w) {
    const Warp& warp = (*this)[w];
    const bool at_wait =
        warp.at_barrier || warp.at_memory_barrier || warp.waits_for_copies || warp.at_device_call;
    suspended.assign(w, at_wait);
    waiting.assign(w, at_wait);
    refresh(w);
  }
  void refresh_done(WarpSlot w) {
    const Warp& warp = (*this)[w];
    if (!live.test(w) && warp.in_flight == 0 && warp.stores == 0) done.set(w);
  }
  void flush(WarpSlot w) {
    Warp& warp = (*this)[w];
    warp.buffered = 0;
    warp.fetch_pc = warp.next_pc;
    if (live.test(w) && !warp.fetching) fetchable.set(w);
    refresh(w);
  }

 private:
  void refresh_head(WarpSlot w);
  void find_reads_loaded(WarpSlot w);
  void refresh_ready_guided(WarpSlot w, const InstructionTiming& timing) {
    const WarpMask one = WarpMask::only(w), others = ~one;
    ready &= others;
    waits_for_long_ &= others;
    if (!control.update_waits(w, timing.control))
      ready |= one & ~control.stalled();
    else if (scoreboard.conflicts_with_long(w, timing.registers))
      waits_for_long_ |= one;
    refresh_reads_loaded(w);
  }

  // Of the heads that were valid last, by warp slot and by kind.
  std::array<const InstructionTiming*, kMaxWarpsPerSm> timing_{};
  std::array<std::uint16_t, kMaxWarpsPerSm> kinds_{};
  std::array<WarpMask, kHeadKinds> of_kind_{};
  WarpMask waits_for_long_;  // of the valid warps that are not ready
};

// Of a compiler-guided core, once per cycle before the issue.
inline void advance_control(WarpTable& warps, Cycle now) {
  const IssueControl::Changes changes = warps.control.advance(now);
  (changes.raised & warps.valid).for_each([&](WarpSlot w) { warps.refresh_ready(w); });
  warps.ready |= changes.released & warps.valid & ~warps.control.waiting();
}

// Those of `among` that wait at a barrier.
inline WarpMask at_barrier(const WarpTable& warps, WarpMask among) {
  WarpMask found;
  among.for_each([&](WarpSlot w) { found.assign(w, warps[w].at_barrier); });
  return found;
}

}  // namespace heddle::sm
