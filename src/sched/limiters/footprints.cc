#include "sched/limiters/footprints.h"

#include <algorithm>

namespace heddle::sched {

LoadClass* LoadTable::find(Pc pc) {
  const auto at =
      std::find_if(loads_.begin(), loads_.end(), [pc](const LoadClass& l) { return l.pc == pc; });
  return at == loads_.end() ? nullptr : &*at;
}

LoadClass* LoadTable::insert(const LoadClass& load) {
  if (entries_ > 0 && loads_.size() == entries_) return nullptr;
  loads_.push_back(load);
  stale_ = true;
  return &loads_.back();
}

void LoadTable::set_diverged(LoadClass& load, bool diverged) {
  stale_ |= load.diverged != diverged;
  load.diverged = diverged;
}

void LoadTable::merge_groups(std::uint32_t a, std::uint32_t b) {
  if (a == b) return;
  for (LoadClass& l : loads_)
    if (l.group == b) l.group = a;
  stale_ = true;
}

// A group counts once; it is diverged if one of its loads is.
void LoadTable::sum_loops() const {
  stale_ = false;
  sums_.clear();
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    bool first = true, diverged = false;
    for (std::size_t k = 0; k < loads_.size(); ++k) {
      if (loads_[k].loop != loads_[i].loop || loads_[k].group != loads_[i].group) continue;
      first &= k >= i;
      diverged |= loads_[k].diverged;
    }
    if (!first) continue;
    auto at = std::find_if(sums_.begin(), sums_.end(),
                           [&](const LoopSum& s) { return s.loop == loads_[i].loop; });
    if (at == sums_.end()) at = sums_.insert(sums_.end(), {loads_[i].loop});
    ++(diverged ? at->diverged : at->converged);
  }
}

std::uint32_t LoadTable::predict(Pc loop, int lanes) const {
  if (stale_) sum_loops();
  const auto at =
      std::find_if(sums_.begin(), sums_.end(), [loop](const LoopSum& s) { return s.loop == loop; });
  if (at == sums_.end()) return 0;
  return lanes == 1 ? at->diverged + at->converged
                    : at->diverged * static_cast<std::uint32_t>(lanes) + 2 * at->converged;
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

void Footprints::launch(WarpSlot warp, std::uint32_t age, int kernel) {
  at(warp) = {};
  at(warp).kernel = kernel;
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
  const std::uint32_t before = w.expected == kNoPc ? w.footprint : 0;
  std::uint32_t footprint = before;
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
  w.unthrottled = footprint > rules_.capacity;
  if (w.unthrottled) footprint = 0;
  // More lines for no more lanes: the loop was classified differently when the warp was admitted.
  if (footprint > before && lanes <= w.lanes) {
    admitted_.reset(warp);
    stale_ = true;
  }
  w.lanes = lanes;
  set_footprint(warp, footprint);
}

void Footprints::end_outermost_loop(WarpSlot warp) {
  at(warp).loop = kNoPc;
  at(warp).lanes = 0;
  at(warp).unthrottled = false;
  set_footprint(warp, 0);
  admitted_.reset(warp);
  stale_ = true;
}

void Footprints::issued(WarpSlot warp, Pc pc) {
  if (at(warp).expected != kNoPc && pc > at(warp).expected) set_footprint(warp, 0);
}

// Sets the footprint of the loop that the warp is in, and ends its expectation of a loop.
void Footprints::set_footprint(WarpSlot warp, std::uint32_t footprint) {
  Warp& w = at(warp);
  const bool inside = footprint > 0, was_inside = inside_.test(warp);
  if (w.footprint == footprint && w.expected == kNoPc && was_inside == inside) return;
  w.footprint = footprint;
  w.expected = kNoPc;
  expecting_.reset(warp);
  inside_.assign(warp, inside);
  stale_ = true;
  if (!inside || !was_inside) admitted_.reset(warp);
  if (inside_.none()) drop_expectations();
}

void Footprints::drop_expectations() {
  expecting_.for_each([&](WarpSlot w) {
    at(w).footprint = 0;
    at(w).expected = kNoPc;
  });
  expecting_ = WarpMask{};
}

void Footprints::begin_kernel(const isa::Kernel& kernel, int number) {
  const auto place = static_cast<std::size_t>(number);
  if (headers_.size() <= place) headers_.resize(place + 1);
  std::vector<Pc>& headers = headers_[place];
  headers.clear();
  for (const isa::Loop& loop : kernel.loops) headers.push_back(loop.header);
  std::sort(headers.begin(), headers.end());
}

// At `pc` itself: a load that is its loop's first instruction issues before begin_loop().
Pc Footprints::closest_loop(Pc pc, int kernel, const LoopPredictor& predictor) const {
  if (rules_.closest == ClosestLoop::classified) return predictor.loop_after(pc);
  const std::vector<Pc>& headers = headers_[static_cast<std::size_t>(kernel)];
  const auto next = std::lower_bound(headers.begin(), headers.end(), pc);
  return next == headers.end() ? kNoPc : *next;
}

// A warp that may not load asks in every cycle.
void Footprints::look_ahead(Warp& w, Pc pc, int lanes, const LoopPredictor& predictor) const {
  if (w.ahead.pc == pc && w.ahead.lanes == lanes && w.ahead.version == predictor.version()) return;
  const Pc next = closest_loop(pc, w.kernel, predictor);
  const std::uint32_t footprint = next == kNoPc ? 0 : predictor.predict(next, lanes);
  w.ahead = {pc, lanes, predictor.version(), next, footprint > rules_.capacity ? 0 : footprint};
}

bool Footprints::may_load(WarpSlot warp, Pc pc, int lanes, const LoopPredictor& predictor) {
  if (inside_.none()) return true;
  Warp& w = at(warp);
  if (w.unthrottled) return true;
  if (w.loop == kNoPc) {
    look_ahead(w, pc, lanes, predictor);
    if (w.ahead.footprint != w.footprint) stale_ = true;
    w.footprint = w.ahead.footprint;
    w.expected = w.footprint > 0 ? w.ahead.loop : kNoPc;
    expecting_.assign(warp, w.footprint > 0);
  }
  if (w.footprint == 0 && rules_.unpredicted == Unpredicted::pass) return true;
  if (stale_) admit();
  return admitted_.test(warp);
}

// The sum starts with the warps that may not be stopped, then with the oldest. The first warp with
// a footprint may always load; otherwise a footprint between the sum's limit and the capacity would
// stop all warps.
void Footprints::admit() {
  stale_ = false;
  const WarpMask before = rules_.sticky ? admitted_ & inside_ : WarpMask{};
  admitted_ = before;
  double sum = 0;
  for (const WarpSlot w : by_age_)
    if (before.test(w)) sum += at(w).footprint;
  for (const WarpSlot w : by_age_) {
    if (before.test(w)) continue;
    const std::uint32_t footprint = at(w).footprint;
    if (footprint == 0 && rules_.unpredicted == Unpredicted::pass) continue;
    if (sum == 0 || sum + footprint <= rules_.lines) admitted_.set(w);
    sum += footprint;
  }
}

}  // namespace heddle::sched
