#include "sm/warp/barrier.h"

#include "base/diagnostics.h"

namespace heddle::sm {

bool BarrierUnit::complete(const Cta& cta, const Barrier& b) {
  const auto& [warps, count, threads] = b.arrivals;
  if (count == 0) return false;
  if (threads == 0) return (cta.live & ~warps).none();
  return count >= (threads + kWarpSize - 1) / kWarpSize;
}

BarrierUnit::Release BarrierUnit::open(Barrier& b, std::uint32_t id) {
  const Release release{true, b.reduces, b.waiting, id};
  b = Barrier{};
  return release;
}

BarrierUnit::Release BarrierUnit::arrive(int cta, WarpSlot warp, std::uint32_t id,
                                         std::uint32_t threads, bool waits, bool reduces) {
  check_invariant(id < kBarriers, "a warp arrived at a barrier that does not exist");
  Cta& c = ctas_[static_cast<std::size_t>(cta)];
  Barrier& b = c.barriers[id];
  b.arrivals.warps.set(warp);
  ++b.arrivals.count;
  if (waits) b.waiting.set(warp);
  b.arrivals.threads = threads;
  b.reduces |= reduces;
  return complete(c, b) ? open(b, id) : Release{};
}

BarrierUnit::Release BarrierUnit::remove_warp(int cta, WarpSlot warp) {
  Cta& c = ctas_[static_cast<std::size_t>(cta)];
  c.live.reset(warp);
  for (std::uint32_t id = 0; id < kBarriers; ++id)
    if (c.barriers[id].arrivals.threads == 0 && complete(c, c.barriers[id]))
      return open(c.barriers[id], id);
  return {};
}

}  // namespace heddle::sm
