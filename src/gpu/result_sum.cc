#include "gpu/result_sum.h"

#include <algorithm>

namespace heddle::gpu {
namespace {

void add(CtaTimes& sum, const CtaTimes& times) {
  sum.count += times.count;
  sum.total_cycles += times.total_cycles;
  sum.longest_cycles = std::max(sum.longest_cycles, times.longest_cycles);
  sum.last_cycles = times.last_cycles;
  sum.last_dispatched_cycles = times.last_dispatched_cycles;
  if (times.last_dispatched_cycles == 0) return;
  sum.last_dispatched_sum += times.last_dispatched_cycles;
  ++sum.launches;
}

}  // namespace

void ResultSum::add(const KernelResult& result) {
  active_.add(result.start, result.cycles);
  total_.cycles = active_.count();
  total_.warp_instructions += result.warp_instructions;
  total_.thread_instructions += result.thread_instructions;
  gpu::add(total_.ctas, result.ctas);
  stats::add(total_.sm, result.sm);
  stats::subtract<sm::CycleStats>(total_.sm, result.repeated);
  stats::add(total_.memory, result.memory);
  total_.policy.add(result.policy);
  if (result.first_warp) {
    if (!total_.first_warp) total_.first_warp.emplace();
    stats::add(*total_.first_warp, *result.first_warp);
  }
  if (!result.cta_sharing) return;
  if (!total_.cta_sharing) total_.cta_sharing.emplace();
  total_.cta_sharing->add(*result.cta_sharing);
}

void KernelResult::subtract(const KernelResult& before) {
  cycles -= before.cycles;
  warp_instructions -= before.warp_instructions;
  thread_instructions -= before.thread_instructions;
  ctas.count -= before.ctas.count;
  ctas.total_cycles -= before.ctas.total_cycles;
  stats::subtract(sm, before.sm);
  stats::subtract(memory, before.memory);
  policy.subtract(before.policy);
}

void add_part(KernelResult& sum, const KernelResult& part) {
  sum.cycles += part.cycles;
  sum.warp_instructions += part.warp_instructions;
  sum.thread_instructions += part.thread_instructions;
  sum.ctas.count += part.ctas.count;
  sum.ctas.total_cycles += part.ctas.total_cycles;
  stats::add(sum.sm, part.sm);
  stats::add(sum.memory, part.memory);
  sum.policy.add(part.policy);
}

KernelResult RunSum::total() const {
  KernelResult total = (timed_.empty ? functional_ : timed_).sum.total();
  total.functional = timed_.empty && !functional_.empty;
  return total;
}

KernelResult sum_of(const std::vector<KernelResult>& results) {
  RunSum sum;
  for (const KernelResult& result : results) sum.add(result);
  return sum.total();
}

}  // namespace heddle::gpu
