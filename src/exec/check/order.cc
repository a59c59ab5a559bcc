#include "exec/check/order.h"

#include <algorithm>
#include <bit>

namespace heddle::exec {
namespace {

template <class Act>
void for_each_lane(std::uint32_t lanes, Act act) {
  for (; lanes != 0; lanes &= lanes - 1) act(static_cast<std::size_t>(std::countr_zero(lanes)));
}

void raise(LaneTicks& ticks, const LaneTicks& to) {
  for (std::size_t l = 0; l < ticks.size(); ++l) ticks[l] = std::max(ticks[l], to[l]);
}

}  // namespace

void LastAcquires::add(std::uint64_t reader, Tick now) {
  if (reader != reader_) others_ = last_;
  reader_ = reader;
  last_ = now;
}

Tick GridOrder::Release::of(std::uint16_t thread) const {
  const auto more = std::lower_bound(beyond.begin(), beyond.end(), std::pair(thread, Tick{0}));
  return more != beyond.end() && more->first == thread ? more->second
                                                       : by_warp[thread / std::size_t{kWarpSize}];
}

void GridOrder::release(std::uint64_t cta, std::span<LaneTicks> released) {
  std::vector<Release>& releases = releases_[cta];
  if (releases.empty() || releases.back().tick <= acquires_.of_others(cta))
    releases.push_back({.tick = tick_, .by_warp = {}, .beyond = {}});
  Release& release = releases.back();
  release.by_warp.clear();
  release.beyond.clear();
  for (std::size_t w = 0; w < released.size(); ++w) {
    const Tick all = *std::min_element(released[w].begin(), released[w].end());
    release.by_warp.push_back(all);
    for (std::size_t l = 0; l < kWarpSize; ++l)
      if (released[w][l] > all)
        release.beyond.emplace_back(static_cast<std::uint16_t>(w * kWarpSize + l), released[w][l]);
  }
  if (release.beyond.size() <= kMaxBeyond) return;
  release.beyond.clear();
  for (std::size_t w = 0; w < released.size(); ++w) {
    release.by_warp[w] = *std::max_element(released[w].begin(), released[w].end());
    released[w].fill(release.by_warp[w]);
  }
}

bool GridOrder::released(const ShadowAccess& access, Tick acquired) const {
  const auto of_cta = releases_.find(access.cta);
  if (of_cta == releases_.end()) return false;
  const std::vector<Release>& releases = of_cta->second;
  const auto first = std::partition_point(releases.begin(), releases.end(), [&](const Release& r) {
    return r.of(access.thread) <= access.tick;
  });
  return first != releases.end() && first->tick < acquired;
}

void CtaOrder::start(std::uint64_t cta, std::size_t warps) {
  cta_ = cta;
  warps_.assign(warps, WarpState{});
  published_.assign(warps, LaneTicks{});
  global_acquires_.clear();
  acquires_ = {};
}

void CtaOrder::arrive(std::size_t warp, BarrierOrder& barrier) {
  synchronise_lanes(warp, ~std::uint32_t{0});
  WarpState& w = warps_[warp];
  w.known[warp] = w.last_barrier = grid_.tick();
  published_[warp].fill(grid_.tick());
  for (std::size_t v = 0; v < kMaxWarps; ++v)
    barrier.known[v] = std::max(barrier.known[v], w.known[v]);
  barrier.acquired = std::max(barrier.acquired, w.acquired[0]);
}

void CtaOrder::depart(std::size_t warp, const BarrierOrder& barrier) {
  WarpState& w = warps_[warp];
  for (std::size_t v = 0; v < kMaxWarps; ++v) w.known[v] = std::max(w.known[v], barrier.known[v]);
  for (Tick& acquired : w.acquired) acquired = std::max(acquired, barrier.acquired);
  w.ordered.fill(grid_.tick());
}

void CtaOrder::synchronise_lanes(std::size_t warp, std::uint32_t lanes) {
  WarpState& w = warps_[warp];
  const Tick now = grid_.next();
  LaneTicks seen{};
  Tick acquired = 0;
  for_each_lane(lanes, [&](std::size_t lane) {
    raise(seen, w.seen[lane]);
    acquired = std::max(acquired, w.acquired[lane]);
  });
  for_each_lane(lanes, [&](std::size_t lane) { seen[lane] = now; });
  for_each_lane(lanes, [&](std::size_t lane) {
    w.seen[lane] = seen;
    w.acquired[lane] = acquired;
    w.ordered[lane] = now;
  });
}

void CtaOrder::release(std::size_t warp, std::uint32_t lanes, bool global) {
  WarpState& w = warps_[warp];
  const Tick now = grid_.next();
  LaneTicks covered{};
  for_each_lane(lanes, [&](std::size_t lane) { raise(covered, w.seen[lane]); });
  for_each_lane(lanes, [&](std::size_t lane) { covered[lane] = now; });
  std::uint32_t rest = 0;  // lanes of which something new is released
  for (std::size_t lane = 0; lane < kWarpSize; ++lane)
    if (covered[lane] > w.released[lane]) rest |= std::uint32_t{1} << lane;
  while (rest != 0) {
    Release release{.tick = now,
                    .covered = covered[static_cast<std::size_t>(std::countr_zero(rest))]};
    for_each_lane(rest, [&](std::size_t lane) {
      if (covered[lane] == release.covered) release.lanes |= std::uint32_t{1} << lane;
    });
    rest &= ~release.lanes;
    add_release(warp, release);
  }
  raise(w.released, covered);
  raise(published_[warp], covered);
  if (global) grid_.release(cta_, published_);
}

// A later release that no other warp can distinguish from an earlier one takes its place. After a
// barrier, other warps may know an acquire of this warp, which is between the two.
void CtaOrder::add_release(std::size_t warp, const Release& release) {
  WarpState& w = warps_[warp];
  const Tick after = std::max(acquires_.of_others(warp), w.last_barrier);
  for (auto r = w.releases.rbegin(); r != w.releases.rend() && r->tick > after; ++r) {
    if (r->lanes != release.lanes) continue;
    w.releases.erase(std::next(r).base());
    break;
  }
  w.releases.push_back(release);
}

void CtaOrder::acquire(std::size_t warp, std::uint32_t lanes, bool global) {
  const Tick now = grid_.next();
  for_each_lane(lanes, [&](std::size_t lane) {
    warps_[warp].acquired[lane] = warps_[warp].ordered[lane] = now;
  });
  acquires_.add(warp, now);
  if (!global) return;
  global_acquires_.push_back(now);
  grid_.acquire(cta_, now);
}

bool CtaOrder::released_by(const WarpState& warp, std::size_t lane, Tick tick,
                           Tick acquired) const {
  const auto first = std::partition_point(warp.releases.begin(), warp.releases.end(),
                                          [&](const Release& r) { return r.tick <= tick; });
  for (auto r = first; r != warp.releases.end() && r->tick < acquired; ++r)
    if (r->covered > tick && (r->lanes >> lane & 1) != 0) return true;
  return false;
}

bool CtaOrder::ordered(const ShadowAccess& before, std::uint16_t thread, bool strict) const {
  const std::size_t warp = thread / std::size_t{kWarpSize}, lane = thread % std::size_t{kWarpSize};
  const WarpState& w = warps_[warp];
  if (before.cta != cta_) {
    // What another thread of the CTA has acquired before the last order counts, too.
    const auto last =
        std::upper_bound(global_acquires_.begin(), global_acquires_.end(), w.ordered[lane]);
    return last != global_acquires_.begin() && grid_.released(before, *std::prev(last));
  }
  const std::size_t other = before.thread / std::size_t{kWarpSize},
                    other_lane = before.thread % std::size_t{kWarpSize};
  if (other == warp) return !strict || before.tick < w.seen[lane][other_lane];
  return before.tick < w.known[other] ||
         released_by(warps_[other], other_lane, before.tick, w.acquired[lane]);
}

}  // namespace heddle::exec
