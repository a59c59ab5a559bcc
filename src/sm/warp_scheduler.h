// What a warp scheduler is. One object serves one hardware scheduler of one SM; it is asked only
// when some warp could issue, picks one or none, and learns what happened through the events that
// it subscribed to.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"
#include "ptx/kernel.h"
#include "sm/policy_report.h"
#include "sm/slot_use.h"

namespace heddle::sm {

// What a pick may look at: this scheduler's warps only. Masks are kept up to date by events, so
// reading them is free.
struct IssueView {
  Cycle now;
  int sm = 0, scheduler = 0, schedulers = 1;
  WarpMask supervised;    // slots of this scheduler (slot i belongs to scheduler i mod schedulers)
  WarpMask live;          // launched and not finished
  WarpMask waiting;       // live but at a barrier, memory barrier or with an atomic outstanding
  WarpMask valid;         // an instruction heads the buffer
  WarpMask ready;         // valid and no scoreboard conflict
  WarpMask issuable;      // ready and the unit's latch is free: the candidates
  WarpMask head_is_load;  // head is a global or local load (what CCWS and DAWS veto)
  WarpMask head_is_long;  // head is a long operation by opcode (LFWS)
  WarpMask waits_for_long;  // valid, blocked by a register whose pending writer is a long operation
  WarpMask sm_live,
      sm_at_barrier;  // of all the SM's warps: live; live and at a barrier or memory barrier
  std::span<const std::uint32_t> age;  // by slot: per-SM launch number (dyn_id); smaller = older
  std::span<const ptx::Instruction* const> head;  // by slot: buffer head, or null

  // The member of `among` with the smallest launch number; none when empty.
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
  // What orders come to before `chosen`: by age; greedily, then by age; in a round that begins
  // behind `last`.
  WarpMask older(WarpMask among, WarpSlot chosen) const {
    WarpMask found;
    among.for_each([&](WarpSlot w) {
      if (age[w.index] < age[chosen.index]) found.set(w);
    });
    return found;
  }
  WarpMask older_or_greedy(WarpMask among, WarpSlot greedy, WarpSlot chosen) const {
    if (chosen == greedy) return {};
    WarpMask found = older(among, chosen);
    if (among.test(greedy)) found.set(greedy);
    return found;
  }
  static WarpMask between(WarpMask among, WarpSlot last, WarpSlot chosen) {
    const WarpMask behind_last = ~WarpMask::first(last.index + 1),
                   before_chosen = WarpMask::first(chosen.index);
    return among &
           (chosen.index > last.index ? behind_last & before_chosen : behind_last | before_chosen);
  }
};

class Mechanisms;  // mechanisms.h

// Events beyond issue. A policy names those it wants; the others cost one predictable branch.
enum class Event : std::uint32_t {
  issue = 1u << 0,
  no_issue = 1u << 1,
  coalesced = 1u << 2,
  l1_access = 1u << 3,
  l1_evict = 1u << 4,
  l1_pressure = 1u << 5,
  branch = 1u << 6,
  loop = 1u << 7,
  barrier = 1u << 8,
  warp = 1u << 9,
  cta = 1u << 10,
  kernel = 1u << 11,
  cycle = 1u << 12,
  l2_reuse = 1u << 13
};
using EventSet = std::uint32_t;
constexpr EventSet operator|(Event a, Event b) {
  return static_cast<EventSet>(a) | static_cast<EventSet>(b);
}
constexpr EventSet operator|(EventSet a, Event b) { return a | static_cast<EventSet>(b); }

enum class L1Outcome : std::uint8_t { hit, hit_reserved, miss, reservation_fail };

struct Issue {
  Cycle now;
  WarpSlot warp;
  const ptx::Instruction* instruction;
  Pc pc;
  LaneMask active;
};
// `cycles` cycles from `first` on, skipped ones included; `view` is what a pick in them saw or
// would have seen.
struct NoIssue {
  Cycle first;
  std::uint64_t cycles;
  SlotUse reason;
  const IssueView& view;
};
struct Coalesced {
  WarpSlot warp;
  Pc pc;
  bool load;
  int accesses;
  int lanes;
  bool cached;
};  // cached: its accesses go through the L1
// owner: of a hit. An access that is refused tries again each cycle; it is told anew only when
// something has changed.
struct L1Access {
  WarpSlot warp;
  Pc pc;
  LineAddress line;
  bool load;
  L1Outcome outcome;
  WarpSlot owner;
  bool local;
  Cycle now;
};
struct L1Evict {
  LineAddress line;
  WarpSlot owner;
  Pc owner_pc;
};
struct L2Reuse {
  WarpSlot warp;
  bool own;
  Cycle now;
};  // a reply came: its read found what its own warp, or else another SM, had brought into the L2
struct L1Pressure {
  int mshr_free;
  int miss_queue_free;
  Cycle now{};
};  // told when one of both has changed, before the cycle's picks
struct Branch {
  WarpSlot warp;
  Pc pc;
  LaneMask taken, fell_through;
  Pc reconvergence, target;
};
struct LoopEvent {
  WarpSlot warp;
  std::uint16_t loop;
  LaneMask active;
  bool begin;
};  // begin: the header issued (every trip); else the warp left it
struct BarrierEvent {
  WarpSlot warp;
  bool enter;
};
struct WarpEvent {
  WarpSlot warp;
  std::uint32_t age;
  std::uint64_t cta;
  bool launch;
  Cycle now;
};
struct CtaEvent {
  std::uint64_t cta;
  int warps;
  bool launch;
};
struct KernelEvent {
  enum class What : std::uint8_t { start, last_cta_dispatched, end } what;
  const ptx::Kernel* kernel;
  Cycle now{};
  Dim3 grid{};  // at the start
};

// Who hears what happens. Both warp schedulers and parts of them do.
class PolicyListener {
 public:
  virtual ~PolicyListener() = default;

