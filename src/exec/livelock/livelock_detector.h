// Finds warps that repeat the same state.
//
// While memory does not change, what a warp does next depends only on its own registers and its
// SIMT stack, whatever the order of the warps. A warp that reaches a state for the second time
// therefore repeats it for ever. When every warp that could issue is in such a loop, no warp ever
// changes anything: a livelock.
//
// Clock values differ in every iteration. The compared states exclude registers that depend on a
// clock and only select between paths inside the loop (ptx/flow/clock_flow.h). A state is compared
// only where those paths have reconverged.
//
// These are never taken for a proof: a counter in the loop, an exit that depends on the clock, a
// store (even of the same value), host memory.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "exec/state/machine.h"

namespace heddle::exec {

class LivelockDetector {
 public:
  // Forgets what was observed.
  void begin();
  // The warp is about to execute the instruction at its pc for the lanes in `mask`.
  void observe(const Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
    if (!visible_change_) observe_instruction(w, r, mask);
  }
  // An atomic has changed its word, or something else has happened that may end a wait.
  void note_change() { changed_ = visible_change_ = true; }

  bool changed() const { return changed_; }
  // A change that other threads can read: not only of a thread's own local memory.
  bool visible_change() const { return visible_change_; }
  bool repeats(const Warp& w) const;
  bool has_run(const Warp& w) const { return recorded_.contains(&w); }

 private:
  // A state of a warp, which later states are compared with. It is replaced after `max_steps`
  // steps, which then doubles: so a loop of any length is found.
  struct Recorded {
    std::uint64_t steps = 0, max_steps = 64;
    bool repeats = false;
    std::uint32_t carry = 0, spin_iterations = 0, spin_lanes = 0;
    Pc spin_pc = kNoPc;
    std::array<LoopIterations, kEnclosingLoops> enclosing{};
    std::vector<std::uint8_t> registers;
    std::vector<std::uint32_t> predicates;
    SimtStack stack;
    std::vector<SimtStack> fragments;
  };
  void observe_instruction(const Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  static void record(Recorded& state, const Warp& w);
  static bool equal(const Recorded& state, const Warp& w);

  std::unordered_map<const Warp*, Recorded> recorded_;
  bool changed_ = false, visible_change_ = false;
};

}  // namespace heddle::exec
