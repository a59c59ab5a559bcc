// The issue stage. In each cycle every scheduler lets its policy pick among the warps that can
// issue, and counts the use of its issue slot.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/latches.h"
#include "sm/issue/lost_slots.h"
#include "sm/issue/observer.h"
#include "sm/issue/operand_collector.h"
#include "sm/issue/slot_statistics.h"
#include "sm/issue/warp_schedulers.h"
#include "sm/policy/mechanisms.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

// Executes the instruction that a scheduler picked. The warp belongs to `scheduler`; the
// instruction takes the latch of `through`, another scheduler only with warp sharing.
class Issuer {
 public:
  virtual ~Issuer() = default;
  virtual void issue(WarpSlot warp, int scheduler, int through, Cycle now) = 0;
};

class IssueStage {
 public:
  IssueStage(int sm, const config::SmSpec& spec, WarpSchedulers& policies, WarpTable& warps,
             LatchSets& latches);

  // One cycle of every scheduler, in rotating order. Which is first advances with the cycles in
  // which this SM has CTAs, over all kernels (decision 075). Returns whether a scheduler issued an
  // instruction or flushed a buffer.
  bool cycle(Cycle now, Issuer& issuer);
  // While the sets of warps are those of the last cycle, in which no scheduler issued or flushed:
  // whether this cycle is its repetition, so that repeat() may count it later. same_units: those
  // that take instructions are the same.
  bool repeats(bool same_units) const {
    return !throttled_ && !sharing_ && (same_units || !waits_for_units_) &&
           warps_.mismatched.none() && !policies_.has_subscriber(Event::cycle) && repeats_alike();
  }
  // Counts `cycles` cycles from `first` on, in which every slot is used as in the last cycle.
  // Without `first` they have passed while repeats_alike() was true, and reach no policy: one may
  // have subscribed to no_issue since.
  void repeat(std::optional<Cycle> first, std::uint64_t cycles);
  // Whether no scheduler has a warp that it can issue or flush, whatever its policy says. Then
  // repeat() counts the slots as they are used from now on. False while a policy may decide
  // something in a slot without an issue.
  bool nothing_can_issue();
  // Whether a scheduler has a ready warp that did not issue in the last cycle. It may do so when a
  // unit takes instructions again.
  bool waits_for_units() const { return waits_for_units_; }
  // When a policy that vetoed wants to pick again; never() when none does.
  Cycle wake_at(Cycle now) const;

  // Warps that could issue in the last cycle, of schedulers whose policy picked none. Warps of
  // paused CTAs are left out.
  WarpMask vetoed() const;

  // Lost slots count for the kernel. several: warps of several kernels are resident, and each slot
  // counts for one of these kernels.
  void count_for(KernelContext& kernel, bool several) {
    lost_slots_.count_for(kernel, several);
    for (Scheduler& s : schedulers_) s.view.several_kernels = several;
  }
  // Whether repeat() needs neither the time of a repeated cycle nor the warps' state in it.
  bool repeats_alike() const;
  bool issued() const { return last_issue_ == cycles_; }  // in the last cycle
  void observe(SmObserver* observer) { observer_ = observer; }
  void share_warps(const WarpSharing& sharing, const OperandCollector& collector) {
    sharing_ = sharing;
    collector_ = &collector;
  }
  int schedulers() const { return static_cast<int>(count_); }

 private:
  struct Scheduler : SchedulerSlot {
    WarpScheduler* policy = nullptr;
    const EventSet* subscribed = nullptr;
    bool is_subscribed(Event e) const { return subscribed->contains(e); }
    WarpSlot issued;            // the warp that issued last
    IssueView view;             // as the policy saw it last
    bool view_current = false;  // the view shows this slot, in which nothing issued
  };
  [[gnu::always_inline]] inline bool cycle(Scheduler& s, Cycle now, Issuer& issuer);
  bool cycle_one(std::size_t scheduler, Cycle now, Issuer& issuer);  // for warp_sharing.cc
  const IssueView& update_view(Scheduler& s, Cycle now, WarpMask ready, WarpMask issuable);
  WarpMask with_free_latch(WarpMask among, int scheduler) const {
    constexpr std::uint32_t kSp = 1u << index(UnitClass::sp), kSfu = 1u << index(UnitClass::sfu);
    const std::uint32_t full = latches_.full(scheduler) & units_;
    WarpMask free = among;
    for (std::uint32_t rest = full; rest; rest &= rest - 1)
      free &= ~warps_.heads(static_cast<std::size_t>(std::countr_zero(rest)));
    if ((full & (kSp | kSfu)) == kSp) free |= among & warps_.heads(kOrSfu);
    return free;
  }
  [[gnu::always_inline]] inline SlotUse use_without_issue(const Scheduler& s,
                                                          WarpMask issuable) const;
  [[gnu::always_inline]] inline void find_lost_use(Scheduler& s, WarpMask issuable) const;
  [[gnu::always_inline]] void count_lost_slots(Scheduler& s, int scheduler, Cycle now,
                                               std::uint64_t cycles) {
    lost_slots_.count(s, cycles);
    if (observer_ || s.is_subscribed(Event::no_issue)) notify_no_issue(s, scheduler, now, cycles);
  }
  void notify_no_issue(Scheduler& s, int scheduler, Cycle now, std::uint64_t cycles);
  void flush(WarpMask warps);
  void count_issued_slot(const Scheduler& s) {
    KernelContext& kernel = *warps_[s.issued].kernel;
    last_issue_ = cycles_;
    if (kernel.last_issue != cycles_) {
      kernel.last_issue = cycles_;
      ++kernel.cycles_with_issue;
    }
    count_slots(kernel.stats, s.last, s.facts, 1);
  }
  void issue_second(WarpSlot warp, UnitClass first, int scheduler, Cycle now, Issuer& issuer);

  // The scheduler that issues first in this cycle. A division takes longer than the rest of a
  // cycle's work for one scheduler.
  std::size_t first_scheduler() const {
    if (!first_rotates_) return 0;
    const std::size_t n = count_;
    return std::has_single_bit(n) ? cycles_ & (n - 1) : cycles_ % n;
  }

  // warp_sharing.cc
  bool cycle_with_sharing(std::size_t first, Cycle now, Issuer& issuer);
  std::uint32_t accepting_schedulers(std::size_t unit) const;
  WarpMask stalled_warps(std::size_t unit, std::uint32_t accepting, Cycle now);
  std::uint32_t issue_shared(std::uint32_t idle, Cycle now, Issuer& issuer);

  int sm_;
  std::uint32_t max_issue_;
  bool different_units_, first_rotates_;
  WarpSchedulers& policies_;
  WarpTable& warps_;
  LatchSets& latches_;
  std::uint32_t units_;  // bit per unit class of this machine
  LostSlots lost_slots_;
  // Cycles of this SM with CTAs, in all kernels; their number when a scheduler issued last.
  std::uint64_t cycles_ = 0, last_issue_ = 0;
  bool throttled_ = false;  // a policy may have vetoed in the last cycle
  bool waits_for_units_ = false;
  std::size_t count_;  // of schedulers
  std::vector<Scheduler> schedulers_;
  std::optional<WarpSharing> sharing_;
  const OperandCollector* collector_ = nullptr;  // with sharing
  WarpMask issued_now_;  // with sharing: the warps that issued in this cycle
  SmObserver* observer_ = nullptr;
};

}  // namespace heddle::sm
