// Reports what happens in the memory stages to the policies that subscribed to it.
#pragma once

#include "base/types.h"
#include "mem/cache.h"
#include "mem/packet.h"
#include "sm/cycle/quiescence.h"
#include "sm/stages/sm_state.h"
#include "sm/stages/stages.h"

namespace heddle::sm {

class PolicyEvents final : public mem::CacheListener {
 public:
  PolicyEvents(SmState& state, Stages& stages, Quiescence& quiescence);

  // An instruction enters the load/store unit with its coalesced accesses.
  void notify_coalesced(const Op& op);
  void notify_l1_access(WarpSlot warp, Pc pc, Address address, bool load,
                        const mem::Access& access);
  // Does nothing while the free MSHRs and the room in the miss queue are as at the last call.
  void notify_l1_pressure(Cycle now) {
    if (stages_.policies.has_subscriber(Event::l1_pressure)) report_l1_pressure(now);
  }
  void notify_l2_reuse(const mem::Packet& reply, Cycle now);
  void on_eviction(const mem::Eviction& eviction) override;

 private:
  void report_l1_pressure(Cycle now);

  SmState& state_;
  Stages& stages_;
  Quiescence& quiescence_;
  L1Pressure reported_{-1, -1};
};

}  // namespace heddle::sm
