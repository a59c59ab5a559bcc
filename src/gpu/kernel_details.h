// The details of a run (heddle run --details): the uses of every scheduler's issue slots, the
// statistics of each instruction and loop, the warps whose lines hits find, the progress of warps
// and CTAs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "mem/memory_stats.h"
#include "sm/count/sm_stats.h"
#include "sm/policy/policy_report.h"
#include "stats/fields.h"

namespace heddle::gpu {

// The result of a cache access. The warp that counts is the one that fetched the line (or sector);
// for misses, the one that had fetched it before it was evicted. A cold miss is the first access to
// the line.
enum class AccessKind : std::uint8_t {
  hit_same_warp,
  hit_other_warp,
  pending_same_warp,
  pending_other_warp,
  miss_cold,
  miss_same_warp,
  miss_other_warp
};
inline constexpr std::size_t kAccessKinds = 7;
inline constexpr std::array<std::string_view, kAccessKinds> kAccessKindNames{
    "hit_same_warp", "hit_other_warp", "pending_same_warp", "pending_other_warp",
    "miss_cold",     "miss_same_warp", "miss_other_warp"};
using KindCounts = std::array<std::uint64_t, kAccessKinds>;
constexpr std::uint64_t misses(const KindCounts& k) { return k[4] + k[5] + k[6]; }

struct CacheDetail {
  KindCounts reads{}, writes{};  // atomics are reads

  static constexpr auto fields() {
    using S = CacheDetail;
    return stats::table(
        stats::breakdown("reads", stats::Unit::accesses,
                         "reads accepted, by result and by the warp that fetched the line",
                         kAccessKindNames, &S::reads),
        stats::breakdown("writes", stats::Unit::accesses,
                         "writes accepted, by result and by the warp that fetched the line",
                         kAccessKindNames, &S::writes));
  }
};

struct InstructionDetail {
  std::uint64_t executions = 0, active_lanes = 0, accesses = 0, scattered = 0;
  KindCounts l1d{}, l2{};
  std::array<std::uint64_t, sm::kSlotUses> slots{};

  static constexpr auto fields() {
    using S = InstructionDetail;
    using stats::Unit;
    return stats::table(
        stats::counter("executions", Unit::warp_instructions, "executions by a warp",
                       &S::executions),
        stats::counter("active_lanes", Unit::lanes, "sum of the lanes that executed it",
                       &S::active_lanes),
        stats::counter("accesses", Unit::accesses, "memory accesses after coalescing",
                       &S::accesses),
        stats::counter("scattered", Unit::warp_instructions,
                       "executions with more than two accesses", &S::scattered),
        stats::breakdown("l1d", Unit::accesses, "accesses to the L1 data cache, by result",
                         kAccessKindNames, &S::l1d),
        stats::breakdown("l2", Unit::accesses, "accesses to the L2, by result", kAccessKindNames,
                         &S::l2),
        stats::breakdown(
            "slots", Unit::slots,
            "issue slots used by it or lost because of it; scoreboard: it writes the pending "
            "register; barrier, outstanding: the oldest warp waits at it; otherwise: the oldest "
            "warp would "
            "issue it",
            sm::kSlotUseNames, &S::slots));
  }
};

// The dynamic executions of a global or local load, by the lanes that executed it and the accesses
// after coalescing (DAWS, MICRO 2013, figure 5).
struct LoadShape {
  std::uint32_t lanes = 0, accesses = 0;
  friend auto operator<=>(const LoadShape&, const LoadShape&) = default;
};
using LoadShapes = std::map<LoadShape, std::uint64_t>;

struct LoopDetail {
  std::uint64_t trips = 0, accesses = 0, hits_this_trip = 0, hits_last_trip = 0, hits_other = 0,
                misses = 0;
  // DAWS, MICRO 2013, figure 4.
  std::uint64_t reused_this_trip = 0, reused_last_trip = 0, reused_earlier = 0;

