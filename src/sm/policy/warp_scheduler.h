// The interface of warp schedulers: what a policy sees (IssueView), the events that it can
// subscribe to, and the questions that the SM asks it. One policy object serves one hardware
// scheduler of one SM. Guide: docs/write-a-scheduler.md.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/launch_analysis.h"
#include "base/types.h"
#include "isa/kernel.h"
#include "sm/policy/policy_report.h"
#include "sm/policy/slot_use.h"

namespace heddle::sm {

// The state that a pick may read. All masks but sm_live and sm_at_barrier cover the warps of this
// scheduler only. The SM keeps the masks up to date, so reading them costs nothing.
struct IssueView {
  Cycle now;
  int sm = 0;           // number of the SM
  int scheduler = 0;    // number of the scheduler in its SM
  int schedulers = 1;   // schedulers of the SM
  WarpMask supervised;  // slots of this scheduler: slot i belongs to scheduler i mod schedulers
  WarpMask live;        // launched and not finished
  // live, and at a barrier or fence, or waits for an atomic or for copies, or its CTA is paused
  WarpMask waiting;
  WarpMask valid;         // the instruction buffer holds an instruction: its head
  WarpMask ready;         // valid, and the head has no scoreboard hazard
  WarpMask issuable;      // ready, and a latch of the head's unit is free: the candidates
  WarpMask head_is_load;  // the head is a global or local load
  WarpMask head_is_long;  // the head is a load, store or atomic of global, local or texture memory
  WarpMask waits_for_long;  // valid, and the head needs the result of a pending long operation
  // the head, also that of a stale buffer, reads, other than as its address or guard, a register
  // that a long load wrote last (Scoreboard::reads_loaded); empty unless a policy requests it
  // (Mechanisms::track_loaded_registers)
  WarpMask reads_loaded;
  WarpMask sm_live;        // live warps of the whole SM
  WarpMask sm_at_barrier;  // of sm_live, those at a barrier or fence, or of a paused CTA
  std::span<const std::uint32_t> age;  // by slot: launch number on this SM; smaller is older
  std::span<const isa::Instruction* const> head;  // by slot: the head, or null
  std::span<const int> kernel;   // by slot: the number of the warp's kernel among those that run
  bool several_kernels = false;  // warps of several kernels are resident on the SM
  WarpMask sm_resident;          // warps of CTAs on the SM, live or not

  int kernel_of(WarpSlot warp) const {
    return kernel.empty() ? 0 : kernel[static_cast<std::size_t>(warp.index)];
  }

  // The oldest warp of `among`; none when it is empty.
  WarpSlot oldest(WarpMask among) const {
    WarpSlot best;
    std::uint32_t best_age = ~0u;
    among.for_each([&](WarpSlot w) {
      if (age[w.index] < best_age) {
        best_age = age[w.index];
        best = w;
      }
    });
    return best;
  }
  // Answers for WarpScheduler::visited_before(): the warps of `among` that an order examines before
  // `chosen`. older(): an order by age.
  WarpMask older(WarpMask among, WarpSlot chosen) const {
    WarpMask found;
    among.for_each([&](WarpSlot w) {
      if (age[w.index] < age[chosen.index]) found.set(w);
    });
    return found;
  }
  // A greedy order: the greedy warp, then by age.
  WarpMask older_or_greedy(WarpMask among, WarpSlot greedy, WarpSlot chosen) const {
    if (chosen == greedy) return {};
    WarpMask found = older(among, chosen);
    if (among.test(greedy)) found.set(greedy);
    return found;
  }
  // Round robin that starts with the slot after `last`.
  static WarpMask between(WarpMask among, WarpSlot last, WarpSlot chosen) {
    const WarpMask after_last = ~WarpMask::first(last.index + 1),
                   before_chosen = WarpMask::first(chosen.index);
    return among &
           (chosen.index > last.index ? after_last & before_chosen : after_last | before_chosen);
  }
};

class Mechanisms;  // mechanisms.h

// The events that a policy can subscribe to. An event without subscriber costs one predictable
// branch. Events of one warp are sent to that warp's scheduler. Events of the SM (cta, kernel,
// l1_evict, l1_pressure, cycle) are sent to every scheduler that subscribed.
enum class Event : std::uint32_t {
  issue = 1u << 0,        // a warp issued
  no_issue = 1u << 1,     // a slot passed without an issue
  coalesced = 1u << 2,    // a memory instruction's accesses are known
  l1_access = 1u << 3,    // the L1 data cache answered an access
  l1_evict = 1u << 4,     // the L1 data cache evicted a line
  l1_pressure = 1u << 5,  // the number of free MSHRs or miss queue entries changed
  branch = 1u << 6,       // a warp executed a branch
  loop = 1u << 7,         // a warp began an iteration of a loop or left the loop
  barrier = 1u << 8,      // a warp reached a barrier or was released
  warp = 1u << 9,         // a warp was launched or ended
  cta = 1u << 10,         // a CTA was launched or ended
  kernel = 1u << 11,      // a kernel's start, last dispatch and end
  cycle = 1u << 12,       // every cycle, before the picks
  l2_reuse = 1u << 13     // a reply reports reuse in the L2
};

// Event::issue is the set of this event, Event::issue | Event::warp that of two, {} the empty one.
class EventSet {
 public:
  constexpr EventSet() = default;
  constexpr EventSet(Event event) : bits_(static_cast<std::uint32_t>(event)) {}
  constexpr bool contains(Event event) const { return (bits_ & EventSet(event).bits_) != 0; }
  constexpr void set(Event event, bool member) {
    bits_ = member ? bits_ | EventSet(event).bits_ : bits_ & ~EventSet(event).bits_;
  }
  constexpr EventSet& operator|=(EventSet other) {
    bits_ |= other.bits_;
    return *this;
  }
  friend constexpr bool operator==(EventSet, EventSet) = default;

