#include "gpu/engine/cta_epochs.h"

#include <algorithm>

#include "exec/state/machine.h"
#include "gpu/engine/gpcs.h"

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
      if (k->launch.clusters) {
        pause_cluster(*k, request.cta, request.pause);
        continue;
      }
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

// A GPC does what its SMs do; what is resident are clusters.
std::vector<SmEpoch> CtaEpochs::epochs_of_gpcs(const RunningKernel& k,
                                               const std::vector<SmEpoch>& sms) const {
  const Gpcs gpcs(hardware_.spec());
  std::vector<SmEpoch> epochs(gpcs.count());
  for (std::size_t i = 0; i < sms.size(); ++i) {
    SmEpoch& epoch = epochs[gpcs.of(i)];
    epoch.cycles += sms[i].cycles;
    epoch.idle_cycles += sms[i].idle_cycles;
    epoch.memory_cycles += sms[i].memory_cycles;
    epoch.active_warps += sms[i].active_warps;
    epoch.waiting_warps += sms[i].waiting_warps;
    epoch.excess_memory_warps += sms[i].excess_memory_warps;
    epoch.excess_alu_warps += sms[i].excess_alu_warps;
    for (const auto& cta : hardware_.sm(i).resident_ctas(k.number)) {
      const std::uint64_t cluster = k.launch.clusters->shape.place_of(cta.cta).cluster;
      const auto known = std::find_if(epoch.resident.begin(), epoch.resident.end(),
                                      [&](const SmEpoch::Cta& c) { return c.cta == cluster; });
      if (known == epoch.resident.end())
        epoch.resident.push_back({cluster, cta.issued, cta.start, cta.paused});
      else
        known->issued += cta.issued;
    }
  }
  for (SmEpoch& epoch : epochs)
    std::stable_sort(
        epoch.resident.begin(), epoch.resident.end(),
        [](const SmEpoch::Cta& a, const SmEpoch::Cta& b) { return a.start < b.start; });
  return epochs;
}

void CtaEpochs::pause_cluster(const RunningKernel& k, std::uint64_t cluster, bool pause) {
  const exec::ClusterCtas& clusters = *k.launch.clusters;
  for (std::uint32_t rank = 0; rank < clusters.shape.ctas(); ++rank) {
    const std::uint64_t number = clusters.shape.cta_at({cluster, rank});
    const exec::Cta* const cta = clusters.entries[number].cta;
    if (!cta) continue;
    const std::size_t i = cta->warps.front()->machine->view.sm;
    clock_.change(i, [&] { hardware_.sm(i).set_paused(number, pause, k.number); });
  }
}

// The CTAs of an epoch are the kernel's own.
void CtaEpochs::end_epoch() {
  const Cycle now = clock_.now();
  std::vector<SmEpoch> epochs = measure_epoch();
  for (const auto& k : running_) {
    if (k->cooperative) continue;
    if (k->launch.clusters) {
      k->cta_scheduler->on_epoch(now, epochs_of_gpcs(*k, epochs), control(k->number));
      continue;
    }
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
