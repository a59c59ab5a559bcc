// The SIMT reconvergence stack of one warp: which lanes are where, and where they meet again.
//
// A branch on which lanes part turns the top entry into the one that waits at the branch's
// immediate post-dominator and puts an entry per destination above it. As in GPGPU-Sim since 3.2,
// the lanes that fall through are pushed first: those that take the branch run first. Destinations
// of an indexed branch are pushed in the order of their highest lane. A destination that is the
// reconvergence point itself gets no entry, and when the top entry already waits for the same point
// no second waiting entry is made; so loops do not grow the stack.
//
// Lanes that spin on what a waiting lane has to do would spin for ever; `split` and `join` make two
// stacks of one and one of two, so that each set of lanes can go its own way (yield.h).
//
// An instruction that lanes make together may have to wait for lanes of other entries
// (convergence_point.h). Then these move to the top, above entries that they have nothing to do
// with; an entry is above all that wait for its lanes in any case.
//
// A call leaves the caller's entry at the return address and runs the callee above it, one call
// level deeper. Lanes return by leaving all entries of their level. A call through a pointer puts
// an entry per callee above the caller's, all of one level, in the order of their highest lanes as
// for branches; they meet again where the caller goes on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

class SimtStack {
 public:
  struct Entry {
    Pc pc = 0, reconvergence = kNoPc;
    std::uint32_t mask = 0;
    std::uint32_t call_depth : 30 = 0;
    std::uint32_t waits : 1 = 0;  // lets others come to its instruction first
    std::uint32_t met : 1 = 0;    // and need not do so any more: all have come
    bool operator==(const Entry&) const = default;
  };
  struct Path {
    Pc pc;
    std::uint32_t mask;
  };

  SimtStack() = default;
  SimtStack(const SimtStack& other) { *this = other; }
  SimtStack& operator=(const SimtStack& other) {
    more_ = other.more_;
    mixed_ = other.mixed_;
    first_ = other.first_;
    bottom_ = more_.empty() ? first_.data() : more_.data();
    top_ = bottom_ + other.depth();
    return *this;
  }

  void start(std::uint32_t mask) {
    top_ = bottom_;
    mixed_ = false;
    if (mask) push({0, kNoPc, mask, 0});
  }
  bool finished() const { return top_ == bottom_; }
  int depth() const { return static_cast<int>(top_ - bottom_); }
  Pc pc() const { return top_->pc; }
  std::uint32_t active() const { return top_->mask; }
  std::uint32_t call_depth() const { return top_->call_depth; }
  std::uint32_t lanes() const {
    std::uint32_t all = 0;
    for (const Entry* e = bottom(); e <= top_; ++e) all |= e->mask;
    return all;
  }
  const Entry& top() const { return *top_; }
  const Entry& entry(int i) const { return bottom()[i]; }  // 0: the bottom

  // All active lanes continue at `next`.
  void advance(Pc next) {
    top_->pc = next;
    if (next == top_->reconvergence) [[unlikely]]
      settle();
  }

  // The active lanes go two ways, which meet at `reconvergence`. Neither mask is empty.
  void part(Path runs_last, Path runs_first, Pc reconvergence) {
    const Path paths[2] = {runs_last, runs_first};
    part(paths, 2, reconvergence);
  }
  // Paths with disjoint, non-empty masks; the last one runs first.
  void part(const Path* paths, int count, Pc reconvergence) {
    if (count == 1) return advance(paths[0].pc);
    const Entry old = *top_;
    if (reconvergence == kNoPc) reconvergence = old.reconvergence;
    if (reconvergence != old.reconvergence)
      top_->pc = reconvergence;
    else
      --top_;
    for (int i = 0; i < count; ++i) {
      if (paths[i].pc != reconvergence || reconvergence == kNoPc)
        push({paths[i].pc, reconvergence, paths[i].mask, old.call_depth});
    }
    settle();
  }

