#include "sched/limiters/lost_locality.h"

#include <algorithm>

namespace heddle::sched {

LostLocality::LostLocality(const LostLocalityOptions& options, std::uint32_t line_bytes)
    : options_(options), tags_(options.vta_entries, options.vta_ways, line_bytes) {}

void LostLocality::launch(WarpSlot warp) {
  warps_[slot(warp)] = {options_.base, 0, 0, {}};
  live_.set(warp);
  stale_ = true;
  tags_.clear(warp);
}

// The hits and issues of an ended warp are subtracted from the sums, as in the authors' simulator.
void LostLocality::exit(WarpSlot warp) {
  Warp& w = warps_[slot(warp)];
  hits_sum_ -= w.hits;
  issued_sum_ -= w.issued;
  w = {};
  live_.reset(warp);
  stale_ = true;
}

// The eviction event of the line that this access displaced came first, so that line is in its
// owner's victim tags already.
void LostLocality::accessed(const sm::L1Access& event) {
  if (!event.load) {
    if (!event.local) tags_.invalidate(event.line);
  } else if (event.outcome == sm::L1Outcome::miss && live_.test(event.warp) &&
             tags_.contains(event.warp, event.line)) {
    hit(event.warp, event.now);
  }
}

void LostLocality::hit(WarpSlot warp, Cycle now) {
  Warp& w = warps_[slot(warp)];
  ++w.hits;
  ++hits_sum_;
  ++statistics_.lost_locality_hits;
  const std::uint64_t raised =
      hits_sum_ * options_.k_throttle * cutoff() / std::max<std::uint64_t>(1, issued_sum_) +
      options_.offset;
  w.score = options_.allow_below_base ? raised : std::max<std::uint64_t>(options_.base, raised);
  w.raised_at = now;
  stale_ = true;
  if (w.score > options_.base)
    all_at_base_ = std::max(all_at_base_, now + cycles_to_decay(w.score - options_.base));
}

std::uint64_t LostLocality::cutoff() const {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(live_.count()) * options_.base);
}

// The first decay happens in the cycle of the hit.
std::uint64_t LostLocality::score(WarpSlot warp, Cycle now) const {
  const Warp& w = warps_[slot(warp)];
  if (w.score <= options_.base) return w.score;
  const std::uint64_t decay = now < w.raised_at ? 0 : (now - w.raised_at + 1) * options_.decay;
  return std::max<std::uint64_t>(options_.base, w.score - std::min(decay, w.score));
}

LostLocalityLevels LostLocality::levels(Cycle now) const {
  LostLocality copy = *this;  // allowed() changes cached results
  LostLocalityLevels levels;
  levels.allowed_warps = static_cast<std::uint64_t>((copy.allowed(now) & live_).count());
  levels.resident_warps = static_cast<std::uint64_t>(live_.count());
  live_.for_each([&](WarpSlot w) {
    levels.score_sum += score(w, now);
    levels.highest_score = std::max(levels.highest_score, score(w, now));
  });
  return levels;
}

WarpMask LostLocality::allowed(Cycle now) {
  if (now >= all_at_base_) return WarpMask::all();
  if ((stale_ && now != evaluated_) || now >= valid_until_) evaluate(now);  // once a cycle
  return allowed_;
}

// Sorts the live warps by score, and warps of equal score by slot. Most have the base score and are
// in slot order already.
std::size_t LostLocality::rank(Cycle now) {
  std::size_t above = 0, count = 0;
  std::array<Ranked, kMaxWarpsPerSm> rest;
  bool below = false;
  live_.for_each([&](WarpSlot w) {
    const std::uint64_t s = score(w, now);
    if (s > options_.base)
      ranked_[above++] = {s, w};
    else
      rest[count++] = {s, w};
    below |= s < options_.base;
  });
  const auto higher = [](const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score > b.score : a.warp < b.warp;
  };
  std::sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(above), higher);
  if (below) std::sort(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count), higher);
  std::copy_n(rest.begin(), count, ranked_.begin() + static_cast<std::ptrdiff_t>(above));
  return above + count;
}

void LostLocality::evaluate(Cycle now) {
  const std::size_t count = rank(now);
  const std::uint64_t limit = cutoff();
  allowed_ = WarpMask{};
  std::uint64_t sum = 0;
  std::size_t allowed = 0;
  for (; allowed < count; ++allowed) {
    const std::uint64_t with = sum + ranked_[allowed].score;
    if (options_.cutoff == CutoffRule::strict && with > limit && allowed > 0)
      break;  // the first may always load; otherwise no warp could
    if (options_.cutoff == CutoffRule::include_crossing && sum >= limit) break;
    allowed_.set(ranked_[allowed].warp);
    sum = with;
  }
  valid_until_ = valid_until(now, allowed, sum);
  stale_ = false;
  evaluated_ = now;
}

// All scores above the base decay at the same rate, so their order stays until one reaches the
// base. The next warp is allowed when the sum has decayed far enough at the present rate.
Cycle LostLocality::valid_until(Cycle now, std::size_t allowed, std::uint64_t sum) const {
  std::uint64_t decaying = 0, first_at_base = ~std::uint64_t{0};
  for (std::size_t i = 0; i < allowed; ++i) {
    if (ranked_[i].score <= options_.base) continue;
    ++decaying;
    first_at_base = std::min(first_at_base, ranked_[i].score - options_.base);
  }
  if (decaying == 0) return all_at_base_;
  const std::uint64_t limit = cutoff();
  const bool strict = options_.cutoff == CutoffRule::strict;
  const std::uint64_t surplus = strict ? 1 : sum < limit ? 1 : sum - limit + 1;
  return now +
         std::max<std::uint64_t>(1, std::min(cycles_to_decay(first_at_base),
                                             cycles_to_decay((surplus + decaying - 1) / decaying)));
}

}  // namespace heddle::sched
