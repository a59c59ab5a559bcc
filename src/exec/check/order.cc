#include "exec/check/order.h"

#include <algorithm>

namespace heddle::exec {

bool SyncEvents::reached(std::uint32_t tick, const SyncEvents& reader) const {
  const auto first = std::upper_bound(releases.begin(), releases.end(), tick);
  return first != releases.end() && *first < reader.last_acquire;
}

bool GridOrder::ordered(const Access& before, std::uint64_t cta) const {
  const auto releaser = events_.find(before.cta), acquirer = events_.find(cta);
  return releaser != events_.end() && acquirer != events_.end() &&
         releaser->second.reached(before.tick, acquirer->second);
}

void CtaOrder::start(std::uint64_t cta) {
  cta_ = cta;
  for (Ticks& ticks : known_) ticks.fill(0);
  lanes_.fill(0);
  for (SyncEvents& n : events_) n.releases.clear(), n.last_acquire = 0;
}

void CtaOrder::arrive(std::size_t warp, BarrierOrder& barrier) {
  known_[warp][warp] = grid_.next();
  lanes_[warp] = grid_.tick();
  for (std::size_t v = 0; v < kMaxWarps; ++v)
    barrier.known[v] = std::max(barrier.known[v], known_[warp][v]);
  barrier.last_acquire = std::max(barrier.last_acquire, events_[warp].last_acquire);
}

void CtaOrder::depart(std::size_t warp, const BarrierOrder& barrier) {
  for (std::size_t v = 0; v < kMaxWarps; ++v)
    known_[warp][v] = std::max(known_[warp][v], barrier.known[v]);
  events_[warp].last_acquire = std::max(events_[warp].last_acquire, barrier.last_acquire);
}

void CtaOrder::release(std::size_t warp, bool global) {
  const std::uint32_t now = grid_.next();
  events_[warp].releases.push_back(now);
  if (global) grid_.of(cta_).releases.push_back(now);
}

void CtaOrder::acquire(std::size_t warp, bool global) {
  const std::uint32_t now = grid_.next();
  events_[warp].last_acquire = now;
  if (global) grid_.of(cta_).last_acquire = now;
}

bool CtaOrder::ordered(const Access& before, std::size_t warp, bool strict) const {
  if (before.cta != cta_) return grid_.ordered(before, cta_);
  const std::size_t other = before.thread / std::size_t{kWarpSize};
  if (other == warp) return !strict || before.tick < lanes_[warp];
  return before.tick < known_[warp][other] || events_[other].reached(before.tick, events_[warp]);
}

}  // namespace heddle::exec