  void call(Pc target, Pc return_to, std::uint32_t mask) {
    const Path path{target, mask};
    call(&path, 1, return_to);
  }
  // Paths with disjoint, non-empty masks; the last one runs first.
  void call(const Path* callees, int count, Pc return_to) {
    const std::uint32_t depth = top_->call_depth + 1;
    top_->pc = return_to;
    for (int i = 0; i < count; ++i) push({callees[i].pc, kNoPc, callees[i].mask, depth});
  }
  // Lanes return from the current call level; the others continue at `next`.
  void leave(std::uint32_t mask, Pc next) {
    top_->pc = next;
    const std::uint32_t depth = top_->call_depth;
    for (Entry* e = top_; e >= bottom() && (mixed_ || e->call_depth == depth); --e)
      if (e->call_depth == depth) e->mask &= ~mask;
    settle();
  }
  // Lanes end.
  void exit(std::uint32_t mask, Pc next) {
    top_->pc = next;
    for (Entry* e = bottom(); e <= top_; ++e) e->mask &= ~mask;
    settle();
  }

  // Entry `i`, for whose lanes no entry above it is, runs next; the running lanes wait.
  void run_first(int i);
  void stop_waiting() { top_->waits = top_->met = 0; }
  // Entry `i` has waited long enough.
  void meet(int i) { bottom()[i].met = 1; }
  // The lanes of entry `i`, which is like that and at the running lanes' pc, run with these: to
  // where most others wait for them.
  void take_in(int i);

  // The lanes that do not run now, as a stack of their own; this one keeps the others. Empty when
  // all run.
  SimtStack split() {
    const std::uint32_t all = lanes();
    SimtStack others = *this;
    const std::uint32_t running = active();
    others.keep(all & ~running);
    if (!others.finished()) keep(running);
    return others;
  }
  // Takes the lanes of a stack that is at the same place in every entry. False, and nothing
  // happens, when it is not.
  bool join(const SimtStack& other) {
    if (depth() != other.depth()) return false;
    for (Entry* e = bottom(); e <= top_; ++e) {
      const Entry &a = *e, &b = other.bottom()[e - bottom()];
      if (a.pc != b.pc || a.reconvergence != b.reconvergence || a.call_depth != b.call_depth)
        return false;
    }
    for (Entry* e = bottom(); e <= top_; ++e) e->mask |= other.bottom()[e - bottom()].mask;
    return true;
  }

 private:
  // Partings nest at most 31 deep with two entries each, but mostly a few; calls add entries as
  // long as there is memory for their frames.
  static constexpr std::size_t kFirstEntries = 7;

  Entry* bottom() { return bottom_ + 1; }
  const Entry* bottom() const { return bottom_ + 1; }
  void keep(std::uint32_t mask) {
    Entry* kept = bottom_;
    for (Entry* e = bottom(); e <= top_; ++e) {
      e->mask &= mask;
      if (e->mask) *++kept = *e;
    }
    top_ = kept;
    settle();
  }
  void push(const Entry& entry) {
    if (static_cast<std::size_t>(depth()) + 1 == std::max(kFirstEntries, more_.size())) [[unlikely]]
      grow();
    *++top_ = entry;
  }
  void grow() {
    const auto size = static_cast<std::size_t>(depth()) + 1;
    if (more_.empty()) more_.assign(first_.begin(), first_.end());
    more_.resize(8 * size);
    bottom_ = more_.data();
    top_ = bottom_ + size - 1;
  }
  void settle() {
    for (; !finished(); --top_)
      if (top_->mask != 0 && (top_->pc != top_->reconvergence || top_->reconvergence == kNoPc))
        return;
  }

  Entry *top_ = first_.data(),
        *bottom_ = first_.data();  // the entry at the bottom is none: what `top_` points to when
                                   // the warp has ended
  std::array<Entry, kFirstEntries> first_{};
  bool mixed_ = false;       // entries of one call may stand apart
  std::vector<Entry> more_;  // instead, once they are not enough
};

}  // namespace heddle::exec
