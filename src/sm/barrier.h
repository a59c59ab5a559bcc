// CTA barriers: bar.sync, bar.arrive and bar.red of up to 16 numbers per CTA, and the cluster's.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ptx/instruction.h"

namespace heddle::sm {

class BarrierUnit {
 public:
  static constexpr std::uint32_t kBarriers = ptx::kClusterBarrier + 1;

  explicit BarrierUnit(int cta_slots) : ctas_(static_cast<std::size_t>(cta_slots)) {}

  void start_cta(int cta, WarpMask warps) { ctas_[static_cast<std::size_t>(cta)] = Cta{warps, {}}; }

  // How many warps have arrived at a barrier that is not complete, and how many threads it waits
  // for; 0: all.
  struct Arrivals {
    std::uint32_t warps = 0, threads = 0;
  };
  Arrivals arrivals(int cta, std::uint32_t id) const {
    const Barrier& b = ctas_[static_cast<std::size_t>(cta)].barriers[id];
    return {static_cast<std::uint32_t>(b.arrived.count()), b.threads};
  }

  struct Release {
    bool released = false;
    bool reduces = false;
    WarpMask warps;
    std::uint32_t id = 0;
  };
  // A warp reached barrier `id`; `stays`: it waits there (sync, red) or only announces itself
  // (arrive). threads: how many must come, 0 for all of the CTA. Says which warps go on, if it was
  // the last.
  Release arrive(int cta, WarpSlot warp, std::uint32_t id, std::uint32_t threads, bool stays,
                 bool reduces);
  // A warp ended; barriers at which all others wait open. Calls again until nothing is released.
  Release leave(int cta, WarpSlot warp);

 private:
  struct Barrier {
    WarpMask arrived, waiting;
    std::uint32_t threads = 0;
    bool reduces = false;
  };
  struct Cta {
    WarpMask live;
    std::array<Barrier, kBarriers> barriers{};
  };
  static bool complete(const Cta& cta, const Barrier& b);
  static Release open(Barrier& b, std::uint32_t id);

  std::vector<Cta> ctas_;
};

}  // namespace heddle::sm
