// The observer of an SM: per-instruction details and timelines. It changes nothing. An SM without
// an observer pays one predictable branch per event.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "mem/cache.h"
#include "sm/issue/latches.h"
#include "sm/policy/warp_scheduler.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

class SmObserver {
 public:
  struct Issued {
    Cycle now;
    WarpSlot warp;
    int scheduler;
    Pc pc;
    const isa::Instruction* instruction;
    LaneMask executed;
    isa::Space space;
    int accesses;      // memory instructions: accesses after coalescing
    bool through_l1d;  // these go to the L1 data cache
  };
  // A scheduler issued nothing in `cycles` cycles from `first` on.
  struct LostSlots {
    Cycle first;
    std::uint64_t cycles;
    int scheduler;
    SlotUse why;
    WarpMask supervised;
    const WarpTable& warps;
    int kernel = 0;  // number of the kernel for which they count
  };
  // The state of the SM in `cycles` cycles from `first` on, after issue.
  struct Passed {
    Cycle first;
    std::uint64_t cycles;
    const WarpTable& warps;
    const LatchSets& latches;
    int schedulers;
    WarpMask vetoed;  // issuable warps of schedulers whose policy picked none
    std::uint32_t l1d_mshrs, l1d_miss_queue;  // in use
  };

  virtual ~SmObserver() = default;
  // kernel: number of the CTA's kernel on the GPU.
  virtual void cta_started(Cycle now, std::uint64_t cta, WarpMask warps, int kernel) = 0;
  virtual void cta_finished(Cycle started, Cycle now, std::uint64_t cta, int kernel) = 0;
  virtual void issued(const Issued& issued) = 0;
  virtual void slots_lost(const LostSlots& lost) = 0;
  virtual void l1d_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                            const mem::Access& access) = 0;  // includes some refused accesses
  virtual void passed(const Passed& passed) = 0;
};

}  // namespace heddle::sm
