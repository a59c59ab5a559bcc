// Which accesses of a launch are ordered: by a barrier, or by one thread that gives notice (an
// atomic or a volatile store) and another that takes it later. Every such event has a tick of one
// clock; an access carries the tick of its time.
//
// Barriers are followed exactly, by a vector of ticks per warp. Notices are followed generously:
// any that is taken after it was given orders what came before it with what comes after, whichever
// address they used. So code that synchronises through memory is never accused wrongly, and some
// races in such code are not seen.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "exec/check/shadow.h"

namespace heddle::exec {

inline constexpr std::size_t kMostWarps = 32;  // of a CTA: 1024 threads

// Notices of one warp, or one CTA.
struct Notices {
  std::vector<std::uint32_t> given;  // ascending ticks
  std::uint32_t taken = 0;           // tick of the last
  // Has what happened at `tick` been given notice of before `taker` looked last?
  bool reached(std::uint32_t tick, const Notices& taker) const;
};

// Between CTAs of a launch.
class GridOrder {
 public:
  void begin() { tick_ = 0, notices_.clear(); }
  std::uint32_t tick() const { return tick_; }
  std::uint32_t next() { return ++tick_; }
  Notices& of(std::uint64_t cta) { return notices_[cta]; }
  bool ordered(const Access& before, std::uint64_t cta) const;

 private:
  std::uint32_t tick_ = 0;
  std::unordered_map<std::uint64_t, Notices> notices_;  // by CTA
};

// Between the warps of one CTA.
class CtaOrder {
 public:
  using Ticks = std::array<std::uint32_t, kMostWarps>;
  explicit CtaOrder(GridOrder& grid) : grid_(grid) {}
  void start(std::uint64_t cta);

  // What arrivals at a barrier bring along.
  struct Meeting {
    Ticks known{};
    std::uint32_t taken = 0;
  };
  void arrive(std::size_t warp, Meeting& meeting);
  void leave(std::size_t warp, const Meeting& meeting);
  void synchronise_lanes(std::size_t warp) { lanes_[warp] = grid_.next(); }
  void give(std::size_t warp, bool global);
  void take(std::size_t warp, bool global);

  // Does `before`, of another thread, happen before what the warp does now? Lanes of one warp are
  // ordered by their instructions unless `strict`, which asks for bar.warp.sync or the like between
  // them.
  bool ordered(const Access& before, std::size_t warp, bool strict) const;

 private:
  GridOrder& grid_;
  std::uint64_t cta_ = 0;
  std::array<Ticks, kMostWarps>
      known_{};    // by warp: before which tick all accesses of each warp have happened
  Ticks lanes_{};  // when its lanes last met
  std::array<Notices, kMostWarps> notices_;
};

}  // namespace heddle::exec
