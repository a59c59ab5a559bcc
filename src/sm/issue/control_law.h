// The law of control bits: no instruction reads a register before its producer is ready by the
// latencies of the machine, or overwrites a register that is still read or written, although its
// control word let it issue. Lanes count: paths of a divergent warp do not meet. docs/
// compiler-guided-core.md has the law.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sm/issue/op.h"

namespace heddle::sm {

class ControlLaw {
 public:
  // Counts the violations of an instruction that issues; from then on it is in flight. active: the
  // lanes whose guard it reads. age: of the warp, which distinguishes it from others of its slot.
  std::uint32_t issue(const Op& op, LaneMask active, std::uint32_t age,
                      std::uint32_t predicate_latency);
  // Its sources have been read; its results have been written. The instructions of a warp for one
  // unit read their sources in order, so a wait for one is a wait for those before it.
  void read(WarpSlot warp, std::uint64_t sequence);
  void complete(const Op& op);

 private:
  struct InFlight {
    const InstructionTiming* timing;
    std::uint64_t sequence;
    LaneMask lanes;
    std::uint32_t age;
    Cycle ready, guard_ready;  // of the result: never() until it is complete
    bool unread;
  };
  static std::uint32_t violations(const InFlight& older, const InstructionTiming& timing, Cycle now,
                                  LaneMask executed);
  std::vector<InFlight>& of(WarpSlot w) { return in_flight_[static_cast<std::size_t>(w.index)]; }

  std::array<std::vector<InFlight>, kMaxWarpsPerSm> in_flight_;
};

}  // namespace heddle::sm
