// The innermost loop of each warp, from the control-flow graph and the instructions that the warp
// issues. An iteration begins when the loop's header issues. The loop ends when the warp issues an
// instruction outside it; a function that the loop calls counts as inside.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "isa/kernel.h"

namespace heddle::sm {

class LoopTracker {
 public:
  void start(WarpSlot warp) {
    at(warp).loop = isa::Loop::kNone;
    at(warp).callers.clear();
  }

  // The warp issues `pc`, or has ended (kNoPc). Calls ended(loop) for each loop that ends,
  // innermost first, and began(loop) when a header issues.
  template <class Ended, class Began>
  void issued(WarpSlot warp, const isa::Kernel& kernel, Pc pc, Ended&& ended, Began&& began) {
    Place& place = at(warp);
    const auto end_loops_without = [&](Pc next) {
      while (place.loop != isa::Loop::kNone && !kernel.loops[place.loop].contains(next)) {
        ended(place.loop);
        place.loop = kernel.loops[place.loop].parent;
      }
    };
    while (!place.callers.empty() && (pc == kNoPc || pc == place.callers.back().return_pc)) {
      end_loops_without(kNoPc);
      place.loop = place.callers.back().loop;
      place.callers.pop_back();
    }
    end_loops_without(pc);
    if (pc == kNoPc) return;
    const isa::Instruction& i = kernel.instructions[pc];
    if (i.loop != isa::Loop::kNone) {
      place.loop = i.loop;
      if (i.loop_header) began(i.loop);
    }
    if (i.op_class == isa::OpClass::call && place.callers.size() < kMaxCalls) {
      place.callers.push_back({pc + 1, place.loop});
      place.loop = isa::Loop::kNone;
    }
  }

 private:
  // Deeper calls, in recursions, are treated as outside all loops.
  static constexpr std::size_t kMaxCalls = 96;
  struct Caller {
    Pc return_pc = kNoPc;
    std::uint16_t loop = isa::Loop::kNone;  // the loop at return_pc
  };
  struct Place {
    std::uint16_t loop = isa::Loop::kNone;  // innermost
    std::vector<Caller> callers;
  };
  Place& at(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }

  std::array<Place, kMaxWarpsPerSm> warps_{};
};

}  // namespace heddle::sm
