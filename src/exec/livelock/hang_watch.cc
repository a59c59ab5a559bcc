#include "exec/livelock/hang_watch.h"

#include <string>

namespace heddle::exec {
namespace {

// Cycles. The values are chosen here.
constexpr std::uint64_t kFirstLook = 1'000'000;  // of a launch
constexpr std::uint64_t kCyclesBetweenLooks = 4096;
constexpr std::uint64_t kMinWarningAge = std::uint64_t{1} << 23;
constexpr std::uint64_t kObservedFraction = 4;  // 1/4 of the launch's age
// Warp instructions in which all warps spin: a second.
constexpr std::uint64_t kMinWarningInstructions = std::uint64_t{1} << 26;
constexpr std::uint64_t kAgeObservedFraction = 16;  // 1/16 of the launch's instructions

std::string millions(std::uint64_t count, const char* unit) {
  return std::to_string(count / 1'000'000) + " million " + unit;
}

}  // namespace

TimedHangWatch::TimedHangWatch(const Launch& launch, const GlobalMemory& memory,
                               std::vector<Machine*> machines, Cycle launch_start,
                               Cycle first_cycle)
    : judge_(launch, memory, machines.size()),
      machines_(std::move(machines)),
      launch_start_(launch_start),
      next_look_(machines_.empty() ? Cycle::never() : first_cycle + kFirstLook) {}

void TimedHangWatch::start() {
  judge_.begin();
  for (std::size_t sm = 0; sm < machines_.size(); ++sm)
    machines_[sm]->detector = &judge_.detector(sm);
  active_ = true;
}

void TimedHangWatch::stop() {
  for (Machine* machine : machines_) machine->detector = nullptr;
  active_ = false;
}

Verdict TimedHangWatch::look(Cycle now, const ObservedRun& run) {
  const std::uint64_t age = now - launch_start_;
  next_look_ = now + kCyclesBetweenLooks;
  if (!active_) {
    start();
    end_ = now + age / kObservedFraction;
    return Verdict::progress;
  }
  const bool over = now >= end_;
  const Verdict verdict = judge_.verdict(run, over && age >= kMinWarningAge);
  if (verdict == Verdict::livelock) return verdict;
  if (verdict == Verdict::probable_livelock)
    judge_.warn(run, millions(age / (kObservedFraction + 1), "cycles"));
  if (over || judge_.visible_change()) {
    stop();
    next_look_ = launch_start_ + 2 * age;
  }
  return verdict;
}

LivelockDetector* FunctionalHangWatch::observe_one_warp() {
  stop();
  judge_.detector(0).begin();
  return &judge_.detector(0);
}

Verdict FunctionalHangWatch::look(std::uint64_t instructions, const ObservedRun& run) {
  if (by_age_) return look_at_age(instructions, run);
  if (!active_ || judge_.visible_change()) {
    if (active_) rounds_between_ *= 2;
    active_ = ++rounds_ % rounds_between_ == 0;
    if (!active_) return Verdict::progress;
    judge_.begin();
    first_instruction_ = instructions;
    return Verdict::progress;
  }
  const std::uint64_t observed = instructions - first_instruction_;
  const Verdict verdict = judge_.verdict(run, observed >= kMinWarningInstructions);
  if (verdict == Verdict::probable_livelock) judge_.warn(run, millions(observed, "instructions"));
  // The host may have written unseen; its threads may have ended since.
  if (verdict == Verdict::waits_for_host) judge_.begin();
  return verdict;
}

Verdict FunctionalHangWatch::look_at_age(std::uint64_t instructions, const ObservedRun& run) {
  active_ = false;
  if (by_age_) {
    const Verdict verdict = judge_.verdict(run, false);
    by_age_ =
        verdict == Verdict::progress && !judge_.visible_change() && instructions < observe_to_;
    return verdict;
  }
  if (instructions < observe_at_) return Verdict::progress;
  judge_.begin();
  by_age_ = true;
  observe_at_ = 2 * instructions;
  observe_to_ = instructions + instructions / kAgeObservedFraction;
  return Verdict::progress;
}

}  // namespace heddle::exec
