#include "sched/adaptive/warp_criticality.h"

#include <algorithm>
#include <limits>

namespace heddle::sched {

void WarpCriticalities::judge(WarpMask warps, Cycle now, Judged& judged) const {
  double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
  std::array<double, kMaxWarpsPerSm> all;
  warps.for_each([&](WarpSlot w) {
    const auto i = static_cast<std::size_t>(w.index);
    all[i] = warps_[i].at(now);
    least = std::min(least, all[i]);
    most = std::max(most, all[i]);
  });
  judged = {true, now.value, {}};
  const double middle = least + (most - least) / 2;
  warps.for_each([&](WarpSlot w) {
    judged.critical.assign(w, all[static_cast<std::size_t>(w.index)] > middle);
  });
}

WarpCriticalities::Survey WarpCriticalities::survey(Cycle now) const {
  Survey all;
  for (int cta = 0; cta < kMaxWarpsPerSm; ++cta) {
    const WarpMask warps = ctas_[cta].warps;
    if (warps.none()) continue;
    Judged judged;
    judge(warps, now, judged);
    all.critical += judged.critical.count();
    warps.for_each([&](WarpSlot w) {
      const double criticality = warps_[static_cast<std::size_t>(w.index)].at(now);
      all.least = all.resident == 0 ? criticality : std::min(all.least, criticality);
      all.most = all.resident == 0 ? criticality : std::max(all.most, criticality);
      ++all.resident;
    });
  }
  return all;
}

}  // namespace heddle::sched