  static constexpr auto fields() {
    using S = LoopDetail;
    using stats::Unit;
    return stats::table(
        stats::counter("trips", Unit::events, "iterations begun by a warp", &S::trips),
        stats::counter("accesses", Unit::accesses,
                       "L1 data cache accesses of the body without inner loops", &S::accesses),
        stats::counter("hits_this_trip", Unit::accesses,
                       "hits on lines that the same warp accessed in the same iteration",
                       &S::hits_this_trip),
        stats::counter("hits_last_trip", Unit::accesses,
                       "hits on lines that the same warp accessed in its previous iteration, but "
                       "not in this one",
                       &S::hits_last_trip),
        stats::counter("hits_other", Unit::accesses,
                       "other hits: on lines accessed earlier, outside the loop, or by other warps",
                       &S::hits_other),
        stats::counter("misses", Unit::accesses, "misses; pending hits count as hits", &S::misses),
        stats::counter("reused_this_trip", Unit::accesses, "hits_this_trip of loads",
                       &S::reused_this_trip),
        stats::counter("reused_last_trip", Unit::accesses, "hits_last_trip of loads",
                       &S::reused_last_trip),
        stats::counter("reused_earlier", Unit::accesses,
                       "hits of loads on lines that the same warp accessed earlier: in an older "
                       "iteration or outside the loop",
                       &S::reused_earlier));
  }
};

// The loads in loops, each instruction once, by the accesses of their executions with more than two
// lanes (DAWS, MICRO 2013, figure 5). Only in the totals.
struct LoadDivergence {
  std::uint64_t loads = 0, converged = 0, diverged = 0, between = 0, narrow = 0;

  static constexpr auto fields() {
    using S = LoadDivergence;
    using stats::Unit;
    return stats::table(
        stats::counter("loads", Unit::instructions, "loads in loops that were executed", &S::loads),
        stats::counter("converged", Unit::instructions,
                       "of them, those that never make more than two accesses", &S::converged),
        stats::counter("diverged", Unit::instructions,
                       "of them, those of which at least 90 % of the executions make as many "
                       "accesses as lanes execute",
                       &S::diverged),
        stats::counter("between", Unit::instructions, "the rest of them", &S::between),
        stats::counter("narrow", Unit::instructions,
                       "of all, those that never have more than eight lanes", &S::narrow));
  }
};

// The additional counters of a row with --details.
struct WatchedStats {
  CacheDetail l1d, l2;
  LoopDetail loops;  // all of them

  static constexpr auto fields() {
    using S = WatchedStats;
    return stats::table(stats::group("l1d", &S::l1d), stats::group("l2", &S::l2),
                        stats::group("loops", &S::loops));
  }
};

struct CtaDetail {
  std::uint64_t cta = 0;
  int sm = 0;
  Cycle start, end;
};  // core cycles of the device

// Warp instructions issued by each warp slot of one SM, interval by interval. The interval doubles
// as the kernel grows.
struct IssueIntervals {
  static constexpr std::size_t kMaxRows = 128;
  int sm = 0;
  std::uint64_t interval = 64;  // core cycles
  Cycle start;
  std::vector<std::array<std::uint32_t, kMaxWarpsPerSm>> rows;

  void add(Cycle now, WarpSlot warp);
};

struct KernelDetails {
  using Slots = std::array<std::uint64_t, sm::kSlotUses>;
  std::vector<std::vector<Slots>> slots;  // [SM][scheduler]
  Slots unattributed{};                   // slots that are attributed to no instruction
  std::vector<CacheDetail> l1d;           // by SM
  CacheDetail l2;
  std::vector<InstructionDetail> instructions;     // by Pc
  std::vector<LoadShapes> load_shapes;             // by Pc
  std::vector<LoopDetail> loops;                   // as in isa::Kernel::loops
  std::vector<CtaDetail> ctas;                     // by number
  std::vector<std::vector<std::uint64_t>> issued;  // [SM][warp slot]: warp instructions
  IssueIntervals pattern;                          // of one SM, WatchSpec::pattern_sm
  // Copied from the kernel, which may not exist any more when results are written.
  struct Place {
    std::uint32_t ptx_line = 0;
    std::string source, what;
    Pc loop = kNoPc;  // header of the innermost loop around it
    // Of a load in a loop: the first load there with the same base register and line.
    Pc repeats = kNoPc;
  };
  std::vector<Place> places;  // by Pc
  std::vector<Pc> loop_headers;
};

// The counters of an interval.
struct SeriesRow {
  Cycle from, to;
  sm::SmStats sm;
  mem::MemoryStats memory;
  WatchedStats watched;
  sm::PolicyReport policy;  // levels are those at its end
};

}  // namespace heddle::gpu
