// The order of the accesses of a launch. Two accesses are ordered by a barrier, or by a release of
// one thread (an atomic or a volatile store) and a later acquire of another. Every such event has a
// tick of one clock; an access has the tick of its time.
//
// Barriers are followed exactly, with a vector of ticks per warp. A release covers the accesses of
// the lanes that execute it, and of lanes that they have synchronised with before (bar.warp.sync,
// shuffles); likewise an acquire. Releases and acquires are not matched by address: an acquire
// orders all that an earlier release covers before what follows the acquire, whatever addresses the
// two use. So code that synchronises through memory never causes a false finding, but some races in
// such code are not found.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exec/check/shadow.h"

namespace heddle::exec {

inline constexpr std::size_t kMaxWarps = 32;  // of a CTA: 1024 threads
using Tick = std::uint32_t;
using LaneTicks = std::array<Tick, kWarpSize>;

// The last acquires of several readers. Releases between which no other reader acquires are alike
// for all of them.
class LastAcquires {
 public:
  void add(std::uint64_t reader, Tick now);
  // The last acquire of a reader other than this one.
  Tick of_others(std::uint64_t reader) const { return reader == reader_ ? others_ : last_; }

 private:
  std::uint64_t reader_ = ~std::uint64_t{0};
  Tick last_ = 0, others_ = 0;  // of `reader_`; of the others
};

// The order between the CTAs of a launch.
class GridOrder {
 public:
  void begin() { *this = {}; }
  Tick tick() const { return tick_; }
  Tick next() { return ++tick_; }
  // The CTA releases the accesses of each thread before the tick in `released`, by warp and lane.
  // The released ticks of a CTA never fall.
  void release(std::uint64_t cta, std::span<LaneTicks> released);
  void acquire(std::uint64_t cta, Tick now) { acquires_.add(cta, now); }
  // Has the access been released before the tick `acquired`?
  bool released(const ShadowAccess& access, Tick acquired) const;

 private:
  struct Release {
    Tick tick = 0;
    std::vector<Tick> by_warp;                           // released of all lanes
    std::vector<std::pair<std::uint16_t, Tick>> beyond;  // threads of which more is released
    Tick of(std::uint16_t thread) const;
  };
  // Beyond so many the lanes of a warp are not distinguished.
  static constexpr std::size_t kMaxBeyond = 64;

  Tick tick_ = 0;
  LastAcquires acquires_;
  std::unordered_map<std::uint64_t, std::vector<Release>> releases_;  // by CTA, ascending
};

// The order between the threads of one CTA, and between them and other CTAs.
class CtaOrder {
 public:
  using Ticks = std::array<Tick, kMaxWarps>;
  explicit CtaOrder(GridOrder& grid) : grid_(grid) {}
  void start(std::uint64_t cta, std::size_t warps);

  // What the arrivals at a barrier make known to the departing warps.
  struct BarrierOrder {
    Ticks known{};
    Tick acquired = 0;
  };
  void arrive(std::size_t warp, BarrierOrder& barrier);
  void depart(std::size_t warp, const BarrierOrder& barrier);
  void synchronise_lanes(std::size_t warp, std::uint32_t lanes);
  void release(std::size_t warp, std::uint32_t lanes, bool global);
  void acquire(std::size_t warp, std::uint32_t lanes, bool global);

  // Does `before`, of another thread, precede what this thread of the CTA does now? Lanes of one
  // warp are ordered by their instructions unless `strict`, which requires bar.warp.sync or the
  // like between them.
  bool ordered(const ShadowAccess& before, std::uint16_t thread, bool strict) const;

 private:
  // The accesses of `lanes` before `covered` precede what follows an acquire after `tick`.
  struct Release {
    Tick tick = 0, covered = 0;
    std::uint32_t lanes = 0;
  };
  struct WarpState {
    Ticks known{};  // by warp: the tick before which all its accesses have happened
    // By lane, by other lane: the tick before which the other's accesses have happened.
    std::array<LaneTicks, kWarpSize> seen{};
    LaneTicks acquired{};  // by lane: the last acquire, its own or of a lane it synchronised with
    LaneTicks ordered{};   // by lane: the last acquire, synchronisation or barrier
    LaneTicks released{};  // by lane: covered by releases
    std::vector<Release> releases;  // ascending ticks
    Tick last_barrier = 0;
  };
  void add_release(std::size_t warp, const Release& release);
  bool released_by(const WarpState& warp, std::size_t lane, Tick tick, Tick acquired) const;

  GridOrder& grid_;
  std::uint64_t cta_ = 0;
  std::vector<WarpState> warps_;
  std::vector<LaneTicks> published_;   // by warp: what releases and barriers cover
  std::vector<Tick> global_acquires_;  // ascending
  LastAcquires acquires_;
};

}  // namespace heddle::exec
