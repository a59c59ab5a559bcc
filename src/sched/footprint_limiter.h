// What both forms of DAWS have in common: loads wait for room in the cache, by predictions that a LoopPredictor makes.
#pragma once

#include <array>
#include <memory>

#include "sched/footprints.h"
#include "sched/limiter.h"
#include "sched/parameters.h"

namespace heddle::sched {

struct FootprintOptions {
  double k_assoc = 0.6;
  bool sticky = false;
  Unpredicted unpredicted = Unpredicted::pass;

  // The rows of a policy whose options derive from these.
  template <class O>
  static auto rows() {
    return std::make_tuple(
        number("k_assoc", static_cast<double O::*>(&O::k_assoc), 0.0, 1.0, "", "share of the L1's lines that predictions may fill", "Rogers et al., MICRO 2013"),
        choice("sticky", static_cast<bool O::*>(&O::sticky), {"no", "yes"}, "whether an admitted warp stays admitted until it leaves its loop",
               "no: the paper's sum by age; yes: the paper's statement that an admitted warp is not stopped"),
        choice("unpredicted", static_cast<Unpredicted O::*>(&O::unpredicted), {"pass", "by_age"},
               "whether a load without a prediction passes, or only when older warps' predictions leave room",
               "pass: an interpretation; by_age: the paper's sum, read literally"));
  }
};

// What the schedulers of an SM share.
struct FootprintState {
  FootprintState(const FootprintOptions& options, const PolicyContext& where)
      : footprints(options.k_assoc * where.l1_lines, options.sticky, options.unpredicted) {}
  Footprints footprints;
  const ptx::Kernel* kernel = nullptr;
  std::array<int, kMaxWarpsPerSm> lanes{};  // of each warp's last instruction
};

class FootprintLimiter : public Limiter {
 public:
  sm::EventSet listens() const override {
    using E = sm::Event;
    const sm::EventSet own = E::issue | E::loop | E::barrier | E::warp;
    return first_ ? own | E::kernel : own;
  }
  void limit(sm::IssueView& view) override {
    if (state_.footprints.none_predicted()) return;
    const WarpMask loads = view.issuable & view.head_is_load;
    loads.for_each([&](WarpSlot w) {
      if (!may_load(w, *view.head[static_cast<std::size_t>(w.index)])) view.issuable.reset(w);
    });
  }
  bool may_follow(WarpSlot warp, const ptx::Instruction& i) override { return !(i.is_load() && i.is_long()) || may_load(warp, i); }

  void on_issue(const sm::Issue& issue) override {
    state_.lanes[static_cast<std::size_t>(issue.warp.index)] = issue.active.count();
    state_.footprints.passed(issue.warp, issue.pc);
  }
  void on_loop(const sm::LoopEvent& event) override {
    const ptx::Loop& loop = state_.kernel->loops[event.loop];
    if (event.begin) state_.footprints.begin_loop(event.warp, loop.header, event.active.count(), predictor_);
    else if (loop.parent == ptx::Loop::kNone) state_.footprints.leave_outermost_loop(event.warp);
  }
  void on_barrier(const sm::BarrierEvent& event) override {
    if (event.enter) state_.footprints.enter_barrier(event.warp);
    else state_.footprints.leave_barrier(event.warp);
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) state_.footprints.launch(event.warp, event.age);
    else state_.footprints.exit(event.warp);
  }
  void on_kernel(const sm::KernelEvent& event) override {
    if (event.what == sm::KernelEvent::What::start) state_.kernel = event.kernel;
  }

 protected:
  // Both live as long as this object. first: of the SM's schedulers; hears what all of them are told, for all.
  FootprintLimiter(FootprintState& state, const LoopPredictor& predictor, bool first) : state_(state), predictor_(predictor), first_(first) {}

  FootprintState& state_;
  const LoopPredictor& predictor_;
  bool first_;

 private:
  bool may_load(WarpSlot warp, const ptx::Instruction& i) {
    const auto pc = static_cast<Pc>(&i - state_.kernel->code.data());
    return state_.footprints.may_load(warp, pc, state_.lanes[static_cast<std::size_t>(warp.index)], predictor_);
  }
};

}  // namespace heddle::sched
