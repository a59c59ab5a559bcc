// Launches that do not run to their end in time: they reach a limit and are finished functionally,
// or they hang.
#include <algorithm>
#include <utility>

#include "exec/livelock/hang_report.h"
#include "exec/state/warps.h"
#include "gpu/engine.h"

namespace heddle::gpu {

Cycle Engine::first_start() const {
  Cycle first = Cycle::never();
  for (const auto& k : running_) first = std::min(first, k->launch_cycle);
  return first;
}

bool Engine::reached(const Until& until) const {
  if (running_.empty()) return false;
  if (until.cycles && now_ - first_start() >= until.cycles) return true;
  if (!until.thread_instructions) return false;
  std::uint64_t instructions = 0;
  for (const auto& sm : sms_) instructions += sm->thread_instructions();
  return instructions - instructions_ended_ >= until.thread_instructions;
}

// Stores are visible at the end of every window. Pending atomics act now; the CTAs continue with
// the registers and SIMT stacks of their warps.
void Engine::finish_untimed(RunningKernel& k, const exec::StopRequest* stop) {
  k.hang_watch->stop();
  std::vector<exec::StartedCta> started;
  std::vector<std::uint64_t> waiting;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    exec::Machine& machine = k.sources[i]->warps()->machine();
    for (std::uint32_t atomic = 0; atomic < machine.atomics.size(); ++atomic)
      k.sources[i]->perform_atomic(atomic, LaneMask{~std::uint32_t{0}});
    for (exec::StartedCta& cta : sms_[i]->started_ctas(k.number)) started.push_back(std::move(cta));
    const auto queued = sms_[i]->queued_ctas(k.number);
    waiting.insert(waiting.end(), queued.begin(), queued.end());
  }
  for (std::uint64_t cta = 0; cta < k.placed.size(); ++cta)
    if (!k.placed[cta]) waiting.push_back(cta);
  std::sort(waiting.begin(), waiting.end());
  const exec::MachineView view{0, spec_.sms(), spec_.sm.max_warps(), spec_.clocks.core_mhz};
  const exec::FunctionalCounts rest =
      exec::finish_functionally(k.launch, *k.memory, view, started, waiting, stop);
  k.result.untimed_warp_instructions = rest.warp_instructions;
  k.result.untimed_thread_instructions = rest.thread_instructions;
}

// CTAs remain, but nothing is in flight and no future cycle has an event.
bool Engine::deadlocked() const {
  if (!memory_system_->idle() || !later_.empty()) return false;
  bool resident = false, all_placed = true;
  for (const auto& k : running_) {
    if (k->ready > now_ || complete(*k)) return false;
    all_placed &= k->all_placed();
  }
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (wake_cycle_[i] != Cycle::never() || !ports_[i]->idle() || can_start_cta(i)) return false;
    resident |= !progress_[i].drained;
  }
  check_invariant(resident || all_placed,
                  "the CTA scheduler started no CTA although no CTA was resident");
  return resident;
}

// A running launch as its hang watch sees it. A launch that waits for another one is not
// livelocked, so other launches of its program count as pending work.
class Engine::RunningLaunch final : public exec::ObservedRun {
 public:
  RunningLaunch(const Engine& engine, const RunningKernel& kernel) : engine_(engine), k_(kernel) {}

  std::vector<exec::LiveWarp> live_warps() const override {
    std::vector<exec::LiveWarp> list;
    for (std::size_t sm = 0; sm < engine_.sms_.size(); ++sm) {
      const WarpMask at_barrier = engine_.sms_[sm]->warps_at_barrier(k_.number);
      engine_.sms_[sm]->live_warps(k_.number).for_each([&](WarpSlot w) {
        const exec::Warp& warp = k_.sources[sm]->warps()->warp(w.index);
        list.push_back({.warp = &warp,
                        .detector = sm,
                        .at_barrier = at_barrier.test(w),
                        .spins = warp.spin_pc != kNoPc});
      });
    }
    return list;
  }

  bool pending_work() const override {
    if (others_of_program() || !engine_.later_.empty()) return true;
    for (std::size_t sm = 0; sm < engine_.sms_.size(); ++sm)
      if (!engine_.sms_[sm]->queued_ctas(k_.number).empty() || engine_.can_start_cta(k_, sm) ||
          k_.sources[sm]->warps()->machine().atomics.pending() > 0)
        return true;
    return false;
  }

  std::string describe_warps(int max_warps) const override {
    return engine_.describe_warps(max_warps);
  }

 private:
  bool others_of_program() const {
    const auto same = [&](const QueuedKernel& k) { return program_of(k) == program_of(k_); };
    return std::any_of(engine_.queued_.begin(), engine_.queued_.end(), same) ||
           std::any_of(engine_.running_.begin(), engine_.running_.end(),
                       [&](const auto& k) { return k.get() != &k_ && same(*k); });
  }

  const Engine& engine_;
  const RunningKernel& k_;
};

// Replayed warps have no state that could be compared, so they are not observed.
void Engine::start_hang_watch(RunningKernel& k) {
  std::vector<exec::Machine*> machines;
  for (const auto& source : k.sources)
    if (source->warps()) machines.push_back(&source->warps()->machine());
  k.hang_watch = std::make_unique<exec::TimedHangWatch>(k.launch, *k.memory, std::move(machines),
                                                        k.launch_cycle, k.ready);
}

void Engine::look_for_hangs() {
  for (const auto& k : running_) {
    if (now_ < k->hang_watch->next_look()) continue;
    const RunningLaunch launch(*this, *k);
    if (k->hang_watch->look(now_, launch) == exec::Verdict::livelock)
      k->hang_watch->throw_livelock(launch);
  }
}

std::string Engine::describe_warps(int max_warps) const {
  std::string lines;
  int shown = 0;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    WarpMask repeating;
    for (const auto& k : running_)
      sms_[sm]->live_warps(k->number).for_each([&](WarpSlot w) {
        exec::Warps* const warps = k->sources[sm]->warps();
        repeating.assign(w, warps && k->hang_watch->repeats(sm, warps->warp(w.index)));
      });
    for (const auto& line : sms_[sm]->describe_warps(repeating))
      if (shown++ < max_warps) lines += "\n  SM " + std::to_string(sm) + "  " + line;
  }
  return lines + exec::more_warps_line(shown, max_warps) + describe_unstarted();
}

}  // namespace heddle::gpu
