#include "exec/livelock/hang_judge.h"

#include <algorithm>
#include <utility>

#include "exec/livelock/hang_report.h"

namespace heddle::exec {
namespace {

constexpr int kMaxWarpsInWarning = 8;

// Can the program write to what the launch's warps read?
bool host_may_write(const Launch& launch, const GlobalMemory& memory) {
  if (!memory.allocations().reach_host()) return false;
  return launch.services == nullptr || !launch.services->host.has_threads ||
         launch.services->host.has_threads();
}

}  // namespace

Verdict verdict_of(const HangEvidence& evidence) {
  if (evidence.visible_change) return Verdict::progress;
  const auto all = [&](auto&& holds) {
    return std::all_of(evidence.warps.begin(), evidence.warps.end(), holds);
  };
  const bool repeats =
      !evidence.changed && !evidence.pending_work &&
      all([](const WarpEvidence& w) { return w.repeats || (w.at_barrier && !w.ran); });
  if (repeats && !evidence.host_may_write) return Verdict::livelock;
  if (evidence.observed_long && all([](const WarpEvidence& w) { return w.at_barrier || w.spins; }))
    return Verdict::probable_livelock;
  return repeats ? Verdict::waits_for_host : Verdict::progress;
}

void HangJudge::begin() {
  for (LivelockDetector& detector : detectors_) detector.begin();
  host_may_write_ = host_may_write(launch_, memory_);
}

bool HangJudge::changed() const {
  return std::any_of(detectors_.begin(), detectors_.end(),
                     [](const LivelockDetector& d) { return d.changed(); });
}

bool HangJudge::visible_change() const {
  return std::any_of(detectors_.begin(), detectors_.end(),
                     [](const LivelockDetector& d) { return d.visible_change(); });
}

Verdict HangJudge::verdict(const ObservedRun& run, bool observed_long) const {
  std::vector<WarpEvidence> warps;
  for (const LiveWarp& w : run.live_warps()) {
    const LivelockDetector& detector = detectors_[w.detector];
    warps.push_back({w.at_barrier, w.spins, detector.has_run(*w.warp), detector.repeats(*w.warp)});
  }
  return verdict_of({.warps = warps,
                     .changed = changed(),
                     .visible_change = visible_change(),
                     .pending_work = run.pending_work(),
                     .host_may_write = host_may_write_,
                     .observed_long = observed_long && !warned_});
}

void HangJudge::warn(const ObservedRun& run, const std::string& duration) {
  if (!std::exchange(warned_, true))
    warn_probable_livelock(launch_, duration, run.describe_warps(kMaxWarpsInWarning));
}

void HangJudge::throw_livelock(const ObservedRun& run, const std::string& printed) const {
  exec::throw_livelock(launch_, memory_, run.describe_warps(kMaxWarpsInFault), printed);
}

}  // namespace heddle::exec
