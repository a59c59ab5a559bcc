// The CTAs of an SM and their warps: which wait to start, which are resident, which have finished.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/state/launch.h"
#include "sm/cta/cta_pauses.h"
#include "sm/cta/reported_cta.h"
#include "sm/stages/sm_state.h"
#include "sm/stages/stages.h"

namespace heddle::sm {

class CtaSlots {
 public:
  CtaSlots(SmState& state, Stages& stages)
      : state_(state), stages_(stages), policies_(stages.policies) {}

  // How many more CTAs of the kernel fit beside those that are resident or queued.
  int room(const KernelContext& kernel) const;
  // The shared memory that the SM is configured with.
  void set_shared_bytes(std::uint64_t bytes) { shared_bytes_ = bytes; }
  std::uint64_t shared_bytes() const { return shared_bytes_; }
  int resident() const { return resident_; }
  std::vector<ResidentCta> resident_ctas(const KernelContext& kernel) const;  // by start
  bool empty() const { return resident_ == 0 && queued_.empty(); }

  // The CTA starts in cycle `at`.
  void queue(KernelContext& kernel, std::uint64_t linear, Cycle at);
  // When the next queued CTA starts; never() when none is queued.
  Cycle next_start() const { return queued_.empty() ? Cycle::never() : queued_.front().at; }
  void start_next(Cycle now);
  // The barrier of the cluster opens for the CTA in cycle `at`.
  void queue_opening(const KernelContext& kernel, std::uint64_t linear, Cycle at);
  Cycle next_opening() const { return openings_.empty() ? Cycle::never() : openings_.front().at; }
  // The slot of the CTA; -1: it has ended.
  int pop_opening();

  // The warp has ended and nothing of it is in flight. The CTA finishes with its last warp.
  void release_warp(WarpSlot warp, Cycle now);

  CtaPauses& pauses() { return pauses_; }

  // A barrier with a result has completed.
  void complete_barrier(int cta, std::uint32_t barrier) const {
    const CtaSlot& slot = slots_[static_cast<std::size_t>(cta)];
    slot.kernel->source->complete_barrier(slot.number, barrier);
  }
  // The linear id of the CTA that a warp belongs to.
  std::uint64_t linear_of(WarpSlot warp) const {
    return slots_[static_cast<std::size_t>(state_.warps[warp].cta)].linear;
  }
  std::vector<FinishedCta> take_finished() { return std::exchange(finished_, {}); }

  // For the functional execution of the rest of a kernel.
  std::vector<exec::StartedCta> started_ctas(const KernelContext& kernel) const;
  std::vector<std::uint64_t> queued_ctas(const KernelContext& kernel) const;
  // For the diagnosis of a hang; see Sm::describe_warps.
  std::vector<std::string> describe_warps(WarpMask livelocked) const;

 private:
  struct QueuedCta {
    KernelContext* kernel;
    std::uint64_t linear;
    Cycle at;
  };

  struct Opening {
    const KernelContext* kernel;
    std::uint64_t linear;
    Cycle at;
  };

  void start_cta(KernelContext& kernel, std::uint64_t linear, Cycle now);
  void start_warp(WarpSlot warp, const CtaSlot& slot, int slot_index, int index);
  WarpMask free_warp_slots(int warps) const;
  void residents_changed();
  std::uint64_t issued(int slot) const {
    return state_.counters ? state_.counters->issued(slot) : 0;
  }
  std::string describe_warp(WarpSlot warp, bool livelocked) const;

  SmState& state_;
  Stages& stages_;
  WarpSchedulers& policies_;
  std::vector<CtaSlot> slots_{kMaxWarpsPerSm};
  CtaPauses pauses_{state_, slots_};
  WarpMask taken_;  // warp slots of the resident CTAs
  std::vector<QueuedCta> queued_;
  std::vector<Opening> openings_;  // by time
  std::vector<FinishedCta> finished_;
  int resident_ = 0;  // CTAs
  std::uint64_t shared_bytes_ = 0;
  std::uint32_t next_age_ = 0;  // of the next warp that starts
};

}  // namespace heddle::sm