 private:
  std::uint32_t bits_ = 0;
};
constexpr EventSet operator|(EventSet a, EventSet b) { return a |= b; }
constexpr EventSet operator|(Event a, Event b) { return EventSet(a) | EventSet(b); }

enum class L1Outcome : std::uint8_t { hit, hit_reserved, miss, reservation_fail };

// A warp issued an instruction. Sent after the instruction was executed functionally.
struct Issue {
  Cycle now;
  WarpSlot warp;
  const isa::Instruction* instruction;
  Pc pc;
  LaneMask active;  // lanes that executed it
  int kernel = 0;   // number of its kernel on the GPU
};
// A scheduler issued nothing in `cycles` cycles, counted from `first`. Cycles that the simulator
// skips because nothing can happen in them are reported in one event.
struct NoIssue {
  Cycle first;
  std::uint64_t cycles;
  SlotUse reason;
  const IssueView& view;  // what pick() saw or would have seen in these cycles
};
// The load/store unit accepted an instruction that accesses global, local or texture memory.
struct Coalesced {
  WarpSlot warp;
  Pc pc;
  bool load;
  int accesses;  // number of accesses after coalescing
  int lanes;     // lanes that executed it
  bool cached;   // its accesses go through the L1 data cache
};
// The L1 data cache answered an access. A refused access is retried every cycle; a retry sends
// another event only when the state of the cache has changed in between.
struct L1Access {
  WarpSlot warp;
  Pc pc;
  LineAddress line;
  bool load;
  L1Outcome outcome;
  WarpSlot owner;  // of a hit or pending hit: the warp that brought the line in
  bool local;      // local memory
  Cycle now;
  int kernel = 0;  // number of the warp's kernel on the GPU
};
// The L1 data cache evicted a line. Sent before the event of the access that displaced it.
struct L1Evict {
  LineAddress line;
  WarpSlot owner;  // the slot of the warp that brought the line in, or none
  Pc owner_pc;     // the instruction that brought it in
};
// A reply arrived whose read hit a line in the L2 that the same warp (`own`) or another SM had
// brought in, or missed such a line that the L2 had evicted recently (`lost`).
struct L2Reuse {
  WarpSlot warp;
  bool own;
  Cycle now;
  int kernel = 0;  // number of the warp's kernel on the GPU
  bool lost = false;
};
// Free entries of the L1 data cache. Sent when one of the two numbers has changed, before the picks
// of the cycle.
struct L1Pressure {
  int mshr_free;
  int miss_queue_free;
  Cycle now{};
};
struct Branch {
  WarpSlot warp;
  Pc pc;
  LaneMask taken, fell_through;
  Pc reconvergence, target;  // reconvergence: kNoPc when there is none before the kernel's end
};
// begin: the loop's header issued, once per iteration. Otherwise the warp left the loop.
struct LoopEvent {
  WarpSlot warp;
  std::uint16_t loop;  // index in Kernel::loops
  LaneMask active;
  bool begin;
};
// enter: the warp reached a CTA barrier. Otherwise the barrier released it.
struct BarrierEvent {
  WarpSlot warp;
  bool enter;
};
// launch: the warp started in its slot. Otherwise it ended; another warp may get the slot.
struct WarpEvent {
  WarpSlot warp;
  std::uint32_t age;  // launch number on this SM
  std::uint64_t cta;  // linear number of its CTA in the grid
  bool launch;
  Cycle now;
  int kernel = 0;  // number of its kernel on the GPU
};
// launch: sent before the WarpEvents of the CTA's warps. Otherwise the CTA's last warp has ended
// and all its results have arrived.
struct CtaEvent {
  std::uint64_t cta;  // linear number in the grid
  int warps;
  bool launch;
  int kernel = 0;  // number of its kernel on the GPU
};
// last_cta_dispatched is sent to all SMs at the start of the window in which the last CTA starts.
struct KernelEvent {
  enum class What : std::uint8_t { start, last_cta_dispatched, end } what;
  const isa::Kernel* kernel;
  Cycle now{};
  // Of a start:
  Dim3 grid{}, block{};
  analysis::LaunchAnalysis* analysis = nullptr;  // null in unit tests that need none
  // Along which the CTA scheduler places neighbouring CTAs on one SM.
  analysis::Direction cta_direction = analysis::Direction::none;
  // Number on the GPU: 0 while one kernel runs at a time. Kernels that run at once have different
  // numbers.
  int number = 0;
};

// Receives events. Warp schedulers and their parts (limiters, orders) are listeners.
class PolicyListener {
 public:
  virtual ~PolicyListener() = default;

