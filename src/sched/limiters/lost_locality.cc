#include "sched/limiters/lost_locality.h"

#include <algorithm>

namespace heddle::sched {

LostLocality::LostLocality(const LostLocalityOptions& options, std::uint32_t line_bytes)
    : options_(options), tags_(options.vta_entries, options.vta_ways, line_bytes) {}

void LostLocality::change_live(WarpSlot warp, bool live, Cycle now) {
  if (live_changed_at_ != now) live_before_ = live_.count();
  live_changed_at_ = now;
  live_.assign(warp, live);
  stale_ = true;
}

void LostLocality::launch(WarpSlot warp, Cycle now, const isa::Kernel* kernel) {
  warps_[slot(warp)] = {options_.base, 0, 0, {}, isa::Loop::kNone, kernel};
  change_live(warp, true, now);
  tags_.clear(warp);
}

// The hits and issues of an ended warp are subtracted from the sums, as in the authors' simulator.
void LostLocality::exit(WarpSlot warp, Cycle now) {
  Warp& w = warps_[slot(warp)];
  hits_sum_ -= w.hits;
  issued_sum_ -= w.issued;
  w = {};
  below_base_.reset(warp);
  vetoed_in_loop_.reset(warp);
  change_live(warp, false, now);
  if (now < all_at_base_ && options_.cap == ScoreCap::current) cap_scores(now);
}

// The eviction event of the line that this access displaced came first, so that line is in its
// owner's victim tags already.
void LostLocality::accessed(const sm::L1Access& event) {
  if (event.outcome != sm::L1Outcome::reservation_fail && below_base_.test(event.warp)) {
    below_base_.reset(event.warp);
    warps_[slot(event.warp)].score = options_.base;
    stale_ = true;
  }
  if (!event.load) {
    if (!event.local) tags_.invalidate(event.line);
    return;
  }
  const bool probes = event.outcome == sm::L1Outcome::miss ||
                      (event.outcome == sm::L1Outcome::hit_reserved && options_.merged);
  if (probes && live_.test(event.warp) && tags_.contains(event.warp, event.line)) hit(event);
}

std::uint64_t LostLocality::score_of_hit(Cycle now) const {
  return hits_sum_ * options_.k_throttle * cutoff(now) / std::max<std::uint64_t>(1, issued_sum_) +
         options_.offset;
}

void LostLocality::hit(const sm::L1Access& event) {
  const Cycle now = event.now;
  Warp& w = warps_[slot(event.warp)];
  ++w.hits;
  ++hits_sum_;
  LostLocalityStatistics& statistics = statistics_.of(event.kernel);
  ++statistics.lost_locality_hits;
  if (vetoed_in_loop_.test(event.warp) && w.kernel &&
      is_inside(*w.kernel, w.kernel->instructions[event.pc].loop, w.veto_loop))
    ++statistics.lost_after_veto;
  w.score = std::max<std::uint64_t>(options_.base, score_of_hit(now));
  w.raised_at = now;
  stale_ = true;
  highest_ = std::max(highest_, w.score + options_.decay * now.value);
  if (w.score > options_.base)
    all_at_base_ = std::max(all_at_base_, now + cycles_to_decay(w.score - options_.base));
}

// From the next cycle on, a score above what a hit would set now is lowered to that. The comparison
// with highest_ excludes this for most instructions.
void LostLocality::cap_scores(Cycle now) {
  const std::uint64_t decayed = options_.decay * (now.value + 2);
  if (highest_ <= decayed + options_.base) return;
  const std::uint64_t cap = score_of_hit(now);
  if (highest_ - decayed <= cap) return;
  highest_ = 0;
  live_.for_each([&](WarpSlot warp) {
    Warp& w = warps_[slot(warp)];
    const std::uint64_t next = score(warp, now + 1);
    if (next <= options_.base) return;
    if (next > cap) {
      w.score = cap;
      w.raised_at = now + 2;  // its next decay
      below_base_.assign(warp, cap < options_.base);
      stale_ = true;
    }
    highest_ = std::max(highest_, w.score + options_.decay * w.raised_at.value);
  });
}

bool LostLocality::is_inside(const isa::Kernel& kernel, std::uint16_t loop, std::uint16_t outer) {
  while (loop != isa::Loop::kNone && loop != outer) loop = kernel.loops[loop].parent;
  return loop == outer;
}

void LostLocality::add_veto(WarpSlot warp, int kernel, const isa::Instruction& load) {
  ++statistics_.of(kernel).vetoed_loads;
  if (load.loop == isa::Loop::kNone || vetoed_in_loop_.test(warp)) return;
  vetoed_in_loop_.set(warp);
  warps_[slot(warp)].veto_loop = load.loop;
}

void LostLocality::end_veto_outside_loop(WarpSlot warp, const isa::Instruction& i) {
  const Warp& w = warps_[slot(warp)];
  if (!w.kernel || !is_inside(*w.kernel, i.loop, w.veto_loop)) vetoed_in_loop_.reset(warp);
}

std::uint64_t LostLocality::cutoff(Cycle now) const {
  const bool lags = options_.cutoff_lags && now <= live_changed_at_;
  const int warps = lags ? live_before_ : live_.count();
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(warps) * options_.base);
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
  if (now >= all_at_base_ && until_cutoff_changes(now) == Cycle::never()) return WarpMask::all();
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
  const std::uint64_t limit = cutoff(now);
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
  valid_until_ = std::min(valid_until(now, allowed, sum), until_cutoff_changes(now));
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
  const std::uint64_t limit = cutoff(now);
  const bool strict = options_.cutoff == CutoffRule::strict;
  const std::uint64_t surplus = strict ? 1 : sum < limit ? 1 : sum - limit + 1;
  return now +
         std::max<std::uint64_t>(1, std::min(cycles_to_decay(first_at_base),
                                             cycles_to_decay((surplus + decaying - 1) / decaying)));
}

}  // namespace heddle::sched
