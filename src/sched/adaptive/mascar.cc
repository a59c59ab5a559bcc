#include <algorithm>

#include "sched/framework/policy_entry.h"
#include "sm/lsu/reexecution.h"
#include "sm/policy/mechanisms.h"

namespace heddle::sched {
namespace {

enum class Order { lrr, gto };

struct MascarStatistics {
  std::uint64_t saturations = 0, saturated_cycles = 0, owners = 0, guard_releases = 0;
  static constexpr auto fields() {
    using S = MascarStatistics;
    return std::make_tuple(
        stats::counter("saturations", stats::Unit::events,
                       "times that memory became saturated, summed over SMs", &S::saturations),
        stats::counter("saturated_cycles", stats::Unit::cycles,
                       "cycles in which memory was saturated, summed over SMs",
                       &S::saturated_cycles),
        stats::counter("owners", stats::Unit::events,
                       "times that a warp became the owner of the saturated memory", &S::owners),
        stats::counter("guard_releases", stats::Unit::events,
                       "owners released because they had not issued for `guard` cycles",
                       &S::guard_releases));
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
                       "warps with accesses in the re-execution queue, summed over SMs",
                       &L::queued_warps));
  }
};

// The saturation of an SM's memory path and the warp that owns it while it is saturated. With a
// re-execution queue only the owner may miss. The schedulers of the SM share it.
struct MemoryOwner {
  bool saturated = false;
  bool suspended = false;  // another policy picks (set_suspended)
  Cycle since;             // start of the current saturation
  WarpSlot owner = WarpSlot::none, last_owner = WarpSlot::none;
  MascarStatistics saturation;  // counts what concerns the SM: saturations and their cycles
  sm::KernelCounters<MascarStatistics> statistics;
  Cycle last_progress;  // when the owner was chosen or issued last
  sm::ReexecutionQueue* queue = nullptr;
  std::uint64_t owner_changes = 0;

  // Grows with every change that may end a veto.
  std::uint64_t changes() const { return owner_changes + (queue ? queue->changes() : 0); }
  void release() {
    owner = WarpSlot::none;
    ++owner_changes;
    update_miss_rule();
  }
  // The warp at the head of the queue becomes the owner. When the queue is empty, the next warp
  // that issues a long operation does.
  void adopt_head(const sm::IssueView& view) {
    if (saturated && !owner && queue && !queue->empty())
      own(queue->head(), view.kernel_of(queue->head()), view.now);
  }
  void own(WarpSlot warp, int kernel, Cycle now) {
    owner = last_owner = warp;
    last_progress = now;
    ++owner_changes;
    ++statistics.of(kernel).owners;
    update_miss_rule();
  }
  bool owner_waits_in_queue() const { return queue && queue->warps().test(owner); }
  void update_miss_rule() {
    if (!queue) return;
    if (!saturated || suspended)
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
               "memory is saturated when fewer MSHRs or fewer miss queue entries are free",
               "an interpretation"),
        number("guard", &O::guard, 1u, 1u << 30, "cycles",
               "an owner that has not issued for this time is released", "an interpretation"),
        choice("order", &O::order, {"lrr", "gto"},
               "the order among memory warps, and among the others",
               "lrr: Sethia et al., HPCA 2015; gto: for iPAWS"),
        choice("sched", &O::schedule, {"off", "on"},
               "whether a saturated memory has an owner; off: only the order", paper),
        choice("reexec", &O::reexecute, {"off", "on"},
               "whether refused accesses wait in a re-execution queue", paper),
        number("entries", &O::entries, 1u, 64u, "warps", "entries of the re-execution queue",
               paper));
  }
};

// Mascar: while memory is not saturated, warps with memory instructions issue first. When memory is
// saturated, arithmetic issues first, and only one warp, the owner, may miss in the L1, so that it
// gets all its data and can compute. Loads of other warps may still hit.
class Mascar final : public sm::WarpScheduler {
 public:
  using Options = MascarOptions;
  using Statistics = MascarStatistics;
  using Levels = MascarLevels;
  Mascar(const Options& options, const PolicyContext& where)
      : options_(options),
        first_in_sm_(where.scheduler == 0),
        memory_(shared_in_sm<MemoryOwner>(where)) {}

  void attach(sm::Mechanisms& machine) override {
    if (options_.reexecute) memory_->queue = &machine.reexecute_refused(options_.entries);
  }
  void set_suspended(bool on) override {
    memory_->suspended = on;
    if (memory_->queue) memory_->queue->close(on);
    memory_->update_miss_rule();
  }

  WarpSlot pick(const sm::IssueView& view) override {
    if (!options_.schedule) return next(view.issuable, view);
    check_owner(view, true);
    const WarpMask memory = view.issuable & view.head_is_long,
                   compute = view.issuable & ~view.head_is_long;
    if (!memory_->saturated) return next(memory.any() ? memory : compute, view);
    if (compute.any()) return next(compute, view);
    if (!memory_->owner) return memory.next_cyclic(memory_->last_owner.index + 1);
    if (memory.test(memory_->owner)) return memory_->owner;
    const WarpMask others = may_hit(memory, view);
    seen_ = memory_->changes();
    return others.any() ? next(others, view) : WarpSlot::none;
  }
  // A warp with a stale instruction buffer counts as computing.
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
  bool may_issue_second(WarpSlot warp, const isa::Instruction& i) override {
    return !options_.schedule || !memory_->saturated || !i.is_long() || memory_->owner == warp;
  }
  Cycle wake_at(Cycle now) const override {
    if (memory_->changes() != seen_) return now;
    return memory_->saturated && memory_->owner
               ? std::max(now, memory_->last_progress + options_.guard)
               : now;
  }

