#include "sched/limiters/footprints.h"

#include <algorithm>

namespace heddle::sched {

LoadClass* LoadTable::find(Pc pc) {
  const auto at =
      std::find_if(loads_.begin(), loads_.end(), [pc](const LoadClass& l) { return l.pc == pc; });
  return at == loads_.end() ? nullptr : &*at;
}

LoadClass* LoadTable::insert(const LoadClass& load) {
  if (loads_.size() == capacity_) return nullptr;
  loads_.push_back(load);
  return &loads_.back();
}

void LoadTable::merge_groups(std::uint32_t a, std::uint32_t b) {
  for (LoadClass& l : loads_)
    if (l.group == b) l.group = a;
}

std::uint32_t LoadTable::predict(Pc loop, int lanes) const {
  std::uint32_t lines = 0;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (loads_[i].loop != loop) continue;
    bool first = true, diverged = false;
    for (std::size_t k = 0; k < loads_.size(); ++k) {
      if (loads_[k].loop != loop || loads_[k].group != loads_[i].group) continue;
      first &= k >= i;
      diverged |= loads_[k].diverged;
    }
    if (first) lines += lanes == 1 ? 1u : diverged ? static_cast<std::uint32_t>(lanes) : 2u;
  }
  return lines;
}

Pc LoadTable::loop_after(Pc pc) const {
  Pc next = kNoPc;
  for (const LoadClass& l : loads_)
    if (l.loop >= pc) next = std::min(next, l.loop);
  return next;
}

std::uint64_t Footprints::predicted_lines() const {
  std::uint64_t sum = 0;
  for (const WarpSlot w : by_age_) sum += at(w).footprint;
  return sum;
}

std::uint64_t Footprints::admitted_lines() const {
  std::uint64_t sum = 0;
  admitted_.for_each([&](WarpSlot w) { sum += at(w).footprint; });
  return sum;
}

void Footprints::launch(WarpSlot warp, std::uint32_t age) {
  at(warp) = {};
  age_[static_cast<std::size_t>(warp.index)] = age;
  by_age_.push_back(warp);  // it is the youngest
  stale_ = true;
}

void Footprints::exit(WarpSlot warp) {
  end_outermost_loop(warp);
  at(warp) = {};
  std::erase(by_age_, warp);
}

void Footprints::enter_barrier(WarpSlot warp) {
  Warp& w = at(warp);
  w.saved = w.expected == kNoPc ? w.footprint : 0;
  set_footprint(warp, 0);
}

void Footprints::pass_barrier(WarpSlot warp) {
  const std::uint32_t saved = at(warp).saved;
  set_footprint(warp, saved);
}

void Footprints::begin_loop(WarpSlot warp, Pc loop, int lanes, const LoopPredictor& predictor) {
  Warp& w = at(warp);
  std::uint32_t footprint = w.expected == kNoPc ? w.footprint : 0;
  if (w.loop == kNoPc || w.loop == loop) {
    footprint = predictor.predict(loop, lanes);
    w.loop = loop;
  } else if (w.loop < loop) {
    if (const std::uint32_t inner = predictor.predict(loop, lanes); inner > 0) {
      footprint = inner;
      w.loop = loop;
    }
  } else {
    footprint = predictor.predict(w.loop, lanes);
  }
  set_footprint(warp, footprint > lines_ ? 0 : footprint);
}

void Footprints::end_outermost_loop(WarpSlot warp) {
  at(warp).loop = kNoPc;
  set_footprint(warp, 0);
  admitted_.reset(warp);
}

void Footprints::issued(WarpSlot warp, Pc pc) {
  if (at(warp).expected != kNoPc && pc > at(warp).expected) set_footprint(warp, 0);
}

// Sets the footprint of the loop that the warp is in, and ends its expectation of a loop.
void Footprints::set_footprint(WarpSlot warp, std::uint32_t footprint) {
  Warp& w = at(warp);
  const bool inside = footprint > 0;
  if (w.footprint == footprint && w.expected == kNoPc && inside_.test(warp) == inside) return;
  w.footprint = footprint;
  w.expected = kNoPc;
  expecting_.reset(warp);
  inside_.assign(warp, inside);
  stale_ = true;
  if (!inside) admitted_.reset(warp);
  if (inside_.none()) drop_expectations();
}

void Footprints::drop_expectations() {
  expecting_.for_each([&](WarpSlot w) {
    at(w).footprint = 0;
    at(w).expected = kNoPc;
  });
  expecting_ = WarpMask{};
}

bool Footprints::may_load(WarpSlot warp, Pc pc, int lanes, const LoopPredictor& predictor) {
  if (inside_.none()) return true;
  Warp& w = at(warp);
  if (w.loop == kNoPc) {
    const Pc next = predictor.loop_after(pc);
    std::uint32_t footprint = next == kNoPc ? 0 : predictor.predict(next, lanes);
    if (footprint > lines_) footprint = 0;
    if (footprint != w.footprint) stale_ = true;
    w.footprint = footprint;
    w.expected = footprint > 0 ? next : kNoPc;
    expecting_.assign(warp, footprint > 0);
  }
  if (w.footprint == 0 && unpredicted_ == Unpredicted::pass) return true;
  if (stale_) admit();
  return admitted_.test(warp);
}

void Footprints::admit() {
  stale_ = false;
  const WarpMask before = sticky_ ? admitted_ : WarpMask{};
  admitted_ = WarpMask{};
  double sum = 0;
  const auto visit = [&](WarpSlot w) {
    sum += at(w).footprint;
    if (sum <= lines_ && (at(w).footprint > 0 || unpredicted_ == Unpredicted::by_age))
      admitted_.set(w);
  };
  for (const WarpSlot w : by_age_)
    if (before.test(w)) visit(w);
  for (const WarpSlot w : by_age_)
    if (!before.test(w)) visit(w);
}

}  // namespace heddle::sched
