// The SIMT reconvergence stack of one warp.
//
// A divergent branch makes the top entry wait at the branch's immediate
// post-dominator and pushes one entry per destination. As in GPGPU-Sim since 3.2, the lanes that
// fall through are pushed first, so the lanes that take the branch run first. The destinations of
// an indexed branch are pushed in the order of their highest lane. A destination that is the
// reconvergence point itself gets no entry. When the top entry already waits for the same
// reconvergence point, no second waiting entry is made, so loops do not grow the stack.
//
// Lanes that spin on what a waiting lane has to do would spin for ever. `split` makes two stacks of
// one, `join` makes one of two, so that each fragment can run on its own (spin_yield.h).
//
// A warp-synchronous instruction may wait for lanes of other entries (warp_synchronous.h). These
// entries move to the top, above entries of other lanes. An entry is always above all entries that
// wait for its lanes.
//
// A call sets the caller's entry to the return address and runs the callee above it, one call
// level deeper. Returning lanes are removed from all entries of their level. A call through a
// pointer pushes one entry per callee, all of one level, in the order of their highest lanes as for
// branches; they reconverge at the return address.
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
    std::uint32_t waits : 1 = 0;      // other lanes have to reach its instruction first
    std::uint32_t converged : 1 = 0;  // the instruction was executed with that of other lanes
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

  // The active lanes diverge until `reconvergence`. Neither mask is empty.
  void diverge(Path runs_last, Path runs_first, Pc reconvergence) {
    const Path paths[2] = {runs_last, runs_first};
    diverge(paths, 2, reconvergence);
  }
  // Paths with disjoint, non-empty masks; the last one runs first.
  void diverge(const Path* paths, int count, Pc reconvergence) {
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
  void return_lanes(std::uint32_t mask, Pc next) {
    top_->pc = next;
    const std::uint32_t depth = top_->call_depth;
    for (Entry* e = top_; e >= bottom() && (mixed_ || e->call_depth == depth); --e)
      if (e->call_depth == depth) e->mask &= ~mask;
    settle();
  }
  // Lanes exit.
  void exit(std::uint32_t mask, Pc next) {
    top_->pc = next;
    for (Entry* e = bottom(); e <= top_; ++e) e->mask &= ~mask;
    settle();
  }

  // Entry `i` runs next; the running lanes wait. No entry above it has lanes of it.
  void run_first(int i);
  void start_waiting() { top_->waits = 1; }
  void stop_waiting() { top_->waits = top_->converged = 0; }
  // The lanes of entry `i`, which is at the running lanes' pc and has no entry of its lanes above
  // it, run together with the running lanes. They take the reconvergence point for which more
  // entries wait.
  void merge_into_top(int i);

  // Machine code uses the entries as groups of lanes, without reconvergence points. act(first, end)
  // changes their order, states and number, and returns the new end; the last one runs.
  template <class Act>
  void regroup(Act act) {
    top_ = act(bottom(), top_ + 1) - 1;
  }

  // Moves the lanes that are not active to a stack of their own, which is empty when all lanes are
  // active.
  SimtStack split() {
    const std::uint32_t all = lanes();
    SimtStack others = *this;
    const std::uint32_t running = active();
    others.keep(all & ~running);
    if (!others.finished()) keep(running);
    return others;
  }
  // Adds the lanes of a stack whose entries are all at the same places. Otherwise returns false and
  // changes nothing.
  bool join(const SimtStack& other) {
    if (depth() != other.depth()) return false;
    for (Entry* e = bottom(); e <= top_; ++e) {
      const Entry &a = *e, &b = other.bottom()[e - bottom()];
      if (a.pc != b.pc || a.reconvergence != b.reconvergence || a.call_depth != b.call_depth ||
          a.converged != b.converged)
        return false;
    }
    for (Entry* e = bottom(); e <= top_; ++e) e->mask |= other.bottom()[e - bottom()].mask;
    return true;
  }

 private:
  friend struct CompiledStack;  // compiled/lane_context.h

  // Divergence nests at most 31 levels of two entries, but a few in most programs. Calls add
  // entries.
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

  // Below the first entry is a dummy, to which `top_` points when the warp has ended.
  Entry *top_ = first_.data(), *bottom_ = first_.data();
  std::array<Entry, kFirstEntries> first_{};
  bool mixed_ = false;       // entries of one call may not be adjacent
  std::vector<Entry> more_;  // replaces first_ when that is too small
};

}  // namespace heddle::exec
