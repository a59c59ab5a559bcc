#include "gpu/engine/cta_epochs.h"

#include <algorithm>

namespace heddle::gpu {

CtaEpochs::CtaEpochs(const Needs& needs, Hardware& hardware, WindowClock& clock,
                     RunningKernels& running)
    : needs_(needs),
      hardware_(hardware),
      clock_(clock),
      running_(running),
      requests_(running.most()) {
  for (std::size_t i = 0; i < hardware.sms(); ++i)
    hardware.sm(i).count({needs_.issue_counts, needs_.warp_states});
}

void CtaEpochs::begin() {
  began_ = clock_.now();
  const bool has_epochs =
      needs_.epoch_cycles &&
      std::any_of(running_.begin(), running_.end(), [](const auto& k) { return !k->cooperative; });
  next_ = has_epochs ? began_ + needs_.epoch_cycles : Cycle::never();
  for (Requests& requests : requests_) requests.list.clear();
  if (needs_.warp_states)
    for (std::size_t i = 0; i < hardware_.sms(); ++i) hardware_.sm(i).take_warp_states();
}

void CtaEpochs::serve() {
  if (clock_.now() >= next_) end_epoch();
  for (const auto& k : running_) {
    auto& requests = requests_[static_cast<std::size_t>(k->number)].list;
    for (const Requests::Request& request : requests) {
      const auto i = static_cast<std::size_t>(request.sm);
      check_invariant(i < hardware_.sms(),
                      "the CTA scheduler paused a CTA of an SM that does not exist");
      clock_.change(i, [&] { hardware_.sm(i).set_paused(request.cta, request.pause, k->number); });
    }
    requests.clear();
  }
}

// The states of warps are those of all kernels of the SM.
std::vector<SmEpoch> CtaEpochs::measure_epoch() {
  std::vector<SmEpoch> epochs(hardware_.sms());
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    clock_.catch_up(i);
    const sm::WarpStates states = hardware_.sm(i).take_warp_states();
    SmEpoch& epoch = epochs[i];
    epoch.cycles = clock_.now() - began_;
    epoch.idle_cycles = needs_.warp_states ? states.idle_cycles + epoch.cycles - states.cycles : 0;
    epoch.memory_cycles = states.memory_cycles;
    epoch.active_warps = states.active_warps;
    epoch.waiting_warps = states.waiting_warps;
    epoch.excess_memory_warps = states.excess_memory_warps;
    epoch.excess_alu_warps = states.excess_alu_warps;
  }
  return epochs;
}

// The CTAs of an epoch are the kernel's own.
void CtaEpochs::end_epoch() {
  const Cycle now = clock_.now();
  std::vector<SmEpoch> epochs = measure_epoch();
  for (const auto& k : running_) {
    if (k->cooperative) continue;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
      epochs[i].resident.clear();
      for (const auto& cta : hardware_.sm(i).resident_ctas(k->number))
        epochs[i].resident.push_back({cta.cta, cta.issued, cta.start, cta.paused});
    }
    k->cta_scheduler->on_epoch(now, epochs, control(k->number));
  }
  began_ = now;
  next_ = now + needs_.epoch_cycles;
  running_.forget_declines();
}

}  // namespace heddle::gpu
