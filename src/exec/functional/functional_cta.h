// One CTA that runs without timing: each warp as far as it can go.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/check/cta_check.h"
#include "exec/livelock/livelock_detector.h"
#include "exec/state/launch.h"
#include "exec/state/warps.h"

namespace heddle::exec {

// What the CTAs of a functional run have in common.
struct FunctionalRun {
  FunctionalCounts counts;
  const StopRequest* stop = nullptr;
  LivelockDetector watch;
  bool watching = false;  // all CTAs, from one round to the next
  bool may_join = false;  // a CTA that only waits may be joined by others
  Checker* checker = nullptr;

  void stop_if_asked() const {
    if (stop && stop->load(std::memory_order_relaxed)) throw Interrupted{stop->load()};
  }
};

class FunctionalCta {
 public:
  // With storage of its own, or with some of `warps`.
  FunctionalCta(FunctionalRun& run, std::unique_ptr<Warps> own);
  FunctionalCta(FunctionalRun& run, Warps& warps, int slot);
  // Goes on where the timing model was.
  FunctionalCta(FunctionalRun& run, const StartedCta& started);

  void start(std::uint64_t linear);
  void give_way_after(std::uint32_t spin_turns) { warps_->machine().spin_turns = spin_turns; }
  // Each warp that can go on does, until it ends, waits or spins.
  void run_round();

  bool finished() const { return live_warps_ == 0; }
  bool all_spin() const { return all_spin_; }  // in the last round, those that did not wait
  bool is_still() const { return still_ >= kStillRounds; }  // it is not expected to go on by itself
  bool turns_for_ever() const;                              // as far as the watch has seen
  void report_deadlock_of_warps();                          // to the checker
  void add_warps(std::vector<const Warp*>& list) const;
  const Machine& machine() const { return warps_->machine(); }

 private:
  // Rounds in which every warp spins and no register changes, after which a CTA needs others to go
  // on.
  static constexpr int kStillRounds = 16;
  // One that comes to a store to shared memory so many instructions after the last barrier lets the
  // others catch up: what they still read there must not change, and nothing but their being in
  // step says so (a loop that refills a tile with no barrier at its end).
  static constexpr std::uint64_t kHoldAfter = 256;
  enum class Wait : std::uint8_t {
    none,
    barrier,
    met,
    held,
    ended
  };  // met: let go by a barrier, and goes on in the next round
  enum class Stop : std::uint8_t { ended, blocked, spins, look, store, met };
  // Of a warp, since a barrier last let it go.
  struct Since {
    std::uint64_t instructions = 0;
    std::uint64_t hold_at = kHoldAfter;  // how many of these come before a store may hold it
    Pc spin_pc = kNoPc;                  // the loop in which it was last found to spin
    bool circles =
        false;  // its last turn ended in a loop in which nothing changed: it is watched sooner
  };
  struct BarrierState {
    std::uint32_t arrived_threads = 0, expected = 0;
  };

  Warp& warp(int index) { return warps_->warp(slots_[static_cast<std::size_t>(index)].index); }
  const Warp& warp(int index) const {
    return warps_->warp(slots_[static_cast<std::size_t>(index)].index);
  }
  void make_slots(int first);
  bool run_warp(int index);
  void release_held();
  template <bool kWatched, bool kChecked>
  Stop advance(int index, Warp& w, std::uint64_t most, std::uint64_t hold_after);
  void end_warp(int index);
  bool arrive(int index, const Record& r, std::uint32_t mask);
  void check_barrier(std::uint32_t id);
  bool same_states();

  FunctionalRun& run_;
  std::unique_ptr<Warps> own_;
  Warps* warps_;
  int slot_ = 0, warp_count_ = 0, live_warps_ = 0, still_ = 0;
  std::uint64_t held_since_ = 0;  // the first of those held: what all warps had executed
  bool all_spin_ = false, may_hold_ = false, some_held_ = false, some_met_ = false,
       all_met_ = false;
  std::vector<WarpSlot> slots_;
  std::vector<Wait> waits_;
  std::vector<Since> since_;
  std::vector<std::uint64_t> states_;
  std::array<BarrierState, ptx::kClusterBarrier + 1> barriers_{};
  std::unique_ptr<CtaCheck> check_;  // none unless the program is checked
};

}  // namespace heddle::exec
