#include "gpu/engine/share_epochs.h"
#include "sm/cta/occupancy.h"

#include <utility>

namespace heddle::gpu {

ShareEpochs::ShareEpochs(std::unique_ptr<ShareScheduler> policy, Hardware& hardware,
                         WindowClock& clock, RunningKernels& running)
    : policy_(std::move(policy)),
      needs_(policy_->needs()),
      hardware_(hardware),
      clock_(clock),
      running_(running),
      before_(running.most() * hardware.sms()) {}

void ShareEpochs::programs_changed(const std::vector<std::uint32_t>& present) {
  policy_->programs_changed(present, clock_.now());
  if (!running_.empty()) kernels_changed();
}

void ShareEpochs::kernels_changed() {
  std::vector<SharedKernel> kernels;
  for (const auto& k : running_) {
    const exec::Launch& launch = k->launch;
    const std::uint64_t warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
    kernels.push_back({k->number,
                       k->launch_number,
                       {static_cast<int>(warps),
                        sm::registers_of_cta(warps * kWarpSize, k->placing.registers_per_thread),
                        std::uint64_t{launch.kernel->shared_bytes} + launch.dynamic_shared_bytes},
                       k->placing.ctas_per_sm,
                       k->all_placed(),
                       program_of(*k),
                       launch.kernel->name});
  }
  policy_->kernels_changed(kernels, clock_.now());
  running_.forget_declines();
  end_ = Cycle::never();
  if (running_.size() > 1 && needs_.epoch_cycles > 0) {
    began_ = clock_.now();
    measure_epoch();
    end_ = began_ + needs_.epoch_cycles;
  }
  set_quotas();
}

void ShareEpochs::end_epoch_when_due() {
  const Cycle now = clock_.now();
  if (now < end_) return;
  if (needs_.memory)  // an SM may have been quiescent
    for (std::size_t i = 0; i < hardware_.sms(); ++i) clock_.catch_up(i);
  policy_->on_epoch(measure_epoch(), now);
  began_ = now;
  end_ = now + needs_.epoch_cycles;
  running_.forget_declines();
  set_quotas();
}

// Since the last call, by kernel and SM.
std::vector<SharedEpoch> ShareEpochs::measure_epoch() {
  std::vector<SharedEpoch> epochs;
  for (const auto& k : running_) {
    for (std::size_t i = 0; i < hardware_.sms(); ++i) {
      const sm::Sm& sm = hardware_.sm(i);
      const sm::Sm::Issued now = sm.issued(k->number);
      const sm::Sm::Issued before = std::exchange(progress_of(*k, i).issued, now);
      epochs.push_back({k->number, static_cast<int>(i), sm.ctas(k->number),
                        now.warp_instructions - before.warp_instructions,
                        now.thread_instructions - before.thread_instructions});
    }
  }
  if (needs_.memory) add_memory_figures(epochs);
  return epochs;
}

// What ShareNeeds::memory asks for.
void ShareEpochs::add_memory_figures(std::vector<SharedEpoch>& epochs) {
  const config::GpuSpec& spec = hardware_.spec();
  const std::uint64_t data_cycles = hardware_.memory().stats().dram.data_cycles;
  const double dram_cycles = static_cast<double>(clock_.now() - began_) * spec.clocks.dram_mhz /
                             spec.clocks.core_mhz * spec.memory.channels;
  const auto busy = static_cast<double>(data_cycles - std::exchange(data_cycles_, data_cycles));
  auto epoch = epochs.begin();
  for (const auto& k : running_) {
    for (std::size_t i = 0; i < hardware_.sms(); ++i, ++epoch) {
      const sm::SmStats stats = hardware_.sm(i).kernel_stats(k->number);
      const std::uint64_t slots = stats.scheduler_cycles,
                          lost = slots - stats.slots[static_cast<std::size_t>(sm::SlotUse::issued)];
      Progress& before = progress_of(*k, i);
      epoch->issue_slots = slots - std::exchange(before.slots, slots);
      epoch->lost_slots = lost - std::exchange(before.lost_slots, lost);
      epoch->dram_busy_percent = dram_cycles > 0 ? 100 * busy / dram_cycles : 0;
    }
  }
}

void ShareEpochs::set_quotas() {
  if (!needs_.issue_quotas) return;
  const bool shared = running_.size() > 1;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    clock_.change(i, [&] {
      for (const auto& k : running_)
        hardware_.sm(i).set_quota(
            k->number, shared ? policy_->quota(k->number, static_cast<int>(i)) : sm::Sm::kNoQuota);
    });
}

}  // namespace heddle::gpu