  sm::EventSet subscribed_events() const override {
    using E = sm::Event;
    sm::EventSet own = E::issue | E::barrier | E::warp;
    if (memory_->saturated) own = own | E::no_issue;  // the owner is checked in every cycle
    return first_in_sm_ ? own | E::l1_pressure : own;
  }
  void on_issue(const sm::Issue& issue) override {
    last_ = issue.warp;
    last_ended_ = false;
    if (!memory_->saturated) return;
    if (!memory_->owner && issue.instruction->is_long())
      memory_->own(issue.warp, issue.kernel, issue.now);
    if (memory_->owner == issue.warp) memory_->last_progress = issue.now;
  }
  void on_no_issue(const sm::NoIssue& event) override {
    if (event.reason != sm::SlotUse::throttled) check_owner(event.view, !memory_->queue);
  }
  bool on_l1_pressure(const sm::L1Pressure& event) override {
    const int margin = static_cast<int>(options_.sat_margin);
    const bool before = memory_->saturated;
    memory_->saturated =
        options_.schedule && (event.mshr_free < margin || event.miss_queue_free < margin);
    if (memory_->saturated == before) return false;
    if (memory_->saturated) {
      ++memory_->saturation.saturations;
      memory_->since = event.now;
    } else {
      memory_->owner = WarpSlot::none;
      memory_->saturation.saturated_cycles += event.now - memory_->since;
    }
    memory_->update_miss_rule();
    return true;
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter) release_if_owner(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) return;
    release_if_owner(event.warp);
    if (event.warp == last_) last_ended_ = true;
  }

  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    if (!first_in_sm_) return;
    MascarStatistics saturation = memory_->saturation;
    if (memory_->saturated && now > memory_->since)
      saturation.saturated_cycles += now - memory_->since;
    report.counters("mascar", memory_->statistics);
    report.counters("mascar", saturation);
    Levels levels;
    levels.saturated_sms += memory_->saturated;
    if (memory_->queue)
      levels.queued_warps = static_cast<std::uint64_t>(memory_->queue->warps().count());
    report.levels("mascar", levels);
  }

 private:
  // Releases an owner that needs its data, ended, or waits at a barrier, and one that has not
  // issued for `guard` cycles. With a queue, the owner's queued accesses go to memory first.
  void check_owner(const sm::IssueView& view, bool guards) {
    MemoryOwner& m = *memory_;
    if (!m.owner) return m.adopt_head(view);
    const bool waits = view.waits_for_long.test(m.owner);
    const bool idles = waits || !view.sm_live.test(m.owner) || view.sm_at_barrier.test(m.owner);
    // A full queue accepts nothing of the owner until a warp in the queue may miss.
    const bool releases = m.queue ? (idles || m.queue->full()) && !m.owner_waits_in_queue() : waits;
    const bool guarded = !releases && guards && view.now >= m.last_progress + options_.guard;
    if (guarded) ++m.statistics.of(view.kernel_of(m.owner)).guard_releases;
    if (releases || guarded) {
      m.release();
      m.adopt_head(view);
    }
  }
  void release_if_owner(WarpSlot warp) {
    if (warp == memory_->owner && !memory_->owner_waits_in_queue()) memory_->release();
  }
  // Warps without ownership whose memory instruction may hit in the L1: those without an entry in
  // the queue, and no atomics.
  WarpMask may_hit(WarpMask memory, const sm::IssueView& view) const {
    if (!memory_->queue || memory_->queue->full()) return {};
    WarpMask allowed;
    (memory & ~memory_->queue->warps()).for_each([&](WarpSlot w) {
      allowed.assign(
          w, view.head[static_cast<std::size_t>(w.index)]->op_class != isa::OpClass::atomic);
    });
    return allowed;
  }
  WarpSlot next(WarpMask among, const sm::IssueView& view) {
    if (options_.order == Order::lrr) return among.next_cyclic(last_.index + 1);
    return among.test(last_) && !last_ended_ ? last_ : view.oldest(among);
  }

  Options options_;
  bool first_in_sm_;
  std::shared_ptr<MemoryOwner> memory_;  // of the SM
  WarpSlot last_ = WarpSlot::none;
  bool last_ended_ = false;  // the next warp of the slot is not preferred
  std::uint64_t seen_ = 0;   // changes() at the last veto
};

}  // namespace

PolicyEntry mascar() {
  return policy<Mascar>("mascar", "One warp owns a saturated memory; refused accesses are queued",
                        "Sethia et al., HPCA 2015",
                        {.look = 9, .topics = {Topic::saturation, Topic::own_lines}});
}

}  // namespace heddle::sched
