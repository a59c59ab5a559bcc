// The instruction that last wrote each register of the warps of an SM: what a warp waits for when
// the scoreboard stalls it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"
#include "sm/warp/warp_table.h"

namespace heddle::gpu {

class RegisterWriters {
 public:
  void note(WarpSlot warp, Pc pc, const isa::Instruction& instruction) {
    std::vector<Pc>& writers = of(warp);
    for (int k = 0; k < instruction.write_count; ++k) {
      const std::size_t r = instruction.writes[static_cast<std::size_t>(k)];
      if (r >= writers.size()) writers.resize(r + 1, kNoPc);
      writers[r] = pc;
    }
  }

  // The writer of the first operand of the warp's next instruction that is pending: a source before
  // a destination. kNoPc when none is pending.
  Pc pending(WarpSlot warp, const sm::WarpTable& warps) const {
    const isa::Instruction* const next = warps.head[static_cast<std::size_t>(warp.index)];
    if (!next) return kNoPc;
    const auto first_of = [&](const auto& registers, int count) {
      for (int k = 0; k < count; ++k)
        if (const std::uint16_t r = registers[static_cast<std::size_t>(k)];
            warps.scoreboard.writing(warp, r))
          return of(warp)[r];
      return kNoPc;
    };
    const Pc source = first_of(next->reads, next->read_count);
    return source != kNoPc ? source : first_of(next->writes, next->write_count);
  }

 private:
  std::vector<Pc>& of(WarpSlot w) { return writers_[static_cast<std::size_t>(w.index)]; }
  const std::vector<Pc>& of(WarpSlot w) const {
    return writers_[static_cast<std::size_t>(w.index)];
  }
  std::array<std::vector<Pc>, kMaxWarpsPerSm> writers_;  // by register
};

}  // namespace heddle::gpu
