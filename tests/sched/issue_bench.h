// A hardware scheduler's place, without the SM around it: says which warps could issue, asks the policy, tells it what happened.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "sched/catalogue.h"

namespace heddle::sched {

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
  // Slots of `live` hold warps that were launched in slot order.
  IssueBench(const std::string& policy, WarpMask live) : IssueBench(parse_policy(policy)->build({}), live) {}
  IssueBench(std::unique_ptr<sm::WarpScheduler> policy, WarpMask live) : policy_(std::move(policy)) {
    std::iota(ages_.begin(), ages_.end(), 0u);
    view_.supervised = WarpMask::all();
    view_.live = view_.valid = live;
    view_.age = ages_;
    view_.head = heads_;
  }

  // One cycle in which `issuable` could issue: asks, and tells the policy about the issue. Nothing is asked when it is empty.
  WarpSlot issue(WarpMask issuable) {
    WarpSlot picked;
    if (issuable.any()) {
      view_.ready = view_.issuable = issuable;
      picked = policy_->pick(view_);
      EXPECT_TRUE(picked == WarpSlot::none || issuable.test(picked)) << "picked a warp that cannot issue: " << picked.index;
      if (picked && hears(sm::Event::issue)) policy_->on_issue({view_.now, picked, nullptr, 0, LaneMask::all()});
    }
    ++view_.now;
    return picked;
  }

  void enter_barrier(WarpSlot warp) { view_.waiting.set(warp); tell(sm::BarrierEvent{warp, true}); }
  void leave_barrier(WarpSlot warp) { view_.waiting.reset(warp); tell(sm::BarrierEvent{warp, false}); }
  void exit(WarpSlot warp) { view_.live.reset(warp); tell(sm::WarpEvent{warp, ages_[warp.index], 0, false}); }
  // A new warp, younger than all before, in this slot.
  void launch(WarpSlot warp) {
    ages_[warp.index] = next_age_++;
    view_.live.set(warp);
    tell(sm::WarpEvent{warp, ages_[warp.index], 0, true});
  }
  Cycle now() const { return view_.now; }

 private:
  bool hears(sm::Event event) const { return policy_->listens() & static_cast<sm::EventSet>(event); }
  void tell(const sm::BarrierEvent& event) { if (hears(sm::Event::barrier)) policy_->on_barrier(event); }
  void tell(const sm::WarpEvent& event) { if (hears(sm::Event::warp)) policy_->on_warp(event); }

  std::unique_ptr<sm::WarpScheduler> policy_;
  std::vector<std::uint32_t> ages_ = std::vector<std::uint32_t>(kMaxWarpsPerSm);
  std::vector<const ptx::Instruction*> heads_ = std::vector<const ptx::Instruction*>(kMaxWarpsPerSm);
  std::uint32_t next_age_ = kMaxWarpsPerSm;
  sm::IssueView view_{};
};

}  // namespace heddle::sched
