#include "exec/state/cluster.h"

#include <algorithm>

#include "exec/state/machine.h"

namespace heddle::exec {

ClusterShape::Place ClusterShape::place_of(std::uint64_t cta) const {
  const std::uint64_t x = cta % grid.x, y = cta / grid.x % grid.y, z = cta / grid.x / grid.y;
  const Dim3 all = clusters();
  return {(z / cluster.z * all.y + y / cluster.y) * all.x + x / cluster.x,
          static_cast<std::uint32_t>((z % cluster.z * cluster.y + y % cluster.y) * cluster.x +
                                     x % cluster.x)};
}

std::uint64_t ClusterShape::cta_at(const Place& place) const {
  const Dim3 all = clusters();
  const std::uint64_t x = place.cluster % all.x * cluster.x + place.rank % cluster.x,
                      y = place.cluster / all.x % all.y * cluster.y +
                          place.rank / cluster.x % cluster.y,
                      z = place.cluster / all.x / all.y * cluster.z +
                          place.rank / cluster.x / cluster.y;
  return (z * grid.y + y) * grid.x + x;
}

namespace {
// What the CTA has sent to others has not acted.
bool sends(const Cta& cta) {
  if (cta.warps.empty()) return false;
  auto& remote = cta.warps.front()->machine->remote;
  for (std::uint32_t n = 0; remote.pending() > 0 && n < remote.size(); ++n)
    if (remote[n].lanes != 0 && remote[n].warp->cta == &cta) return true;
  return false;
}
}  // namespace

bool ClusterCtas::all_arrived(std::uint64_t cluster) const {
  for (std::uint32_t rank = 0; rank < shape.ctas(); ++rank) {
    const Entry& entry = entries[shape.cta_at({cluster, rank})];
    if (entry.ended) continue;
    if (!entry.cta || entry.cta->cluster_opens) return false;
    const auto& warps = entry.cta->warps;
    if (std::any_of(warps.begin(), warps.end(),
                    [](const Warp* w) { return (w->live & ~w->cluster_arrived) != 0; }))
      return false;
    if (sends(*entry.cta)) return false;
  }
  return true;
}

}  // namespace heddle::exec
