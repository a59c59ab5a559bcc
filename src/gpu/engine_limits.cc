// How a launch ends before its last CTA has: at a limit, or because it hangs.
#include <algorithm>
#include <utility>

#include "base/demangle.h"
#include "exec/state/warps.h"
#include "gpu/engine.h"

namespace heddle::gpu {
namespace {
constexpr std::uint64_t kCyclesBetweenLooks = 4096;
constexpr std::uint64_t kSuspiciousAge = std::uint64_t{1}
                                         << 23;  // cycles; chosen here: seconds of waiting
constexpr int kMostSuspects = 8;
constexpr std::uint64_t kShareWatched = 4;  // of the launch's time so far: so long it is watched,
                                            // then left alone until it is twice as old
}  // namespace

bool Engine::reached(const Until& until, std::uint64_t instructions_before) const {
  if (until.cycles && now_ - launch_cycle_ >= until.cycles) return true;
  return until.thread_instructions &&
         thread_instructions() - instructions_before >= until.thread_instructions;
}

// Stores are visible at every window's end. Atomics under way act now, and the CTAs go on from
// their warps' registers and stacks.
void Engine::finish_untimed(const exec::Launch& launch, KernelResult& result,
                            const exec::StopRequest* stop) {
  std::vector<exec::StartedCta> started;
  std::vector<std::uint64_t> waiting;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    exec::Machine& machine = sources_[i]->warps()->machine();
    machine.watch = nullptr;
    for (std::uint32_t atomic = 0; atomic < machine.atomics.size(); ++atomic)
      sources_[i]->perform_atomic(atomic, LaneMask{~std::uint32_t{0}});
    for (exec::StartedCta& cta : sms_[i]->started_ctas()) started.push_back(std::move(cta));
    const auto queued = sms_[i]->queued_ctas();
    waiting.insert(waiting.end(), queued.begin(), queued.end());
  }
  while (!dispatcher_->exhausted()) {
    free_slots_.assign(sms_.size(), 1);
    placements_.clear();
    dispatcher_->dispatch(now_, now_ + 1, free_slots_, placements_);
    for (const auto& placement : placements_) waiting.push_back(placement.cta);
  }
  std::sort(waiting.begin(), waiting.end());
  const exec::MachineView view{0, spec_.sms(), spec_.sm.max_warps(), spec_.clocks.core_mhz};
  const exec::FunctionalCounts rest =
      exec::finish_functionally(launch, memory_, view, started, waiting, stop);
  result.untimed_warp_instructions = rest.warp_instructions;
  result.untimed_thread_instructions = rest.thread_instructions;
}

void Engine::watch(bool on) {
  watches_ = std::vector<exec::LivelockDetector>(on ? sms_.size() : 0);
  for (std::size_t i = 0; i < sms_.size(); ++i)
    sources_[i]->warps()->machine().watch = on ? &watches_[i] : nullptr;
}

// A launch that has run for long is watched for a while: do its warps turn in loops in which
// nothing changes?
void Engine::look_for_hang(const exec::Launch& launch) {
  const std::uint64_t age = now_ - launch_cycle_;
  if (!sources_.front()->warps()) {  // replayed
    next_look_ = Cycle::never();
    return;
  }
  if (watches_.empty()) {
    watch(true);
    watched_host_ =
        exec::host_may_write(launch, memory_);  // if not now, then not while the launch runs
    watched_until_ = now_ + age / kShareWatched;
  } else if (turns_for_ever() && !watched_host_) {
    report_deadlock(launch,
                    "all warps turn in loops in which nothing changes, or wait for those that do",
                    exec::why_not_the_host(memory_));
  } else if (const bool told = std::any_of(watches_.begin(), watches_.end(),
                                           [](const auto& w) { return w.told(); });
             told || now_ >= watched_until_) {
    if (!told && age >= kSuspiciousAge && all_turn_or_wait() && !std::exchange(suspected_, true))
      exec::warn_probable_livelock(
          launch, std::to_string(age / (kShareWatched + 1) / 1'000'000) + " million cycles",
          standing(kMostSuspects));
    watch(false);
    next_look_ = launch_cycle_ + 2 * age;
    return;
  }
  next_look_ = now_ + kCyclesBetweenLooks;
}

WarpMask Engine::turning(std::size_t sm) const {
  WarpMask mask;
  if (watches_.empty()) return mask;
  sms_[sm]->live_warps().for_each([&](WarpSlot w) {
    mask.assign(w, watches_[sm].recurs(sources_[sm]->warps()->warp(w.index)));
  });
  return mask;
}

// Is every warp in a loop that looks at what others write, or at a barrier?
bool Engine::all_turn_or_wait() const {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    bool all = true;
    (sms_[i]->live_warps() & ~sms_[i]->warps_at_barrier()).for_each([&](WarpSlot w) {
      all = all && sources_[i]->warps()->warp(w.index).spin_pc != kNoPc;
    });
    if (!all) return false;
  }
  return true;
}

bool Engine::turns_for_ever() const {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (watches_[i].changed() || !sms_[i]->queued_ctas().empty()) return false;
    if (sources_[i]->warps()->machine().atomics.pending() > 0)
      return false;  // arrivals at mbarriers come later
    if (!dispatcher_->exhausted() && seats_[i].free_slots > 0) return false;
    WarpMask at_barrier = sms_[i]->warps_at_barrier();
    at_barrier.for_each([&](WarpSlot w) {
      at_barrier.assign(w, !watches_[i].has_run(sources_[i]->warps()->warp(w.index)));
    });
    if ((sms_[i]->live_warps() & ~(turning(i) | at_barrier)).any()) return false;
  }
  return true;
}

std::string Engine::standing(int most) const {
  std::string lines;
  int shown = 0;
  for (std::size_t i = 0; i < sms_.size(); ++i)
    for (const auto& line : sms_[i]->describe_warps(turning(i)))
      if (shown++ < most) lines += "\n  SM " + std::to_string(i) + "  " + line;
  if (shown > most) lines += "\n  and " + std::to_string(shown - most) + " more warps";
  return lines;
}

void Engine::report_deadlock(const exec::Launch& launch, const std::string& what,
                             const std::string& more) const {
  constexpr int kMostShown = 32;
  const std::string where =
      "\n  kernel   " + readable_name(launch.kernel->name) + standing(kMostShown);
  throw exec::KernelFault(exec::KernelFault::Kind::deadlock,
                          "heddle: deadlock: " + what + where + more);
}

}  // namespace heddle::gpu
