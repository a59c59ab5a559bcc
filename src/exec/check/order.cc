#include "exec/check/order.h"

#include <algorithm>

namespace heddle::exec {

bool Notices::reached(std::uint32_t tick, const Notices& taker) const {
  const auto first = std::upper_bound(given.begin(), given.end(), tick);
  return first != given.end() && *first < taker.taken;
}

bool GridOrder::ordered(const Access& before, std::uint64_t cta) const {
  const auto giver = notices_.find(before.cta), taker = notices_.find(cta);
  return giver != notices_.end() && taker != notices_.end() &&
         giver->second.reached(before.tick, taker->second);
}

void CtaOrder::start(std::uint64_t cta) {
  cta_ = cta;
  for (Ticks& ticks : known_) ticks.fill(0);
  lanes_.fill(0);
  for (Notices& n : notices_) n.given.clear(), n.taken = 0;
}

void CtaOrder::arrive(std::size_t warp, Meeting& meeting) {
  known_[warp][warp] = grid_.next();
  lanes_[warp] = grid_.tick();
  for (std::size_t v = 0; v < kMostWarps; ++v)
    meeting.known[v] = std::max(meeting.known[v], known_[warp][v]);
  meeting.taken = std::max(meeting.taken, notices_[warp].taken);
}

void CtaOrder::leave(std::size_t warp, const Meeting& meeting) {
  for (std::size_t v = 0; v < kMostWarps; ++v)
    known_[warp][v] = std::max(known_[warp][v], meeting.known[v]);
  notices_[warp].taken = std::max(notices_[warp].taken, meeting.taken);
}

void CtaOrder::give(std::size_t warp, bool global) {
  const std::uint32_t now = grid_.next();
  notices_[warp].given.push_back(now);
  if (global) grid_.of(cta_).given.push_back(now);
}

void CtaOrder::take(std::size_t warp, bool global) {
  const std::uint32_t now = grid_.next();
  notices_[warp].taken = now;
  if (global) grid_.of(cta_).taken = now;
}

bool CtaOrder::ordered(const Access& before, std::size_t warp, bool strict) const {
  if (before.cta != cta_) return grid_.ordered(before, cta_);
  const std::size_t other = before.thread / std::size_t{kWarpSize};
  if (other == warp) return !strict || before.tick < lanes_[warp];
  return before.tick < known_[warp][other] || notices_[other].reached(before.tick, notices_[warp]);
}

}  // namespace heddle::exec
