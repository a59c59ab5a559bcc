// Decides whether a launch hangs. Timed and functional runs ask the same judge.
//
// A livelock is proven when every warp repeats a state (livelock_detector.h) or waits at a barrier
// for one that does, nothing else is about to change memory, and no host thread can write to it.
// A livelock is probable when the warps only spin or wait at barriers for a long time and change
// nothing that others could see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exec/livelock/livelock_detector.h"
#include "exec/state/launch.h"

namespace heddle::exec {

enum class Verdict : std::uint8_t {
  progress,           // a warp advances, or the observation was too short
  waits_for_host,     // as `livelock`, but a host thread may write to what the warps read
  probable_livelock,  // not proven
  livelock            // proven
};

// What is known about one live warp since the observation began.
struct WarpEvidence {
  bool at_barrier = false;
  bool spins = false;    // in a loop that reads what other threads write
  bool ran = false;      // has executed an instruction
  bool repeats = false;  // has reached the same state twice
};

struct HangEvidence {
  std::span<const WarpEvidence> warps = {};
  bool changed = false;         // a warp has changed memory
  bool visible_change = false;  // in a place that other threads can read
  bool pending_work = false;    // a CTA that can start, an atomic or a copy that has not arrived
  bool host_may_write = false;
  bool observed_long = false;  // long enough for a warning
};
Verdict verdict_of(const HangEvidence& evidence);

// A live warp as its run sees it.
struct LiveWarp {
  const Warp* warp = nullptr;
  std::size_t detector = 0;  // the detector that observes it
  bool at_barrier = false;
  bool spins = false;
};

// What a run shows to the judge.
class ObservedRun {
 public:
  virtual ~ObservedRun() = default;
  virtual std::vector<LiveWarp> live_warps() const = 0;
  virtual bool pending_work() const = 0;
  // One line for each of at most `max_warps` warps; each begins with a newline.
  virtual std::string describe_warps(int max_warps) const = 0;
};

// Collects the evidence of one launch.
class HangJudge {
 public:
  // detectors: one for each group of warps that a thread of the simulator runs.
  HangJudge(const Launch& launch, const GlobalMemory& memory, std::size_t detectors)
      : launch_(launch), memory_(memory), detectors_(detectors) {}

  // Forgets what was observed; detectors are to be attached from now on.
  void begin();
  LivelockDetector& detector(std::size_t n) { return detectors_[n]; }
  bool visible_change() const;
  bool repeats(std::size_t detector, const Warp& w) const {
    return detectors_[detector].repeats(w);
  }

  Verdict verdict(const ObservedRun& run, bool observed_long) const;
  // Prints the warning once per launch. duration: "8 million cycles".
  void warn(const ObservedRun& run, const std::string& duration);
  [[noreturn]] void throw_livelock(const ObservedRun& run, const std::string& printed = {}) const;

 private:
  bool changed() const;

  const Launch& launch_;
  const GlobalMemory& memory_;
  std::vector<LivelockDetector> detectors_;
  bool host_may_write_ = false;  // when the observation began; if not then, not until the launch
                                 // ends
  bool warned_ = false;
};

}  // namespace heddle::exec
