// The time slices of a functional run: pure functions of what a warp has executed.
//
// The warps of a CTA run in turn for time slices that are short compared with what they have
// executed since the last barrier. So they stay close together, as on a GPU, and a value that one
// warp reads before another overwrites it is read in time even where a barrier is missing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/types.h"

namespace heddle::exec {

inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};
// Warp instructions. Time slices are kFirstSlice long until the warp has executed kFirstSlices
// since the barrier, then a fixed fraction of what it has executed.
inline constexpr std::uint64_t kFirstSlice = 16, kFirstSlices = 256, kMinSlice = 64,
                               kSliceFraction = 64;
// The longest time between two checks for a stop request, and while a warp is observed.
inline constexpr std::uint64_t kMaxSlice = std::uint64_t{1} << 18,
                               kObservedSlice = std::uint64_t{1} << 16;
// A warp that reaches a store to shared memory so many instructions after the last barrier waits
// for the other warps: values that they still read must not change (a loop that refills a tile
// without a barrier at its end).
inline constexpr std::uint64_t kStoreDelayAfter = 256;
// The minimum length of that wait, in instructions of the other warps.
inline constexpr std::uint64_t kMinStoreDelay = 4096;

// Of a warp, since the last barrier that released it.
struct SliceProgress {
  std::uint64_t instructions = 0;
  std::uint64_t delay_stores_after = kStoreDelayAfter;  // instructions
  Pc spin_pc = kNoPc;          // the loop in which its last time slice ended
  bool repeats_state = false;  // its last time slice ended because it repeated a state
};

// What else decides about a time slice.
struct SliceConditions {
  bool observed = false;       // by a livelock detector
  bool other_warps = false;    // other warps of the CTA are live
  bool spins = false;          // the warp is in the loop in which its last time slice ended
  bool shared_stores = false;  // the kernel stores to shared memory
};

struct TimeSlice {
  std::uint64_t instructions = 0;
  bool yields = false;  // afterwards the next warp runs; else this one continues after a check
  std::uint64_t delay_stores_after = kUnlimited;  // instructions of this slice
};

inline std::uint64_t slice_length(std::uint64_t executed) {
  return executed < kFirstSlices ? kFirstSlice : std::max(kMinSlice, executed / kSliceFraction);
}

inline TimeSlice next_slice(const SliceProgress& progress, const SliceConditions& now) {
  const std::uint64_t length = slice_length(progress.instructions);
  const bool alternates = now.other_warps && !now.observed;
  TimeSlice slice;
  slice.yields = alternates && length < kMaxSlice && !now.spins;
  slice.instructions = now.observed ? kObservedSlice : slice.yields ? length : kMaxSlice;
  if (alternates && now.shared_stores &&
      progress.instructions + slice.instructions >= progress.delay_stores_after)
    slice.delay_stores_after =
        progress.delay_stores_after - std::min(progress.delay_stores_after, progress.instructions);
  return slice;
}

// The value of SliceProgress::delay_stores_after when a store has been delayed.
inline std::uint64_t next_store_delay(std::uint64_t executed) {
  return executed + std::max(kStoreDelayAfter, executed / kSliceFraction);
}

// Is a delay over after which all warps of the CTA together have executed `since_delay`?
// most_executed: by one of the delayed warps since the barrier.
inline bool store_delay_is_over(std::uint64_t since_delay, std::uint64_t most_executed,
                                std::uint64_t live_warps) {
  return since_delay >= std::max(kMinStoreDelay, most_executed) * live_warps;
}

}  // namespace heddle::exec
