#include <algorithm>

#include "sched/framework/policy_entry.h"
#include "sm/mechanisms.h"
#include "sm/reexecution.h"

namespace heddle::sched {
namespace {

enum class Order { lrr, gto };

struct MascarStatistics {
  std::uint64_t saturations = 0, saturated_cycles = 0, owners = 0;
  static constexpr auto fields() {
    using S = MascarStatistics;
    return std::make_tuple(
        stats::counter("saturations", stats::Unit::events,
                       "times memory became saturated, summed over SMs", &S::saturations),
        stats::counter("saturated_cycles", stats::Unit::cycles,
                       "cycles in which it was, summed over SMs", &S::saturated_cycles),
        stats::counter("owners", stats::Unit::events,
                       "times a warp came to own the saturated memory", &S::owners));
  }
};

struct MascarLevels {
  std::uint64_t saturated_sms = 0, queued_warps = 0;
  static constexpr auto fields() {
    using L = MascarLevels;
    return std::make_tuple(
        stats::counter("saturated_sms", stats::Unit::events, "SMs whose memory is saturated",
                       &L::saturated_sms),
        stats::counter("queued_warps", stats::Unit::warps,
                       "warps with accesses in the re-execution queue, all SMs", &L::queued_warps));
  }
};

// Whether the SM's memory path is saturated, and which warp owns it then. With a re-execution queue
// only the owner may miss.
struct MemoryOwner {
  bool saturated = false, standing_by = false;
  Cycle since;  // of the saturation that is on
  WarpSlot owner = WarpSlot::none, last_owner = WarpSlot::none;
  MascarStatistics told;
  Cycle moved;  // when the owner was chosen or issued last
  sm::ReexecutionQueue* queue = nullptr;
  std::uint64_t turns = 0;  // grows when the memory changes hands

  // What a veto was founded on: grows when asking again may have another answer.
  std::uint64_t changes() const { return turns + (queue ? queue->changes() : 0); }
  void release() {
    owner = WarpSlot::none;
    ++turns;
    set_gate();
  }
  // The warp whose accesses wait at the head of the queue; without any, the next that issues
  // becomes the owner.
  void adopt_head(Cycle now) {
    if (saturated && !owner && queue && !queue->empty()) own(queue->head(), now);
  }
  void own(WarpSlot warp, Cycle now) {
    owner = last_owner = warp;
    moved = now;
    ++turns;
    ++told.owners;
    set_gate();
  }
  bool owner_waits_in_queue() const { return queue && queue->warps().test(owner); }
  void set_gate() {
    if (!queue) return;
    if (!saturated || standing_by)
      queue->let_miss(WarpMask::all());
    else
      queue->let_miss(owner ? WarpMask::only(owner) : WarpMask{});
  }
};

struct MascarOptions {
  std::uint32_t sat_margin = 4, guard = 1000, entries = 32;
  Order order = Order::lrr;
  bool schedule = true, reexecute = true;
  static auto parameters() {
    using O = MascarOptions;
    const char* const paper = "Sethia et al., HPCA 2015";
    return std::make_tuple(
        number("sat_margin", &O::sat_margin, 1u, 256u, "entries",
               "memory is saturated when fewer MSHRs, or fewer places in the miss queue, are free",
               "an interpretation"),
        number("guard", &O::guard, 1u, 1u << 30, "cycles",
               "an owner that has not issued for so long is released", "an interpretation"),
        choice("order", &O::order, {"lrr", "gto"}, "the order among warps of one kind",
               "lrr: Sethia et al., HPCA 2015; gto: for iPAWS"),
        choice("sched", &O::schedule, {"off", "on"},
               "whether a saturated memory has an owner; off: the order alone", paper),
        choice("reexec", &O::reexecute, {"off", "on"},
               "whether refused accesses wait in a queue of their own", paper),
        number("entries", &O::entries, 1u, 64u, "warps", "places in that queue", paper));
  }
};

// Mascar: while memory keeps up, warps with memory instructions come first. When it is saturated,
// others' arithmetic goes first and only one warp, the owner, may bring lines in, so that it gets
// all its data and can compute; others may still load what is in the L1.
class Mascar final : public sm::WarpScheduler {
 public:
  using Options = MascarOptions;
  using Statistics = MascarStatistics;
  using Levels = MascarLevels;
  Mascar(const Options& options, const PolicyContext& where)
      : options_(options),
        leads_(where.scheduler == 0),
        memory_(shared_in_sm<MemoryOwner>(where)) {}

  void attach(sm::Mechanisms& machine) override {
    if (options_.reexecute) memory_->queue = &machine.reexecute_refused(options_.entries);
  }
  void set_suspended(bool on) override {
    memory_->standing_by = on;
    if (memory_->queue) memory_->queue->close(on);
    memory_->set_gate();
  }

