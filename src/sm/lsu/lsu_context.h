// What the parts of the load/store unit share: its clock, the instructions whose data are awaited,
// the stores that are not acknowledged, and the listener.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "mem/request.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/op.h"
#include "sm/warp/acting_kernel.h"

namespace heddle::sm {

// Receives what happens to memory instructions.
class LsuListener {
 public:
  virtual ~LsuListener() = default;
  virtual void complete(OpId op) = 0;  // all its data have arrived, or all its accesses are done
  // Its last data are the next to be written (with sm.loose_atomics).
  virtual void answered(OpId op) = 0;
  // The number of the warp's store sectors that are not acknowledged changed by `sectors`.
  virtual void stores_changed(WarpSlot warp, std::int32_t sectors) = 0;
  // An access entered or left the re-execution queue.
  virtual void reexecution_changed() = 0;
  // The L1 data cache answered an access.
  virtual void l1_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                           const mem::Access& access) = 0;
};

// The tag of a store in the L1 data cache, from which its acknowledgement is made.
struct StoreTag {
  std::uint32_t value = 0;
  static StoreTag of(WarpSlot warp, std::uint32_t sectors) {
    return {static_cast<std::uint32_t>(warp.index) | sectors << 8};
  }
  WarpSlot warp() const { return WarpSlot(static_cast<int>(value & 0xff)); }
  std::uint32_t sectors() const { return value >> 8; }
};

struct LsuContext {
  int sm;
  std::uint32_t steps_per_cycle;  // cycles of the unit per cycle of the SM
  OpPool& ops;
  ActingKernel acting;
  LsuListener* listener = nullptr;
  Cycle now{};
  std::uint64_t step = 0;   // now in cycles of the unit, the clock of its caches' ports
  std::int64_t stores = 0;  // sectors that are not acknowledged

  mem::Origin origin_of(const Op& op) const {
    return {{static_cast<std::uint16_t>(sm), op.warp, op.kernel}, op.pc};
  }
  // The last access of the instruction has been sent. Returns whether it has no more.
  static bool pop_access(Op& op, SmStats& stats) {
    op.accesses.pop_back();
    if (!op.accesses.empty()) stats.count_stall(LsuStall::coalesced_accesses);
    return op.accesses.empty();
  }
  void receive_data(OpId id, std::uint32_t accesses) {
    Op& op = ops[id];
    check_invariant(op.pending >= accesses, "data arrived for an instruction that waits for none");
    op.pending -= accesses;
    if (op.pending == 0 && op.dispatched) listener->complete(id);
  }
  void send_store(WarpSlot warp, std::uint32_t sectors) {
    stores += sectors;
    listener->stores_changed(warp, static_cast<std::int32_t>(sectors));
  }
  void acknowledge_store(WarpSlot warp, std::uint32_t sectors) {
    stores -= sectors;
    listener->stores_changed(warp, -static_cast<std::int32_t>(sectors));
  }
};

}  // namespace heddle::sm
