// What the CTA scheduler needs to be counted, its epochs, and the CTAs that it pauses.
#include <algorithm>

#include "gpu/engine.h"

namespace heddle::gpu {

// Collects what the policy asks; carried out when the window has ended for all SMs.
class Engine::CtaRequests final : public CtaControl {
 public:
  struct Request {
    int sm;
    std::uint64_t cta;
    bool pause;
  };
  void pause(int sm, std::uint64_t cta) override { list.push_back({sm, cta, true}); }
  void resume(int sm, std::uint64_t cta) override { list.push_back({sm, cta, false}); }
  std::vector<Request> list;
};

void Engine::count_for_cta_scheduler() {
  needs_ = cta_scheduler_->needs();
  for (const auto& sm : sms_) sm->count({needs_.issue_counts, needs_.warp_states});
  cta_requests_ = std::make_shared<CtaRequests>();
}

CtaControl* Engine::cta_control() { return cta_requests_.get(); }

void Engine::begin_epochs() {
  epoch_began_ = now_;
  const bool has_epochs = needs_.epoch_cycles && cta_scheduler_ == cta_policy_scheduler_.get();
  next_epoch_ = has_epochs ? now_ + needs_.epoch_cycles : Cycle::never();
  cta_requests_->list.clear();
  if (needs_.warp_states)
    for (const auto& sm : sms_) sm->take_warp_states();
}

// After a window.
void Engine::serve_cta_scheduler() {
  if (now_ >= next_epoch_) end_epoch();
  if (cta_requests_->list.empty()) return;
  for (const CtaRequests::Request& request : cta_requests_->list) {
    const auto i = static_cast<std::size_t>(request.sm);
    check_invariant(i < sms_.size(), "the CTA scheduler paused a CTA of an SM that does not exist");
    run_sm(i, now_);
    sms_[i]->set_paused(request.cta, request.pause);
    wake_cycle_[i] = now_;
  }
  cta_requests_->list.clear();
}

void Engine::end_epoch() {
  std::vector<SmEpoch> epochs;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);  // it may have been quiescent
    epochs.push_back(epoch_of(i));
  }
  cta_scheduler_->on_epoch(now_, epochs, *cta_requests_);
  epoch_began_ = now_;
  next_epoch_ = now_ + needs_.epoch_cycles;
  declined_ = false;
}

SmEpoch Engine::epoch_of(std::size_t i) {
  const sm::WarpStates states = sms_[i]->take_warp_states();
  SmEpoch epoch;
  epoch.cycles = now_ - epoch_began_;
  epoch.idle_cycles = needs_.warp_states ? states.idle_cycles + epoch.cycles - states.cycles : 0;
  epoch.memory_cycles = states.memory_cycles;
  epoch.active_warps = states.active_warps;
  epoch.waiting_warps = states.waiting_warps;
  epoch.excess_memory_warps = states.excess_memory_warps;
  epoch.excess_alu_warps = states.excess_alu_warps;
  for (const auto& cta : sms_[i]->resident_ctas())
    epoch.resident.push_back({cta.cta, cta.issued, cta.start, cta.paused});
  return epoch;
}

}  // namespace heddle::gpu
