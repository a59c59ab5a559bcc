#include "gpu/engine/run_limits.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exec/isa/remote.h"
#include "exec/state/warps.h"

namespace heddle::gpu {

// What is left of a replayed launch is counted. That of another one is executed: stores are visible
// at the end of every window, pending atomics act now, and the CTAs continue with the registers and
// SIMT stacks of their warps.
exec::FunctionalCounts finish_untimed(RunningKernel& k, const Hardware& hardware,
                                      const exec::StopRequest* stop, const exec::LastCtas& last) {
  if (const exec::ReplayedLaunch* const replay = k.launch.replay) {
    k.result.untimed_warp_instructions = replay->warp_instructions() - k.result.warp_instructions;
    k.result.untimed_thread_instructions =
        replay->thread_instructions() - k.result.thread_instructions;
    return {};
  }
  k.hang_watch->stop();
  std::vector<exec::StartedCta> started;
  std::vector<std::uint64_t> waiting;
  for (std::size_t i = 0; i < hardware.sms(); ++i) {
    exec::Machine& machine = k.sources[i]->warps()->machine();
    exec::perform_all_remote(machine);
    for (std::uint32_t atomic = 0; atomic < machine.atomics.size(); ++atomic)
      k.sources[i]->perform_atomic(atomic, LaneMask{~std::uint32_t{0}});
    const sm::Sm& sm = hardware.sm(i);
    for (exec::StartedCta& cta : sm.started_ctas(k.number)) started.push_back(std::move(cta));
    const auto queued = sm.queued_ctas(k.number);
    waiting.insert(waiting.end(), queued.begin(), queued.end());
  }
  for (std::uint64_t cta = 0; cta < k.placed.size(); ++cta)
    if (!k.placed[cta]) waiting.push_back(cta);
  std::sort(waiting.begin(), waiting.end());
  const config::GpuSpec& spec = hardware.spec();
  const exec::MachineView view{0, spec.sms(), spec.sm.max_warps(), spec.sm.flow.taken_lanes_first,
                               spec.clocks.core_mhz};
  const exec::FunctionalCounts rest =
      exec::finish_functionally(k.launch, *k.memory, view, started, waiting, stop, last);
  k.result.untimed_warp_instructions = rest.warp_instructions;
  k.result.untimed_thread_instructions = rest.thread_instructions;
  return rest;
}

}  // namespace heddle::gpu
