// When a warp of a compiler-guided core may issue: its stall counter and its six dependence
// counters (isa/control_word.h). Huerta et al., MICRO 2025, section 4.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/diagnostics.h"
#include "base/types.h"
#include "isa/control_word.h"

namespace heddle::sm {

class IssueControl {
  template <class Array>
  static auto& at(Array& array, WarpSlot w) {
    return array[static_cast<std::size_t>(w.index)];
  }

 public:
  static constexpr std::uint64_t kHighest = 63;  // of a counter
  static constexpr std::uint64_t kRaise = 2;     // cycles from the issue to the rise of a counter

  // Cycles for which a warp yields that does not stall.
  static constexpr std::uint32_t kYieldCycles = 46;
  // From the issue of an instruction to the warp's next one at the earliest.
  static std::uint32_t cycles_to_next(const isa::ControlWord& c) {
    const std::uint32_t stall = std::max<std::uint32_t>(1, c.stall_cycles);
    if (!c.yield) [[likely]]
      return stall;
    return c.stall_cycles == 0 ? kYieldCycles : std::max(2u, stall);
  }

  void start(WarpSlot w) {
    if (stalled_.test(w))
      for (WarpMask& ends : ends_) ends.reset(w);
    stalled_.reset(w);
    at(counters_, w) = 0;
  }
  bool stalled(WarpSlot w) const { return stalled_.test(w); }
  WarpMask stalled() const { return stalled_; }
  // Whether the counters forbid the instruction.
  bool waits(WarpSlot w, const isa::ControlWord& c) const {
    const std::uint64_t counters = at(counters_, w);
    if (counters == 0) [[likely]]
      return false;
    if (counters & kBytes[c.wait_mask]) return true;
    const auto counter = [&](std::uint8_t k) {
      return k == isa::ControlWord::kNone ? 0 : counters >> (8 * k) & 0xff;
    };
    if (c.threshold_counter != isa::ControlWord::kNone) [[unlikely]]
      if (counter(c.threshold_counter) > c.threshold) return true;
    // With one more the highest have bit 6.
    if (const std::uint64_t next = counters + kBytes[kAll] / 0xff; next & kBytes[kAll] / 0xff << 6)
        [[unlikely]]
      return counter(c.write_barrier) == kHighest || counter(c.read_barrier) == kHighest;
    return false;
  }

  // The same of the warp's next instruction, kept for waiting().
  bool update_waits(WarpSlot w, const isa::ControlWord& c) {
    const bool waits_now = waits(w, c);
    waiting_.assign(w, waits_now);
    return waits_now;
  }
  // Of the warps with a next instruction.
  WarpMask waiting() const { return waiting_; }

  void issue(WarpSlot w, const isa::ControlWord& c, Cycle now) {
    if (c.stall_cycles > 1 || c.yield) {
      const Cycle end = now + cycles_to_next(c);
      stalled_.set(w);
      ends_[place(end)].set(w);
      changes_ |= bit(end);
    }
    if (!c.has_counters()) return;
    Raises& raises = raises_[(now + kRaise).value % kRaises];
    raises.warps.set(w);
    at(raises.add, w) = one(c.write_barrier) + one(c.read_barrier);
    changes_ |= bit(now + kRaise);
  }
  // The result of an instruction was written, or its sources were read.
  void lower(WarpSlot w, std::uint8_t counter) {
    if (counter == isa::ControlWord::kNone) return;
    check_invariant((at(counters_, w) >> (8 * counter) & 0xff) > 0,
                    "a dependence counter was lowered below 0");
    at(counters_, w) -= one(counter);
  }
  struct Changes {
    WarpMask raised;    // a counter of theirs was raised
    WarpMask released;  // their stall has ended
  };
  // Before the issue of the cycle: stalls end; the counters of an instruction are raised so late
  // that the next cycle's instruction does not see it. Must be called in the cycles in which
  // something changes.
  Changes advance(Cycle now) {
    if ((changes_ & bit(now)) == 0) return {};
    changes_ &= ~bit(now);
    const WarpMask released = std::exchange(ends_[place(now)], {});
    stalled_ &= ~released;
    return {raise(raises_[now.value % kRaises]), released};
  }
  // The first cycle >= from in which advance() changes something; never() when none is known.
  Cycle next_change(Cycle from) const {
    if (changes_ == 0) return Cycle::never();
    const int shift = static_cast<int>(place(from));
    return from + static_cast<std::uint64_t>(std::countr_zero(std::rotr(changes_, shift)));
  }

 private:
  static constexpr std::size_t kAll = (1 << isa::kDependenceCounters) - 1;
  static constexpr std::size_t kWheel = 64;
  static constexpr std::size_t kRaises = 4;
  static std::size_t place(Cycle cycle) { return cycle.value % kWheel; }
  static std::uint64_t bit(Cycle cycle) { return std::uint64_t{1} << place(cycle); }
  using Counters = std::array<std::uint64_t, kMaxWarpsPerSm>;  // a byte per counter
  struct Raises {
    WarpMask warps;
    Counters add{};
  };
  static constexpr std::uint64_t one(std::uint8_t counter) {
    return std::uint64_t{1} << (8 * counter) & kBytes[kAll];  // 0: none
  }
  static constexpr auto kBytes = [] {
    std::array<std::uint64_t, 1 << isa::kDependenceCounters> bytes{};
    for (std::size_t mask = 0; mask < bytes.size(); ++mask)
      for (int k = 0; k < isa::kDependenceCounters; ++k)
        if (mask >> k & 1) bytes[mask] |= std::uint64_t{0xff} << (8 * k);
    return bytes;
  }();
  WarpMask raise(Raises& raises) {
    raises.warps.for_each([&](WarpSlot w) { at(counters_, w) += at(raises.add, w); });
    return std::exchange(raises.warps, {});
  }

  Counters counters_{};
  WarpMask stalled_, waiting_;
  std::array<WarpMask, kWheel> ends_{};  // by cycle: those whose stall ends
  std::array<Raises, kRaises> raises_;   // by cycle
  std::uint64_t changes_ = 0;            // a bit for each cycle that has an end or a raise
};

}  // namespace heddle::sm
