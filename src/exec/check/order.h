// The order of the accesses of a launch. Two accesses are ordered by a barrier, or by a release of
// one thread (an atomic or a volatile store) and a later acquire of another. Every such event has a
// tick of one clock; an access has the tick of its time.
//
// Barriers are followed exactly, with a vector of ticks per warp. Releases and acquires are
// followed conservatively: an acquire orders all that precedes any earlier release before what
// follows the acquire, whatever addresses the two use. So code that synchronises through memory
// never causes a false finding, but some races in such code are not found.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "exec/check/shadow.h"

namespace heddle::exec {

inline constexpr std::size_t kMaxWarps = 32;  // of a CTA: 1024 threads

// Releases and acquires of one warp or one CTA.
struct SyncEvents {
  std::vector<std::uint32_t> releases;  // ascending ticks
  std::uint32_t last_acquire = 0;       // tick of the last acquire
  // Is there a release after `tick` and before the last acquire of `reader`?
  bool reached(std::uint32_t tick, const SyncEvents& reader) const;
};

// The order between the CTAs of a launch.
class GridOrder {
 public:
  void begin() { tick_ = 0, events_.clear(); }
  std::uint32_t tick() const { return tick_; }
  std::uint32_t next() { return ++tick_; }
  SyncEvents& of(std::uint64_t cta) { return events_[cta]; }
  bool ordered(const Access& before, std::uint64_t cta) const;

 private:
  std::uint32_t tick_ = 0;
  std::unordered_map<std::uint64_t, SyncEvents> events_;  // by CTA
};

// The order between the warps of one CTA.
class CtaOrder {
 public:
  using Ticks = std::array<std::uint32_t, kMaxWarps>;
  explicit CtaOrder(GridOrder& grid) : grid_(grid) {}
  void start(std::uint64_t cta);

  // What the arrivals at a barrier make known to the departing warps.
  struct BarrierOrder {
    Ticks known{};
    std::uint32_t last_acquire = 0;
  };
  void arrive(std::size_t warp, BarrierOrder& barrier);
  void depart(std::size_t warp, const BarrierOrder& barrier);
  void synchronise_lanes(std::size_t warp) { lanes_[warp] = grid_.next(); }
  void release(std::size_t warp, bool global);
  void acquire(std::size_t warp, bool global);

  // Does `before`, of another thread, precede what the warp does now? Lanes of one warp are ordered
  // by their instructions unless `strict`, which requires bar.warp.sync or the like between them.
  bool ordered(const Access& before, std::size_t warp, bool strict) const;

 private:
  GridOrder& grid_;
  std::uint64_t cta_ = 0;
  std::array<Ticks, kMaxWarps>
      known_{};    // by warp: the tick before which all accesses of each warp have happened
  Ticks lanes_{};  // tick of the last synchronisation of the warp's lanes
  std::array<SyncEvents, kMaxWarps> events_;
};

}  // namespace heddle::exec
