#include <algorithm>

#include "sched/policy_entry.h"

namespace heddle::sched {
namespace {

enum class Order { lrr, gto };

struct MascarStatistics {
  std::uint64_t saturations = 0, owners = 0;
  static constexpr auto fields() {
    using S = MascarStatistics;
    return std::make_tuple(stats::counter("saturations", stats::Unit::events, "times memory became saturated, summed over SMs", &S::saturations),
                           stats::counter("owners", stats::Unit::events, "times a warp came to own the saturated memory", &S::owners));
  }
};

// Whether the SM's memory path is saturated, and which warp owns it then.
struct MemoryOwner {
  bool saturated = false;
  WarpSlot owner = WarpSlot::none, last_owner = WarpSlot::none;
  MascarStatistics told;
  Cycle moved;  // when the owner was chosen or issued last

  void release() { owner = WarpSlot::none; }
};

// Mascar: while memory keeps up, warps with memory instructions come first. When it is saturated, others' arithmetic goes first and only
// one warp, the owner, may issue memory instructions, so that it gets all its data and can compute.
class Mascar final : public sm::WarpScheduler {
 public:
  struct Options {
    std::uint32_t sat_margin = 4, guard = 1000;
    Order order = Order::lrr;
    static auto parameters() {
      return std::make_tuple(
          number("sat_margin", &Options::sat_margin, 1u, 256u, "entries",
                 "memory is saturated when fewer MSHRs, or fewer places in the miss queue, are free", "an interpretation"),
          number("guard", &Options::guard, 1u, 1u << 30, "cycles", "an owner that has not issued for so long is released", "an interpretation"),
          choice("order", &Options::order, {"lrr", "gto"}, "the order among warps of one kind", "lrr: Sethia et al., HPCA 2015; gto: for iPAWS"));
    }
  };
  using Statistics = MascarStatistics;
  Mascar(const Options& options, const PolicyContext& where)
      : options_(options), leads_(where.scheduler == 0), memory_(shared_in_sm<MemoryOwner>(where)) {}

  WarpSlot pick(const sm::IssueView& view) override {
    watch(view);
    const WarpMask memory = view.issuable & view.head_is_long, compute = view.issuable & ~view.head_is_long;
    if (!memory_->saturated) return next(memory.any() ? memory : compute, view);
    if (compute.any()) return next(compute, view);
    if (memory_->owner) return memory.test(memory_->owner) ? memory_->owner : WarpSlot::none;
    return memory.next_cyclic(memory_->last_owner.index + 1);
  }
  bool may_follow(WarpSlot warp, const ptx::Instruction& i) override {
    return !memory_->saturated || !i.is_long() || memory_->owner == warp;
  }
  Cycle wake_at(Cycle now) const override {
    return memory_->saturated && memory_->owner ? std::max(now, memory_->moved + options_.guard) : now;
  }

  sm::EventSet listens() const override {
    using E = sm::Event;
    const sm::EventSet own = E::issue | E::no_issue | E::barrier | E::warp;
    return leads_ ? own | E::l1_pressure : own;
  }
  void on_issue(const sm::Issue& issue) override {
    last_ = issue.warp;
    last_ended_ = false;
    if (!memory_->saturated) return;
    if (!memory_->owner && issue.instruction->is_long()) {
      memory_->owner = memory_->last_owner = issue.warp;
      ++memory_->told.owners;
    }
    if (memory_->owner == issue.warp) memory_->moved = issue.now;
  }
  void on_no_issue(const sm::NoIssue& event) override {
    if (event.reason != sm::SlotUse::throttled) watch(event.view);
  }
  void on_l1_pressure(const sm::L1Pressure& event) override {
    const int margin = static_cast<int>(options_.sat_margin);
    const bool before = memory_->saturated;
    memory_->saturated = event.mshr_free < margin || event.miss_queue_free < margin;
    if (!memory_->saturated) memory_->release();
    else if (!before) ++memory_->told.saturations;
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter && event.warp == memory_->owner) memory_->release();
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) return;
    if (event.warp == memory_->owner) memory_->release();
    if (event.warp == last_) last_ended_ = true;
  }

  void tell(sm::PolicyReport& report, Cycle) const override {
    if (leads_) report.counters("mascar", memory_->told);
  }

 private:
  // An owner that cannot go on without its data gives way, and so does one that is held up by something else for long.
  void watch(const sm::IssueView& view) {
    const bool waits = view.waits_for_long.test(memory_->owner);
    if (memory_->owner && (waits || view.now >= memory_->moved + options_.guard)) memory_->release();
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
};

}  // namespace

PolicyEntry mascar() {
  return policy<Mascar>("mascar", "One warp owns a saturated memory", "Sethia et al., HPCA 2015 (without its re-execution queue)");
}

}  // namespace heddle::sched