  // The events that it wants. The SM reads the set once, when it is built. Only the subscription to
  // no_issue may change later: the SM reads it again when a warp ends, when a kernel starts or
  // ends, and after an on_l1_pressure() that returned true.
  virtual EventSet subscribed_events() const { return Event::issue; }
  // Called once, before the first cycle. Here a policy requests the mechanisms that it needs.
  virtual void attach(Mechanisms&) {}
  virtual void on_issue(const Issue&) {}
  virtual void on_no_issue(const NoIssue&) {}
  virtual void on_coalesced(const Coalesced&) {}
  virtual void on_l1_access(const L1Access&) {}
  virtual void on_l1_evict(const L1Evict&) {}
  virtual void on_l2_reuse(const L2Reuse&) {}
  // Returns whether the change may alter its next pick, veto or subscription.
  virtual bool on_l1_pressure(const L1Pressure&) { return false; }
  virtual void on_branch(const Branch&) {}
  virtual void on_loop(const LoopEvent&) {}
  virtual void on_barrier(const BarrierEvent&) {}
  virtual void on_warp(const WarpEvent&) {}
  virtual void on_cta(const CtaEvent&) {}
  virtual void on_kernel(const KernelEvent&) {}
  virtual void on_cycle(Cycle) {}
  // Asked only after a veto: the first cycle, `now` or later, in which pick() may issue although no
  // warp of this scheduler changed its state. The SM skips the cycles before it. Policies whose
  // vetoes end with time (decaying scores) or with state that L1 events or other schedulers change
  // override it; `now` is always safe, and slow.
  virtual Cycle wake_at(Cycle now) const {
    (void)now;
    return Cycle::never();
  }
  // Adds its statistics to the report (policy_report.h). Called before and after each kernel and
  // for each row of --interval.
  virtual void report_statistics(PolicyReport& report, Cycle now) const { (void)report, (void)now; }
};

class WarpScheduler : public PolicyListener {
 public:
  // The warp that issues in this cycle: a member of view.issuable, or none. Called only when
  // view.issuable has members; returning none is then a veto, and the slot counts as throttled.
  virtual WarpSlot pick(const IssueView& view) = 0;
  // The members of `among` that the order examined before `chosen`, the warp just picked. A
  // scheduler detects that a branch has made a warp's instruction buffer stale when it examines
  // that warp; the SM flushes the buffers of the warps returned. By default all are examined.
  virtual WarpMask visited_before(const IssueView& view, WarpMask among, WarpSlot chosen) const {
    (void)view, (void)chosen;
    return among;
  }
  // The members of `among` that the order examined in a cycle without an issue.
  virtual WarpMask visited_without_issue(WarpMask among) { return among; }
  // On GPUs that issue twice per slot: whether the warp that has just issued may issue
  // `instruction`, its next one, in the same cycle.
  virtual bool may_issue_second(WarpSlot warp, const isa::Instruction& instruction) {
    (void)warp, (void)instruction;
    return true;
  }
  // With warp sharing (mechanisms.h): the members of view.issuable that may issue through another
  // scheduler. Here view.issuable holds the stalled warps.
  virtual WarpMask shareable(const IssueView& view) { return view.issuable; }
  // true: another policy picks in place of this one until the next call with false. The policy
  // switches off the effects of its own mechanisms meanwhile.
  virtual void set_suspended(bool) {}
};

}  // namespace heddle::sm
