// The SIMT reconvergence stack of one warp: which lanes are where, and where they meet again.
//
// A branch on which lanes part turns the top entry into the one that waits at the branch's immediate post-dominator and puts an
// entry per destination above it. As in GPGPU-Sim, destinations are pushed in the order of their highest lane, highest first: the
// path of the highest active lane runs last. A destination that is the reconvergence point itself gets no entry, and when the top
// entry already waits for the same point no second waiting entry is made; so loops do not grow the stack.
//
// Lanes that spin on what a waiting lane has to do would spin for ever; `split` and `join` make two stacks of one and one of two, so that each
// set of lanes can go its own way (yield.h).
//
// A call leaves the caller's entry at the return address and runs the callee above it, one call level deeper. Lanes return by
// leaving all entries of their level.
#pragma once

#include <array>
#include <cstdint>

#include "base/diagnostics.h"
#include "base/types.h"

namespace heddle::exec {

class SimtStack {
 public:
  // Every parting makes masks strictly smaller, so it nests at most 31 deep with two entries each; calls add one entry a level.
  static constexpr int kMaxCallDepth = 96;
  static constexpr int kMaxEntries = 2 * kWarpSize + kMaxCallDepth + 2;

  struct Entry {
    Pc pc = 0, reconvergence = kNoPc;
    std::uint32_t mask = 0;
    std::uint32_t call_depth = 0;
  };
  struct Path { Pc pc; std::uint32_t mask; };

  void start(std::uint32_t mask) {
    entries_[0] = {0, kNoPc, mask, 0};
    size_ = mask ? 1 : 0;
  }
  bool finished() const { return size_ == 0; }
  int depth() const { return size_; }
  Pc pc() const { return entries_[size_ - 1].pc; }
  std::uint32_t active() const { return entries_[size_ - 1].mask; }
  std::uint32_t call_depth() const { return entries_[size_ - 1].call_depth; }
  std::uint32_t lanes() const {
    std::uint32_t all = 0;
    for (int i = 0; i < size_; ++i) all |= entries_[i].mask;
    return all;
  }
  const Entry& top() const { return entries_[size_ - 1]; }
  const Entry& entry(int i) const { return entries_[i]; }  // 0: the bottom

  // All active lanes continue at `next`.
  void advance(Pc next) {
    Entry& top = entries_[size_ - 1];
    top.pc = next;
    if (next == top.reconvergence) [[unlikely]] settle();
  }

  // The active lanes go two ways, which meet at `reconvergence`. Neither mask is empty.
  void part(Path a, Path b, Pc reconvergence) {
    const Path paths[2] = {a.mask > b.mask ? a : b, a.mask > b.mask ? b : a};
    part(paths, 2, reconvergence);
  }
  // Paths with disjoint, non-empty masks, ordered by highest lane, highest first.
  void part(const Path* paths, int count, Pc reconvergence) {
    if (count == 1) return advance(paths[0].pc);
    const Entry old = entries_[size_ - 1];
    if (reconvergence == kNoPc) reconvergence = old.reconvergence;
    if (reconvergence != old.reconvergence) entries_[size_ - 1].pc = reconvergence;
    else --size_;
    for (int i = 0; i < count; ++i) {
      if (paths[i].pc != reconvergence || reconvergence == kNoPc)
        push({paths[i].pc, reconvergence, paths[i].mask, old.call_depth});
    }
    settle();
  }

  // False when calls nest too deeply.
  bool call(Pc target, Pc return_to, std::uint32_t mask) {
    Entry& top = entries_[size_ - 1];
    const std::uint32_t depth = top.call_depth + 1;
    if (depth > kMaxCallDepth) return false;
    top.pc = return_to;
    push({target, kNoPc, mask, depth});
    return true;
  }
  // Lanes return from the current call level; the others continue at `next`.
  void leave(std::uint32_t mask, Pc next) {
    entries_[size_ - 1].pc = next;
    const std::uint32_t depth = entries_[size_ - 1].call_depth;
    for (int i = size_ - 1; i >= 0 && entries_[i].call_depth == depth; --i) entries_[i].mask &= ~mask;
    settle();
  }
  // Lanes end.
  void exit(std::uint32_t mask, Pc next) {
    entries_[size_ - 1].pc = next;
    for (int i = 0; i < size_; ++i) entries_[i].mask &= ~mask;
    settle();
  }

  // The lanes that do not run now, as a stack of their own; this one keeps the others. Empty when all run.
  SimtStack split() {
    const std::uint32_t all = lanes();
    SimtStack others = *this;
    const std::uint32_t running = active();
    others.keep(all & ~running);
    if (!others.finished()) keep(running);
    return others;
  }
  // Takes the lanes of a stack that is at the same place in every entry. False, and nothing happens, when it is not.
  bool join(const SimtStack& other) {
    if (size_ != other.size_) return false;
    for (int i = 0; i < size_; ++i) {
      const Entry &a = entries_[i], &b = other.entries_[i];
      if (a.pc != b.pc || a.reconvergence != b.reconvergence || a.call_depth != b.call_depth) return false;
    }
    for (int i = 0; i < size_; ++i) entries_[i].mask |= other.entries_[i].mask;
    return true;
  }

 private:
  void keep(std::uint32_t mask) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      entries_[i].mask &= mask;
      if (entries_[i].mask) entries_[kept++] = entries_[i];
    }
    size_ = kept;
    settle();
  }
  void push(const Entry& entry) {
    promise(size_ < kMaxEntries, "SIMT stack overflow");
    entries_[size_++] = entry;
  }
  void settle() {
    while (size_ > 0) {
      const Entry& top = entries_[size_ - 1];
      if (top.mask != 0 && (top.pc != top.reconvergence || top.reconvergence == kNoPc)) return;
      --size_;
    }
  }

  int size_ = 0;
  std::array<Entry, kMaxEntries> entries_{};
};

}  // namespace heddle::exec
