#include "sched/lost_locality.h"

#include <algorithm>

namespace heddle::sched {

LostLocality::LostLocality(const LostLocalityOptions& options, std::uint32_t line_bytes)
    : options_(options), tags_(options.vta_entries, options.vta_ways, line_bytes) {}

void LostLocality::launch(WarpSlot warp) {
  warps_[slot(warp)] = {options_.base, 0, 0, {}};
  live_.set(warp);
  tags_.clear(warp);
}

// What an ended warp did leaves the sums, as in the authors' simulator.
void LostLocality::exit(WarpSlot warp) {
  Warp& w = warps_[slot(warp)];
  hits_sum_ -= w.hits;
  issued_sum_ -= w.issued;
  w = {};
  live_.reset(warp);
}

// The line that the access displaced was told before, so it is in its owner's array already.
void LostLocality::accessed(const sm::L1Access& event) {
  if (!event.load) {
    if (!event.local) tags_.invalidate(event.line);
  } else if (event.outcome == sm::L1Outcome::miss && live_.test(event.warp) && tags_.contains(event.warp, event.line)) {
    hit(event.warp, event.now);
  }
}

void LostLocality::hit(WarpSlot warp, Cycle now) {
  Warp& w = warps_[slot(warp)];
  ++w.hits;
  ++hits_sum_;
  ++hits_total_;
  const std::uint64_t raised = hits_sum_ * options_.k_throttle * cutoff() / std::max<std::uint64_t>(1, issued_sum_);
  w.score = options_.allow_below_base ? raised : std::max<std::uint64_t>(options_.base, raised);
  w.raised_at = now;
  if (w.score > options_.base) all_at_base_ = std::max(all_at_base_, now + (w.score - options_.base));
}

std::uint64_t LostLocality::cutoff() const {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(live_.count()) * options_.base);
}

// The cycle of the hit takes off the first point.
std::uint64_t LostLocality::score(WarpSlot warp, Cycle now) const {
  const Warp& w = warps_[slot(warp)];
  if (w.score <= options_.base) return w.score;
  const std::uint64_t decay = now < w.raised_at ? 0 : now - w.raised_at + 1;
  return std::max<std::uint64_t>(options_.base, w.score - std::min(decay, w.score));
}

WarpMask LostLocality::allowed(Cycle now) {
  if (now >= all_at_base_) return WarpMask::all();
  if (evaluated_ != now) {
    evaluated_ = now;
    allowed_ = allowed_at(now);
  }
  return allowed_;
}

WarpMask LostLocality::allowed_at(Cycle now) const {
  if (now >= all_at_base_) return WarpMask::all();
  struct Ranked { std::uint64_t score; WarpSlot warp; };
  std::array<Ranked, kMaxWarpsPerSm> ranked;
  std::size_t count = 0;
  live_.for_each([&](WarpSlot w) { ranked[count++] = {score(w, now), w}; });
  std::sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Ranked& a, const Ranked& b) { return a.score != b.score ? a.score > b.score : a.warp < b.warp; });
  const std::uint64_t limit = cutoff();
  WarpMask allowed;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += ranked[i].score;
    if (options_.cutoff == CutoffRule::strict && sum > limit && i > 0) break;  // the first may always load, or all could wait
    allowed.set(ranked[i].warp);
    if (options_.cutoff == CutoffRule::include_crossing && sum >= limit) break;
  }
  return allowed;
}

// Without new hits the scores before a warp only shrink, so who may load stays so: search by halves.
Cycle LostLocality::next_allowed(Cycle from, WarpMask vetoed) const {
  Cycle low = from, high = std::max(from, all_at_base_);
  while (low < high) {
    const Cycle middle = low + (high - low) / 2;
    if ((allowed_at(middle) & vetoed).any()) high = middle;
    else low = middle + 1;
  }
  return low;
}

}  // namespace heddle::sched
