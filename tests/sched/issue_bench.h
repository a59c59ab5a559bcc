// A test bench for one policy object without an SM: the test sets which warps are issuable; the
// bench asks the policy and sends it the events.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "sched/catalogue.h"

namespace heddle::sched {

inline constexpr std::uint64_t kLineBytes = 128;

inline WarpSlot warp(int slot) { return WarpSlot{slot}; }
inline WarpMask warps(int count) { return WarpMask::first(count); }  // the slots 0..count-1

template <class... Slots>
WarpMask ready(Slots... slots) {
  WarpMask mask;
  (mask.set(WarpSlot{slots}), ...);
  return mask;
}

class IssueBench {
 public:
  // The slots of `live` hold warps, launched in slot order.
  IssueBench(const std::string& policy, WarpMask live, const PolicyContext& where = {})
      : IssueBench(parse_policy(policy)->build(where), live) {}
  IssueBench(std::unique_ptr<sm::WarpScheduler> policy, WarpMask live)
      : policy_(std::move(policy)) {
    std::iota(ages_.begin(), ages_.end(), 0u);
    view_.supervised = WarpMask::all();
    view_.live = view_.sm_live = view_.sm_resident = view_.valid = live;
    view_.age = ages_;
    view_.head = heads_;
    std::fill(heads_.begin(), heads_.end(), &alu_);
    if (has_subscriber(sm::Event::cta)) policy_->on_cta({0, live.count(), true});
    live.for_each(
        [&](WarpSlot w) { notify(sm::WarpEvent{w, ages_[w.index], 0, true, view_.now}); });
  }

  // One cycle in which `issuable` is issuable. Returns the picked warp and sends the events. An
  // empty set is a cycle without a pick.
  WarpSlot issue(WarpMask issuable) {
    WarpSlot picked;
    view_.ready = view_.issuable = issuable;
    if (issuable.any()) {
      picked = policy_->pick(view_);
      EXPECT_TRUE(picked == WarpSlot::none || issuable.test(picked))
          << "picked a warp that cannot issue: " << picked.index;
      if (picked && has_subscriber(sm::Event::issue))
        policy_->on_issue({view_.now, picked, heads_[picked.index], 0, LaneMask::all()});
    }
    if (!picked && has_subscriber(sm::Event::no_issue)) {
      const sm::SlotUse why = issuable.any() ? sm::SlotUse::throttled : sm::SlotUse::scoreboard;
      policy_->on_no_issue({view_.now, 1, why, view_});
    }
    ++view_.now;
    return picked;
  }
  // The warps of `among` that the order examines before `chosen`.
  WarpMask visited_before(WarpMask among, WarpSlot chosen) const {
    return policy_->visited_before(view_, among, chosen);
  }
  // The warps of `among` that the order examines in a cycle without an issue.
  WarpMask visited_without_issue(WarpMask among) const {
    return policy_->visited_without_issue(among);
  }
  // `cycles` cycles in which no warp is issuable.
  void idle(int cycles) {
    for (int i = 0; i < cycles; ++i) issue({});
  }
  // Warps whose next instruction is a load; a long operation; blocked by a long operation.
  void loads(WarpMask heads) {
    view_.head_is_load = heads;
    long_heads(heads);
  }
  void long_heads(WarpMask heads) {
    view_.head_is_long = heads;
    for (int w = 0; w < kMaxWarpsPerSm; ++w) heads_[w] = heads.test(WarpSlot{w}) ? &load_ : &alu_;
  }
  void heads(const isa::Instruction* all) { std::fill(heads_.begin(), heads_.end(), all); }
  void wait_for_long(WarpMask blocked) { view_.waits_for_long = blocked; }
  void read_loaded(WarpMask heads) { view_.reads_loaded = heads; }
  void supervise(WarpMask mine) {
    view_.supervised = mine;
    view_.live &= mine;
  }
  sm::WarpScheduler& policy() { return *policy_; }
  void l1_access(const sm::L1Access& event) {
    if (has_subscriber(sm::Event::l1_access)) policy_->on_l1_access(event);
  }
  void l2_reuse(const sm::L2Reuse& event) {
    if (has_subscriber(sm::Event::l2_reuse)) policy_->on_l2_reuse(event);
  }
  void l1_evict(const sm::L1Evict& event) {
    if (has_subscriber(sm::Event::l1_evict)) policy_->on_l1_evict(event);
  }

