// Launches that do not run to their end in time: they reach a limit and are finished functionally,
// or they hang.
#include <algorithm>
#include <utility>

#include "exec/livelock/hang_report.h"
#include "exec/state/warps.h"
#include "gpu/engine.h"

namespace heddle::gpu {

bool Engine::reached(const Until& until, std::uint64_t instructions_before) const {
  if (until.cycles && now_ - launch_cycle_ >= until.cycles) return true;
  return until.thread_instructions &&
         thread_instructions() - instructions_before >= until.thread_instructions;
}

// Stores are visible at the end of every window. Pending atomics act now; the CTAs continue with
// the registers and SIMT stacks of their warps.
void Engine::finish_untimed(const exec::Launch& launch, KernelResult& result,
                            const exec::StopRequest* stop) {
  hang_watch_->stop();
  std::vector<exec::StartedCta> started;
  std::vector<std::uint64_t> waiting;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    exec::Machine& machine = sources_[i]->warps()->machine();
    for (std::uint32_t atomic = 0; atomic < machine.atomics.size(); ++atomic)
      sources_[i]->perform_atomic(atomic, LaneMask{~std::uint32_t{0}});
    for (exec::StartedCta& cta : sms_[i]->started_ctas()) started.push_back(std::move(cta));
    const auto queued = sms_[i]->queued_ctas();
    waiting.insert(waiting.end(), queued.begin(), queued.end());
  }
  for (std::uint64_t cta = 0; cta < placed_.size(); ++cta)
    if (!placed_[cta]) waiting.push_back(cta);
  std::sort(waiting.begin(), waiting.end());
  const exec::MachineView view{0, spec_.sms(), spec_.sm.max_warps(), spec_.clocks.core_mhz};
  const exec::FunctionalCounts rest =
      exec::finish_functionally(launch, memory_, view, started, waiting, stop);
  result.untimed_warp_instructions = rest.warp_instructions;
  result.untimed_thread_instructions = rest.thread_instructions;
}

// CTAs remain, but nothing is in flight and no future cycle has an event.
bool Engine::deadlocked() const {
  if (!memory_system_->idle()) return false;
  bool resident = false;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (wake_cycle_[i] != Cycle::never() || !ports_[i]->idle() || can_start_cta(i)) return false;
    resident |= !progress_[i].drained;
  }
  check_invariant(resident || all_placed(),
                  "the CTA scheduler started no CTA although no CTA was resident");
  return resident;
}

// The running launch as the hang watch sees it.
class Engine::RunningLaunch final : public exec::ObservedRun {
 public:
  explicit RunningLaunch(const Engine& engine) : engine_(engine) {}

  std::vector<exec::LiveWarp> live_warps() const override {
    std::vector<exec::LiveWarp> list;
    for (std::size_t sm = 0; sm < engine_.sms_.size(); ++sm) {
      const WarpMask at_barrier = engine_.sms_[sm]->warps_at_barrier();
      engine_.sms_[sm]->live_warps().for_each([&](WarpSlot w) {
        const exec::Warp& warp = engine_.sources_[sm]->warps()->warp(w.index);
        list.push_back({.warp = &warp,
                        .detector = sm,
                        .at_barrier = at_barrier.test(w),
                        .spins = warp.spin_pc != kNoPc});
      });
    }
    return list;
  }

  bool pending_work() const override {
    for (std::size_t sm = 0; sm < engine_.sms_.size(); ++sm)
      if (!engine_.sms_[sm]->queued_ctas().empty() || engine_.can_start_cta(sm) ||
          engine_.sources_[sm]->warps()->machine().atomics.pending() > 0)
        return true;
    return false;
  }

  std::string describe_warps(int max_warps) const override {
    return engine_.describe_warps(max_warps);
  }

 private:
  const Engine& engine_;
};

// Replayed warps have no state that could be compared, so they are not observed.
void Engine::start_hang_watch(const exec::Launch& launch) {
  std::vector<exec::Machine*> machines;
  for (const auto& source : sources_)
    if (source->warps()) machines.push_back(&source->warps()->machine());
  hang_watch_ = std::make_unique<exec::TimedHangWatch>(launch, memory_, std::move(machines),
                                                       launch_cycle_, now_);
}

void Engine::look_for_hang() {
  const RunningLaunch launch(*this);
  if (hang_watch_->look(now_, launch) == exec::Verdict::livelock)
    hang_watch_->throw_livelock(launch);
}

std::string Engine::describe_warps(int max_warps) const {
  std::string lines;
  int shown = 0;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    WarpMask repeating;
    sms_[sm]->live_warps().for_each([&](WarpSlot w) {
      exec::Warps* const warps = sources_[sm]->warps();
      repeating.assign(w, warps && hang_watch_->repeats(sm, warps->warp(w.index)));
    });
    for (const auto& line : sms_[sm]->describe_warps(repeating))
      if (shown++ < max_warps) lines += "\n  SM " + std::to_string(sm) + "  " + line;
  }
  return lines + exec::more_warps_line(shown, max_warps);
}

}  // namespace heddle::gpu
