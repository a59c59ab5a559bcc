// The CTAs of an SM and their warps: which wait to start, which are resident, which have finished.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/state/launch.h"
#include "sm/issue.h"
#include "sm/sm.h"
#include "sm/sm_state.h"

namespace heddle::sm {

class CtaSlots {
 public:
  // policies: notified when CTAs and warps start and when CTAs finish.
  CtaSlots(SmState& state, IssueStage& policies) : state_(state), policies_(policies) {}

  // All slots are empty when a kernel begins.
  void begin_kernel(int slots, int warps_per_cta);

  // Slots that are neither occupied nor promised to a queued CTA.
  int free() const {
    return static_cast<int>(slots_.size()) - resident_ - static_cast<int>(queued_.size());
  }
  int resident() const { return resident_; }
  std::vector<Sm::ResidentCta> resident_ctas() const;  // by start
  bool empty() const { return resident_ == 0 && queued_.empty(); }

  // The CTA starts in cycle `at`. CTAs are queued in the order of their start.
  void queue(std::uint64_t linear, Cycle at);
  // When the next queued CTA starts; never() when none is queued.
  Cycle next_start() const { return queued_.empty() ? Cycle::never() : queued_.front().at; }
  void start_next(Cycle now);

  // The warp has ended and nothing of it is in flight. The CTA finishes with its last warp.
  void release_warp(WarpSlot warp, Cycle now);

  // The warps of a paused CTA do not issue. Does nothing when the CTA is not resident. When all
  // resident CTAs are paused the oldest one resumes.
  void set_paused(std::uint64_t linear, bool paused);

  // The linear id of the CTA that a warp belongs to.
  std::uint64_t linear_of(WarpSlot warp) const {
    return slots_[static_cast<std::size_t>(state_.warps[warp].cta)].linear;
  }
  std::vector<Sm::FinishedCta> take_finished() { return std::exchange(finished_, {}); }

  // For the functional execution of the rest of a kernel.
  std::vector<exec::StartedCta> started_ctas() const;
  std::vector<std::uint64_t> queued_ctas() const;
  // For the diagnosis of a hang; see Sm::describe_warps.
  std::vector<std::string> describe_warps(WarpMask livelocked) const;

 private:
  struct Slot {
    std::uint64_t linear = 0;
    Cycle start;
    int warps_left = 0;
    bool resident = false, paused = false;
  };
  struct QueuedCta {
    std::uint64_t linear;
    Cycle at;
  };

  void start_cta(std::uint64_t linear, Cycle now);
  void start_warp(WarpSlot warp, int slot);
  void pause_slot(std::size_t slot, bool paused);
  void resume_oldest_if_all_paused();
  WarpMask warps_of(std::size_t slot) const;
  std::uint64_t issued(int slot) const {
    return state_.counters ? state_.counters->issued(slot) : 0;
  }
  std::string describe_warp(WarpSlot warp, bool livelocked) const;

  SmState& state_;
  IssueStage& policies_;
  std::vector<Slot> slots_;
  std::vector<QueuedCta> queued_;
  std::vector<Sm::FinishedCta> finished_;
  int warps_per_cta_ = 1;
  int resident_ = 0;            // CTAs
  std::uint32_t next_age_ = 0;  // of the next warp that starts
};

}  // namespace heddle::sm
