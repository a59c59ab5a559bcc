#include "sched/footprints.h"
#include "sched/loop_locality.h"
#include "sched/policy_entry.h"

namespace heddle::sched {
namespace {

struct DivergenceAwareOptions {
  double k_assoc = 0.6;
  bool sticky = false;
  static auto parameters() {
    using O = DivergenceAwareOptions;
    return std::make_tuple(
        number("k_assoc", &O::k_assoc, 0.0, 1.0, "", "share of the L1's lines that predictions may fill", "Rogers et al., MICRO 2013"),
        choice("sticky", &O::sticky, {"no", "yes"}, "whether an admitted warp stays admitted until it leaves its loop",
               "no: the paper's sum by age; yes: the paper's statement that an admitted warp is not stopped"));
  }
};

// What the schedulers of an SM share.
struct DivergenceState {
  DivergenceState(const DivergenceAwareOptions& options, const PolicyContext& where)
      : footprints(options.k_assoc * where.l1_lines, options.sticky), loops(where.l1_line_bytes) {}
  Footprints footprints;
  LoopLocality loops;
  const ptx::Kernel* kernel = nullptr;
  std::array<int, kMaxWarpsPerSm> lanes{};  // of each warp's last instruction
};

// Divergence-aware warp scheduling: predicts how many L1 lines a warp touches per iteration from the loads that were seen to diverge
// and the lanes that are active, and lets the oldest warps load whose predictions fit the cache together.
class DivergenceAware final : public Limiter {
 public:
  using Options = DivergenceAwareOptions;
  DivergenceAware(const Options& options, const PolicyContext& where)
      : state_(shared_in_sm<DivergenceState>(where, options, where)), first_(where.scheduler == 0) {}

  sm::EventSet listens() const override {
    using E = sm::Event;
    const sm::EventSet own = E::issue | E::coalesced | E::l1_access | E::loop | E::barrier | E::warp;
    return first_ ? own | E::l1_evict | E::kernel : own;
  }
  void limit(sm::IssueView& view) override {
    if (state_->footprints.none_predicted()) return;
    const WarpMask loads = view.issuable & view.head_is_load;
    loads.for_each([&](WarpSlot w) {
      if (!may_load(w, *view.head[static_cast<std::size_t>(w.index)])) view.issuable.reset(w);
    });
  }
  bool may_follow(WarpSlot warp, const ptx::Instruction& i) override { return !(i.is_load() && i.is_long()) || may_load(warp, i); }

  void on_issue(const sm::Issue& issue) override {
    state_->lanes[static_cast<std::size_t>(issue.warp.index)] = issue.active.count();
    state_->footprints.passed(issue.warp, issue.pc);
  }
  void on_coalesced(const sm::Coalesced& event) override { state_->loops.coalesced(event); }
  void on_l1_access(const sm::L1Access& event) override { state_->loops.accessed(event); }
  void on_l1_evict(const sm::L1Evict& event) override { state_->loops.evicted(event); }
  void on_loop(const sm::LoopEvent& event) override {
    const ptx::Loop& loop = state_->kernel->loops[event.loop];
    if (event.begin) {
      state_->loops.begin_loop(event.warp, loop.header, event.active.count());
      state_->footprints.begin_loop(event.warp, loop.header, event.active.count(), state_->loops);
    } else {
      state_->loops.leave_loop(event.warp, loop.header);
      if (loop.parent == ptx::Loop::kNone) state_->footprints.leave_outermost_loop(event.warp);
    }
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter) state_->footprints.enter_barrier(event.warp);
    else state_->footprints.leave_barrier(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) {
      state_->footprints.launch(event.warp, event.age);
    } else {
      state_->loops.end_warp(event.warp);
      state_->footprints.exit(event.warp);
    }
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what != sm::KernelEvent::What::start) return;
    state_->kernel = event.kernel;
    state_->loops.begin_kernel(event.kernel);
  }

 private:
  bool may_load(WarpSlot warp, const ptx::Instruction& i) {
    const auto pc = static_cast<Pc>(&i - state_->kernel->code.data());
    return state_->footprints.may_load(warp, pc, state_->lanes[static_cast<std::size_t>(warp.index)], state_->loops);
  }

  std::shared_ptr<DivergenceState> state_;
  bool first_;  // hears what all of the SM's schedulers are told, for all
};

}  // namespace

PolicyEntry divergence_aware() {
  return limiter<DivergenceAware>("daws", "The oldest warps whose predicted cache footprints fit may load", "Rogers et al., MICRO 2013");
}

}  // namespace heddle::sched
