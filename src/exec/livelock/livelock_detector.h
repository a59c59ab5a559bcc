// Proof that warps turn for ever. While it watches, memory must stay as it is: nothing is stored,
// no atomic changes its word. Then each warp's course depends on its own registers and stack alone,
// whoever runs before whom; once it is in a state in which it has been before, it goes round for
// good. When all warps that could go on are there, nobody will ever change anything.
//
// What clocks tell changes in every round. It does not count where it only decides which way lanes
// go round (ptx/flow/clock_flow.h): the states that are compared are without it, and taken where
// all ways have met.
//
// What is no proof is never taken for one: a counter in the loop, a way out of it by the clock, a
// store of the same value, host memory.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "exec/state/machine.h"

namespace heddle::exec {

class LivelockDetector {
 public:
  // From now on; what was seen before is forgotten.
  void begin();
  // The warp is about to execute the record at its pc for the lanes in `mask`.
  void before(const Warp& w, const Record& r, std::uint32_t mask) {
    if (!told_) look(w, r, mask);
  }
  // An atomic has changed its word, or something else has happened that may free a warp.
  void note_change() { changed_ = told_ = true; }

  bool changed() const { return changed_; }
  bool told() const {
    return told_;
  }  // others could see a change: more than a thread's own memory and registers
  bool recurs(const Warp& w) const;
  bool has_run(const Warp& w) const { return seen_.contains(&w); }

 private:
  struct Seen {
    std::uint64_t steps = 0,
                  kept_for = 64;  // since the state was taken; it is taken anew after so many
    bool recurs = false;
    std::uint32_t carry = 0, turns = 0, turning = 0;
    Pc turn_pc = kNoPc;
    std::array<Turns, kEnclosingLoops> enclosing{};
    std::vector<std::uint8_t> registers;
    std::vector<std::uint32_t> predicates;
    SimtStack stack;
    std::vector<SimtStack> parked;
  };
  void look(const Warp& w, const Record& r, std::uint32_t mask);
  static void take(Seen& seen, const Warp& w);
  static bool same(const Seen& seen, const Warp& w);

  std::unordered_map<const Warp*, Seen> seen_;
  bool changed_ = false, told_ = false;
};

}  // namespace heddle::exec
