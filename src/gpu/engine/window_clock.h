// Advances SMs and the memory system through time in windows. A window is as long as a packet takes
// through an unloaded network, so nothing that an SM does in a window can reach another SM or the
// memory system within it. SMs and memory system may therefore run a window in any order or at
// once; they exchange packets between windows. Several threads share the work; their number changes
// no result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/index_set.h"
#include "base/types.h"
#include "gpu/engine/work_balance.h"
#include "gpu/engine/worker_team.h"
#include "mem/memory_system.h"
#include "mem/sm_port.h"
#include "sm/windowed_sm.h"

namespace heddle::gpu {

class WindowClock {
 public:
  struct Threads {
    std::uint32_t count;
    bool share_always;
  };  // see RunSpec
  // ports[i] belongs to sms[i]. All outlive the clock.
  WindowClock(std::uint32_t window_cycles, std::vector<sm::WindowedSm*> sms,
              std::vector<mem::SmPort*> ports, mem::MemorySystem& memory, const Threads& threads);
  ~WindowClock();

  Cycle now() const { return now_; }
  std::uint32_t window_cycles() const { return window_cycles_; }
  // The GPU is idle until then.
  void skip_to(Cycle cycle) { now_ = cycle; }
  // Kernels have begun, after_idle: on an idle GPU, whose SMs then begin now.
  void kernels_began(bool after_idle);

  // The end of the next window, or of the last of several windows in which nothing happens. Windows
  // always begin at multiples of the window's length, because credits and CTAs are handed out only
  // at these cycles. next: the first event that neither an SM nor the memory system knows of.
  // can_start_cta(): a CTA may start on some SM now.
  template <class CanStart>
  Cycle window_end(Cycle next, CanStart&& can_start_cta) const;
  // Runs the window until `to`.
  void run_window(Cycle to);
  // SMs and memory system exchange the packets of the window, and it is `to`. Calls ran(sm) for
  // each SM that has run, then finished(sm, ctas) where CTAs have finished.
  template <class Ran, class Finished>
  void end_window(Cycle to, Ran&& ran, Finished&& finished);

  // Between windows. An SM with nothing to do in a window is not run; it catches up before it is
  // asked or changed.
  void catch_up(std::size_t sm) {
    run_sm(sm, now_);
    update_wake_cycle(sm);
  }
  // The SM catches up, `act` changes it, and it runs in the next window.
  template <class Act>
  void change(std::size_t sm, Act&& act) {
    run_sm(sm, now_);
    act();
    wake_cycle_[sm] = now_;
  }
  // A CTA was queued on the SM that starts at `at`.
  void cta_queued(std::size_t sm, Cycle at);

  // Every SM without CTAs has finished its write-backs and instruction fetches.
  bool without_ctas_are_drained() const;
  bool any_undrained() const;
  // No SM has an event or a reply before it, and no packet is under way.
  bool nothing_happens() const;

 private:
  class Work;
  // The state of an SM after the last cycle that it has run.
  struct alignas(64) Progress {
    Cycle ran_until;
    Cycle next_event;  // without replies; never() when only a reply can wake the SM
    bool has_ctas = false;
    bool drained = true;
    std::vector<sm::FinishedCta> finished;
  };

  void run_sm(std::size_t i, Cycle to);
  void update_progress(std::size_t i);
  void update_wake_cycle(std::size_t i) {
    wake_cycle_[i] = std::min(progress_[i].next_event, ports_[i]->next_reply());
  }

  std::uint32_t window_cycles_;
  Cycle now_;
  std::vector<sm::WindowedSm*> sms_;
  std::vector<mem::SmPort*> ports_;
  mem::MemorySystem& memory_;
  std::vector<Progress> progress_;  // one per SM
  std::vector<Cycle> wake_cycle_;   // one per SM: its next event or reply, between windows
  IndexSet changed_;                // SMs that ran in the window, or whose port changed
  WorkBalance balance_;
  std::unique_ptr<Work> work_;
  WorkerTeam team_;  // last: its threads use the other members
};

template <class CanStart>
Cycle WindowClock::window_end(Cycle next, CanStart&& can_start_cta) const {
  const Cycle shortest = now_ + window_cycles_;
  next = std::min(next, memory_.next_event(now_));
  for (std::size_t i = 0; i < sms_.size() && next > shortest; ++i)
    next = std::min(next, wake_cycle_[i]);
  if (next == Cycle::never() || next <= shortest || can_start_cta()) return shortest;
  return now_ + (next - now_) / window_cycles_ * window_cycles_;
}

// Global memory receives the window's stores (ran), then its atomics.
template <class Ran, class Finished>
void WindowClock::end_window(Cycle to, Ran&& ran, Finished&& finished) {
  if (team_.threads() > 1)
    changed_.for_each(
        [&](std::uint32_t i) { ports_[i]->prefetch_sent(), __builtin_prefetch(&progress_[i]); });
  changed_.for_each([&](std::uint32_t i) {
    Progress& progress = progress_[i];
    ports_[i]->settle();
    update_wake_cycle(i);
    if (progress.ran_until == to) ran(i);
    if (progress.finished.empty()) return;
    finished(i, progress.finished);
    progress.finished.clear();
  });
  memory_.perform_atomics();
  if (memory_.exchanges()) {
    memory_.exchange(to);
    memory_.changed_ports().for_each([&](std::uint32_t i) {
      ports_[i]->settle();
      update_wake_cycle(i);
    });
  }
  now_ = to;
}

}  // namespace heddle::gpu