  // no_issue may come and go: it is asked for anew when a warp or a kernel begins or ends, and when
  // on_l1_pressure() says that something changed. The rest stays as it was at the beginning.
  virtual EventSet subscribed_events() const { return static_cast<EventSet>(Event::issue); }
  // Once, before the first cycle: the moment to ask the SM for mechanisms that the policy needs.
  virtual void attach(Mechanisms&) {}
  virtual void on_issue(const Issue&) {}
  virtual void on_no_issue(const NoIssue&) {}
  virtual void on_coalesced(const Coalesced&) {}
  virtual void on_l1_access(const L1Access&) {}
  virtual void on_l1_evict(const L1Evict&) {}
  virtual void on_l2_reuse(const L2Reuse&) {}
  // Returns whether that changes what it would pick, or what it lets pass.
  virtual bool on_l1_pressure(const L1Pressure&) { return false; }
  virtual void on_branch(const Branch&) {}
  virtual void on_loop(const LoopEvent&) {}
  virtual void on_barrier(const BarrierEvent&) {}
  virtual void on_warp(const WarpEvent&) {}
  virtual void on_cta(const CtaEvent&) {}
  virtual void on_kernel(const KernelEvent&) {}
  virtual void on_cycle(Cycle) {}
  // A policy whose picks change with time alone (decaying scores) says when it wants to be asked
  // again although it vetoed; so does one that changed its mind because of what it heard about the
  // L1 or from another scheduler.
  virtual Cycle wake_at(Cycle now) const {
    (void)now;
    return Cycle::never();
  }
  // Statistics of its own, if it has any; see PolicyReport. Asked before and behind each kernel and
  // for each row of --interval.
  virtual void report_statistics(PolicyReport& report, Cycle now) const { (void)report, (void)now; }
};

class WarpScheduler : public PolicyListener {
 public:
  // The warp that issues now: a member of view.issuable, or none. Returning none although
  // view.issuable has members is a veto; the slot counts as throttled.
  virtual WarpSlot pick(const IssueView& view) = 0;
  // Which of `among` its order came to before `chosen`, just picked: a scheduler finds buffers that
  // a branch has made stale when it comes to them, and looks no further than to the warp that
  // issues. By default it comes to all.
  virtual WarpMask visited_before(const IssueView& view, WarpMask among, WarpSlot chosen) const {
    (void)view, (void)chosen;
    return among;
  }
  // On machines that issue twice per slot: whether the warp that has just issued may issue this
  // instruction, too.
  virtual bool may_follow(WarpSlot warp, const ptx::Instruction& instruction) {
    (void)warp, (void)instruction;
    return true;
  }
  // With warp sharing: who of view.issuable, here warps that only lack a latch, may issue through
  // another scheduler.
  virtual WarpMask shareable(const IssueView& view) { return view.issuable; }
  // Another policy picks in this one's place from now on, or no longer. Mechanisms of its own rest
  // meanwhile.
  virtual void stand_by(bool) {}
};

}  // namespace heddle::sm
