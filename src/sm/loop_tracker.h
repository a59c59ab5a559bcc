// Which loop each warp is in, from the control-flow graph and what the warp issues. A loop begins
// anew each time its header issues. It is left when the warp issues outside it, but not while it
// runs a function that the loop calls.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "ptx/kernel.h"

namespace heddle::sm {

class LoopTracker {
 public:
  void start(WarpSlot warp) {
    at(warp).loop = ptx::Loop::kNone;
    at(warp).calls = 0;
  }

  // The warp issues `pc`, or has ended (kNoPc). left(loop) for each loop that it is not in any
  // more, innermost first; began(loop) when a header issues.
  template <class Left, class Began>
  void issued(WarpSlot warp, const ptx::Kernel& kernel, Pc pc, Left&& left, Began&& began) {
    Place& place = at(warp);
    const auto leave = [&](Pc outside) {
      while (place.loop != ptx::Loop::kNone && !kernel.loops[place.loop].contains(outside)) {
        left(place.loop);
        place.loop = kernel.loops[place.loop].parent;
      }
    };
    while (place.calls > 0 && (pc == kNoPc || pc == place.callers[place.calls - 1].back)) {
      leave(kNoPc);
      place.loop = place.callers[--place.calls].loop;
    }
    leave(pc);
    if (pc == kNoPc) return;
    const ptx::Instruction& i = kernel.code[pc];
    if (i.loop != ptx::Loop::kNone) {
      place.loop = i.loop;
      if (i.loop_header) began(i.loop);
    }
    if (i.op_class == ptx::OpClass::call && place.calls < place.callers.size()) {
      place.callers[place.calls++] = {pc + 1, place.loop};
      place.loop = ptx::Loop::kNone;
    }
  }

 private:
  static constexpr std::size_t kMostCalls =
      96;  // deeper ones, in recursion, are taken to be in no loop
  struct Caller {
    Pc back = kNoPc;
    std::uint16_t loop = ptx::Loop::kNone;
  };  // where it goes on, and in which loop
  struct Place {
    std::uint16_t loop = ptx::Loop::kNone;  // innermost
    std::uint32_t calls = 0;
    std::array<Caller, kMostCalls> callers{};
  };
  Place& at(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }

  std::array<Place, kMaxWarpsPerSm> warps_{};
};

}  // namespace heddle::sm