  WarpSlot pick(const sm::IssueView& view) override {
    if (!options_.schedule) return next(view.issuable, view);
    watch(view, true);
    const WarpMask memory = view.issuable & view.head_is_long,
                   compute = view.issuable & ~view.head_is_long;
    if (!memory_->saturated) return next(memory.any() ? memory : compute, view);
    if (compute.any()) return next(compute, view);
    if (!memory_->owner) return memory.next_cyclic(memory_->last_owner.index + 1);
    if (memory.test(memory_->owner)) return memory_->owner;
    const WarpMask guests = may_try(memory, view);
    seen_ = memory_->changes();
    return guests.any() ? next(guests, view) : WarpSlot::none;
  }
  // A stale head counts as computing.
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    const auto before = [&] {
      return options_.order == Order::lrr
                 ? sm::IssueView::between(among, last_, chosen)
                 : view.older_or_greedy(among, last_ended_ ? WarpSlot::none : last_, chosen);
    };
    if (!options_.schedule || !view.head_is_long.test(chosen)) return before();
    return memory_->saturated ? among : WarpMask{};
  }
  bool may_issue_second(WarpSlot warp, const ptx::Instruction& i) override {
    return !options_.schedule || !memory_->saturated || !i.is_long() || memory_->owner == warp;
  }
  Cycle wake_at(Cycle now) const override {
    if (memory_->changes() != seen_) return now;
    return memory_->saturated && memory_->owner ? std::max(now, memory_->moved + options_.guard)
                                                : now;
  }

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    sm::EventSet own = E::issue | E::barrier | E::warp;
    if (memory_->saturated) own = own | E::no_issue;  // an owner is watched in every cycle
    return leads_ ? own | E::l1_pressure : own;
  }
  void on_issue(const sm::Issue& issue) override {
    last_ = issue.warp;
    last_ended_ = false;
    if (!memory_->saturated) return;
    if (!memory_->owner && issue.instruction->is_long()) memory_->own(issue.warp, issue.now);
    if (memory_->owner == issue.warp) memory_->moved = issue.now;
  }
  void on_no_issue(const sm::NoIssue& event) override {
    if (event.reason != sm::SlotUse::throttled) watch(event.view, !memory_->queue);
  }
  bool on_l1_pressure(const sm::L1Pressure& event) override {
    const int margin = static_cast<int>(options_.sat_margin);
    const bool before = memory_->saturated;
    memory_->saturated =
        options_.schedule && (event.mshr_free < margin || event.miss_queue_free < margin);
    if (memory_->saturated == before) return false;
    if (memory_->saturated) {
      ++memory_->told.saturations;
      memory_->since = event.now;
    } else {
      memory_->owner = WarpSlot::none;
      memory_->told.saturated_cycles += event.now - memory_->since;
    }
    memory_->set_gate();
    return true;
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter) give_way(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) return;
    give_way(event.warp);
    if (event.warp == last_) last_ended_ = true;
  }

  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    if (!leads_) return;
    MascarStatistics told = memory_->told;
    if (memory_->saturated && now > memory_->since) told.saturated_cycles += now - memory_->since;
    report.counters("mascar", told);
    Levels levels;
    levels.saturated_sms += memory_->saturated;
    if (memory_->queue)
      levels.queued_warps = static_cast<std::uint64_t>(memory_->queue->warps().count());
    report.levels("mascar", levels);
  }

 private:
  // An owner that cannot go on without its data gives way, and so does one that is held up by
  // something else for long. What of it waits in the queue goes to memory first.
  void watch(const sm::IssueView& view, bool guards) {
    MemoryOwner& m = *memory_;
    if (!m.owner) return m.adopt_head(view.now);
    const bool waits = view.waits_for_long.test(m.owner);
    const bool idles = waits || !view.sm_live.test(m.owner) || view.sm_at_barrier.test(m.owner);
    // A full queue lets nothing new of the owner in before one of its warps may miss.
    const bool gives_way =
        m.queue ? (idles || m.queue->full()) && !m.owner_waits_in_queue() : waits;
    if (gives_way || (guards && view.now >= m.moved + options_.guard)) {
      m.release();
      m.adopt_head(view.now);
    }
  }
  void give_way(WarpSlot warp) {
    if (warp == memory_->owner && !memory_->owner_waits_in_queue()) memory_->release();
  }
  // Memory instructions of warps that do not own the memory: those that may find their data in the
  // L1, one of a warp at a time.
  WarpMask may_try(WarpMask memory, const sm::IssueView& view) const {
    if (!memory_->queue || memory_->queue->full()) return {};
    WarpMask allowed;
    (memory & ~memory_->queue->warps()).for_each([&](WarpSlot w) {
      allowed.assign(
          w, view.head[static_cast<std::size_t>(w.index)]->op_class != ptx::OpClass::atomic);
    });
    return allowed;
  }
  WarpSlot next(WarpMask among, const sm::IssueView& view) {
    if (options_.order == Order::lrr) return among.next_cyclic(last_.index + 1);
    return among.test(last_) && !last_ended_ ? last_ : view.oldest(among);
  }

  Options options_;
  bool leads_;
  std::shared_ptr<MemoryOwner> memory_;  // of the SM
  WarpSlot last_ = WarpSlot::none;
  bool last_ended_ = false;  // the slot's next warp inherits no preference
  std::uint64_t seen_ = 0;   // changes() at the last veto
};

}  // namespace

PolicyEntry mascar() {
  return policy<Mascar>("mascar", "One warp owns a saturated memory; refused accesses wait aside",
                        "Sethia et al., HPCA 2015");
}

}  // namespace heddle::sched