  void enter_barrier(WarpSlot warp) {
    view_.waiting.set(warp);
    view_.sm_at_barrier.set(warp);
    notify(sm::BarrierEvent{warp, true});
  }
  void pass_barrier(WarpSlot warp) {
    view_.waiting.reset(warp);
    view_.sm_at_barrier.reset(warp);
    notify(sm::BarrierEvent{warp, false});
  }
  void exit(WarpSlot warp) {
    view_.live.reset(warp);
    view_.sm_live.reset(warp);
    notify(sm::WarpEvent{warp, ages_[warp.index], 0, false, view_.now});
  }
  // Launches a new warp, the youngest, in this slot.
  void launch(WarpSlot warp, std::uint64_t cta = 0) {
    ages_[warp.index] = next_age_++;
    view_.live.set(warp);
    view_.sm_live.set(warp);
    if (has_subscriber(sm::Event::cta)) policy_->on_cta({cta, 1, true});
    notify(sm::WarpEvent{warp, ages_[warp.index], cta, true, view_.now});
  }
  // Launches new warps, the youngest, in these slots, as one CTA.
  void launch_cta(std::uint64_t cta, WarpMask slots) {
    if (has_subscriber(sm::Event::cta)) policy_->on_cta({cta, slots.count(), true});
    slots.for_each([&](WarpSlot w) {
      ages_[w.index] = next_age_++;
      view_.live.set(w);
      view_.sm_live.set(w);
      notify(sm::WarpEvent{w, ages_[w.index], cta, true, view_.now});
    });
  }
  // An iteration of the loop begins, or the loop ends.
  void loop(WarpMask among, std::uint16_t loop, bool begin) {
    if (has_subscriber(sm::Event::loop))
      among.for_each([&](WarpSlot w) { policy_->on_loop({w, loop, LaneMask::all(), begin}); });
  }
  void kernel(const sm::KernelEvent& event) {
    if (has_subscriber(sm::Event::kernel)) policy_->on_kernel(event);
  }
  void kernel(sm::KernelEvent::What what, const isa::Kernel* kernel = nullptr, Dim3 grid = {}) {
    if (has_subscriber(sm::Event::kernel)) policy_->on_kernel({what, kernel, view_.now, grid});
  }
  Cycle now() const { return view_.now; }

 private:
  bool has_subscriber(sm::Event event) const {
    return policy_->subscribed_events().contains(event);
  }
  void notify(const sm::BarrierEvent& event) {
    if (has_subscriber(sm::Event::barrier)) policy_->on_barrier(event);
  }
  void notify(const sm::WarpEvent& event) {
    if (has_subscriber(sm::Event::warp)) policy_->on_warp(event);
  }

  std::unique_ptr<sm::WarpScheduler> policy_;
  std::vector<std::uint32_t> ages_ = std::vector<std::uint32_t>(kMaxWarpsPerSm);
  std::vector<const isa::Instruction*> heads_ =
      std::vector<const isa::Instruction*>(kMaxWarpsPerSm);
  std::uint32_t next_age_ = kMaxWarpsPerSm;
  static isa::Instruction load() {
    isa::Instruction i;
    i.op_class = isa::OpClass::load;
    i.space = isa::Space::global;
    return i;
  }
  static inline const isa::Instruction alu_{}, load_ = load();
  sm::IssueView view_{};
};

}  // namespace heddle::sched
