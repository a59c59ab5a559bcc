// CTA barriers: bar.sync, bar.arrive and bar.red of up to 16 barriers per CTA, and the barriers of
// the cluster and of the warpgroups.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"

namespace heddle::sm {

class BarrierUnit {
 public:
  static constexpr std::uint32_t kBarriers = isa::kBarriers;

  void start_cta(int cta, WarpMask warps) {
    const auto slot = static_cast<std::size_t>(cta);
    if (slot >= ctas_.size()) ctas_.resize(slot + 1);
    ctas_[slot] = Cta{warps, {}};
  }

  // The warps that have arrived at an incomplete barrier, the arrivals, of which a warp may have
  // several, and the threads that it waits for; 0: all of the CTA.
  struct Arrivals {
    WarpMask warps;
    std::uint32_t count = 0, threads = 0;
  };
  const Arrivals& arrivals(int cta, std::uint32_t id) const {
    return ctas_[static_cast<std::size_t>(cta)].barriers[id].arrivals;
  }

  struct Release {
    bool released = false;
    bool reduces = false;
    WarpMask warps;
    std::uint32_t id = 0;
  };
  // A warp arrives at barrier `id`. waits: it waits there (sync, red); otherwise it only arrives
  // (arrive). threads: the number that the barrier waits for; 0: all of the CTA. Returns the warps
  // that the barrier releases when this arrival completes it.
  Release arrive(int cta, WarpSlot warp, std::uint32_t id, std::uint32_t threads, bool waits,
                 bool reduces);
  // The barrier of the cluster, which no arrival of the CTA completes, releases the waiting warps.
  Release open_cluster(int cta) {
    Barrier& b = ctas_[static_cast<std::size_t>(cta)].barriers[isa::kClusterBarrier];
    return open(b, isa::kClusterBarrier);
  }
  // A warp has ended. Returns one barrier that this completes; call it until nothing is released.
  Release remove_warp(int cta, WarpSlot warp);

 private:
  struct Barrier {
    Arrivals arrivals;
    WarpMask waiting;
    bool reduces = false;
  };
  struct Cta {
    WarpMask live;
    std::array<Barrier, kBarriers> barriers{};
  };
  static bool complete(const Cta& cta, const Barrier& b);
  static Release open(Barrier& b, std::uint32_t id);

  std::vector<Cta> ctas_;  // by CTA slot, as far as they have been used
};

}  // namespace heddle::sm
