// When the judge looks at a launch. Observation costs time, so a launch is observed only when it
// runs for long, and a functional one also when all its warps spin.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "exec/livelock/hang_judge.h"

namespace heddle::exec {

// A timed launch is observed for a fraction of its age, and again when it is twice as old.
class TimedHangWatch {
 public:
  // machines: one per SM; none when the launch is replayed, which is never observed.
  TimedHangWatch(const Launch& launch, const GlobalMemory& memory, std::vector<Machine*> machines,
                 Cycle launch_start, Cycle first_cycle);

  Cycle next_look() const { return next_look_; }
  // Between windows, at next_look() or later. Prints the warning about a probable livelock.
  Verdict look(Cycle now, const ObservedRun& run);
  void stop();

  bool repeats(std::size_t sm, const Warp& w) const { return active_ && judge_.repeats(sm, w); }
  [[noreturn]] void throw_livelock(const ObservedRun& run) const { judge_.throw_livelock(run); }

 private:
  void start();

  HangJudge judge_;
  std::vector<Machine*> machines_;
  Cycle launch_start_, next_look_, end_;
  bool active_ = false;
};

// A functional launch is observed while all its warps spin and no CTA is left to start. An
// observation that saw a change makes the next one begin later. Loops through barriers never spin:
// therefore a launch is also observed for a fraction of its age, and again when it is twice as old.
class FunctionalHangWatch {
 public:
  FunctionalHangWatch(const Launch& launch, const GlobalMemory& memory)
      : judge_(launch, memory, 1) {}

  // The detector of the next round of all CTAs; null when the launch is not observed.
  LivelockDetector* detector() { return active_ || by_age_ ? &judge_.detector(0) : nullptr; }
  bool all_spin() const { return active_; }  // the launch is observed because all its warps spin
  void stop() { active_ = by_age_ = false; }
  // Observes one warp alone: does it repeat its state?
  LivelockDetector* observe_one_warp();
  bool repeats(const Warp& w) const { return judge_.repeats(0, w); }

  // After a round in which all warps spun. instructions: executed by the launch so far. Prints the
  // warning about a probable livelock.
  Verdict look(std::uint64_t instructions, const ObservedRun& run);
  // After a round in which some warp did not spin, and during an observation that began so.
  Verdict look_at_age(std::uint64_t instructions, const ObservedRun& run);
  [[noreturn]] void throw_livelock(const ObservedRun& run, const std::string& printed) const {
    judge_.throw_livelock(run, printed);
  }

 private:
  HangJudge judge_;
  bool active_ = false, by_age_ = false;
  std::uint64_t first_instruction_ = 0;  // of the observation
  std::uint64_t rounds_ = 0, rounds_between_ = 1;
  std::uint64_t observe_at_ = std::uint64_t{1} << 22, observe_to_ = 0;  // instructions
};

}  // namespace heddle::exec
