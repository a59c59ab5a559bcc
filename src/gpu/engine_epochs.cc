// What the CTA scheduler needs to be counted, its epochs, and the CTAs that it pauses.
#include <algorithm>

#include "gpu/engine.h"

namespace heddle::gpu {

// Collects what the policy asks for one kernel; carried out when the window has ended for all SMs.
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

// One list for each kernel that runs.
void Engine::count_for_cta_schedulers() {
  needs_ = cta_scheduler(0).needs();
  for (const auto& sm : sms_) sm->count({needs_.issue_counts, needs_.warp_states});
  for (std::size_t i = 0; i < by_number_.size(); ++i)
    cta_requests_.push_back(std::make_shared<CtaRequests>());
}

CtaControl* Engine::cta_control(int number) const {
  return cta_requests_[static_cast<std::size_t>(number)].get();
}

// The GPU was idle. Kernels that start later join the epochs.
void Engine::begin_epochs() {
  epoch_began_ = now_;
  const bool has_epochs =
      needs_.epoch_cycles &&
      std::any_of(running_.begin(), running_.end(), [](const auto& k) { return !k->cooperative; });
  next_epoch_ = has_epochs ? now_ + needs_.epoch_cycles : Cycle::never();
  for (const auto& k : running_) cta_requests_[static_cast<std::size_t>(k->number)]->list.clear();
  if (needs_.warp_states)
    for (const auto& sm : sms_) sm->take_warp_states();
}

// After a window.
void Engine::serve_cta_schedulers() {
  if (now_ >= next_epoch_) end_epoch();
  for (const auto& k : running_) {
    auto& requests = cta_requests_[static_cast<std::size_t>(k->number)]->list;
    for (const CtaRequests::Request& request : requests) {
      const auto i = static_cast<std::size_t>(request.sm);
      check_invariant(i < sms_.size(),
                      "the CTA scheduler paused a CTA of an SM that does not exist");
      run_sm(i, now_);
      sms_[i]->set_paused(request.cta, request.pause, k->number);
      wake_cycle_[i] = now_;
    }
    requests.clear();
  }
}

// The states of warps are those of all kernels of the SM; the CTAs are the kernel's own.
void Engine::end_epoch() {
  std::vector<SmEpoch> epochs;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);  // it may have been quiescent
    const sm::WarpStates states = sms_[i]->take_warp_states();
    SmEpoch& epoch = epochs.emplace_back();
    epoch.cycles = now_ - epoch_began_;
    epoch.idle_cycles = needs_.warp_states ? states.idle_cycles + epoch.cycles - states.cycles : 0;
    epoch.memory_cycles = states.memory_cycles;
    epoch.active_warps = states.active_warps;
    epoch.waiting_warps = states.waiting_warps;
    epoch.excess_memory_warps = states.excess_memory_warps;
    epoch.excess_alu_warps = states.excess_alu_warps;
  }
  for (const auto& k : running_) {
    if (k->cooperative) continue;
    for (std::size_t i = 0; i < sms_.size(); ++i) {
      epochs[i].resident.clear();
      for (const auto& cta : sms_[i]->resident_ctas(k->number))
        epochs[i].resident.push_back({cta.cta, cta.issued, cta.start, cta.paused});
    }
    k->cta_scheduler->on_epoch(now_, epochs, *cta_requests_[static_cast<std::size_t>(k->number)]);
  }
  epoch_began_ = now_;
  next_epoch_ = now_ + needs_.epoch_cycles;
  ask_cta_schedulers_again();
}

}  // namespace heddle::gpu
