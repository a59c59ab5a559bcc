// The statistics of one SM.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/diagnostics.h"
#include "mem/cache_stats.h"
#include "mem/line_owners.h"
#include "mem/replacement/critical_partition.h"
#include "sm/count/cycle_stats.h"
#include "sm/policy/slot_use.h"
#include "sm/policy/warp_scheduler.h"
#include "stats/fields.h"

namespace heddle::sm {

// The memory spaces by which memory instructions are counted.
enum class CountedSpace : std::uint8_t { global, shared, local, constant, param, texture };
inline constexpr std::size_t kCountedSpaces = 6;
inline constexpr std::array<std::string_view, kCountedSpaces> kCountedSpaceNames{
    "global", "shared", "local", "constant", "param", "texture"};

// Why an instruction stayed in the load/store unit for another cycle.
enum class LsuStall : std::uint8_t {
  shared_conflict,
  constant_cache,
  coalesced_accesses,
  l1d_queue,
  network,
  texture_cache
};
inline constexpr std::size_t kLsuStalls = 6;
inline constexpr std::array<std::string_view, kLsuStalls> kLsuStallNames{
    "shared_conflict", "constant_cache", "coalesced_accesses",
    "l1d_queue",       "network",        "texture_cache"};

// The units by which executed lanes are counted, in the order of UnitClass.
inline constexpr std::size_t kCountedUnits = 6;
inline constexpr std::array<std::string_view, kCountedUnits> kCountedUnitNames{
    "sp", "dp", "int", "sfu", "mem", "tensor"};

struct SmStats : CycleStats {
  std::uint64_t scheduler_cycles = 0, resident_warp_cycles = 0, resident_cta_cycles = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::array<std::uint64_t, kSlotUses> slots{};
  std::uint64_t slots_with_choice = 0;
  std::uint64_t second_issues = 0, shared_issues = 0;
  std::array<std::uint64_t, kCountedUnits> unit_lanes{};
  std::uint64_t register_reads = 0, register_writes = 0, reuse_hits = 0;
  std::uint64_t stall_counter_slots = 0, control_violations = 0;
  std::array<std::uint64_t, 33> active_lanes{}, accesses_per_instruction{};
  std::array<std::uint64_t, kCountedSpaces> loads{}, stores{}, atomics{};
  std::uint64_t loads_served = 0, load_cycles = 0;
  std::uint64_t coalesced_accesses = 0, shared_cycles = 0, shared_conflict_cycles = 0;
  std::uint64_t remote_accesses = 0, remote_sectors = 0;
  std::uint64_t bypassing_packets = 0, packets_sent = 0, replies_taken = 0;
  std::array<std::uint64_t, kLsuStalls> lsu_stalls{};
  std::uint64_t reexecution_queued = 0, reexecuted = 0, reexecution_tries = 0,
                hits_under_saturation = 0;
  std::uint64_t barriers = 0, memory_barriers = 0, buffer_flushes = 0, bank_conflicts = 0;
  std::uint64_t ctas_started = 0, ctas_finished = 0, warps_started = 0, warps_finished = 0;
  mem::CacheStats l1d, constant, texture, instruction;
  std::array<std::uint64_t, mem::kMissClasses> l1d_misses{};
  mem::CriticalPartitionStats l1d_critical;

  void count_stall(LsuStall why, std::uint64_t times = 1) {
    lsu_stalls[static_cast<std::size_t>(why)] += times;
  }
  // Checks that the counters of an SM without a kernel agree with each other.
  void check_conservation() const {
    check_invariant(stats::total(slots) == scheduler_cycles,
                    "an issue slot has no use, or several");
    check_invariant(
        slots[static_cast<std::size_t>(SlotUse::issued)] + second_issues == warp_instructions,
        "an instruction issued without a slot");
    check_invariant(slots_with_choice <= slots[static_cast<std::size_t>(SlotUse::issued)] +
                                             slots[static_cast<std::size_t>(SlotUse::throttled)],
                    "a slot with several candidates was neither used nor vetoed");
    check_invariant(cycles_without_issue <= cycles,
                    "an SM issued nothing in more cycles than it had CTAs");
    check_invariant(stats::total(unit_lanes) == thread_instructions,
                    "an executed lane was not counted for a unit");
    check_invariant(stats::total(active_lanes) == warp_instructions,
                    "an instruction is missing in the histogram of active lanes");
    check_invariant(reexecution_queued == reexecuted,
                    "an access was lost in the re-execution queue");
    check_invariant(stats::total(l1d_misses) == l1d.misses,
                    "a miss of the L1 data cache has no class, or several");
    check_invariant(ctas_finished <= ctas_started && warps_finished <= warps_started,
                    "more CTAs or warps finished than started");
    for (const mem::CacheStats* cache : {&l1d, &constant, &texture, &instruction})
      cache->check_conservation();
  }

  static constexpr auto fields() {
    using enum stats::Unit;
    using S = SmStats;
    return stats::table_after<CycleStats>(
        stats::counter("scheduler_cycles", stats::Unit::slots,
                       "issue slots: cycles times schedulers", &S::scheduler_cycles),
        stats::counter("resident_warp_cycles", stats::Unit::cycles,
                       "sum over cycles of resident warps", &S::resident_warp_cycles),
        stats::counter("resident_cta_cycles", stats::Unit::cycles,
                       "sum over cycles of resident CTAs", &S::resident_cta_cycles),
        stats::counter("warp_instructions", stats::Unit::warp_instructions,
                       "warp instructions issued", &S::warp_instructions),
        stats::counter(
            "thread_instructions", instructions,
            "instructions times the lanes that executed them; lanes with a false guard excluded",
            &S::thread_instructions),
        stats::breakdown("slots", stats::Unit::slots, "what each issue slot did", kSlotUseNames,
                         &S::slots),
        stats::counter("slots_with_choice", stats::Unit::slots,
                       "issue slots in which two or more warps could issue, so that the policy "
                       "decides",
                       &S::slots_with_choice),
        stats::counter("second_issues", stats::Unit::warp_instructions,
                       "instructions issued second in their slot", &S::second_issues),
        stats::counter("shared_issues", stats::Unit::warp_instructions,
                       "instructions issued through another warp's scheduler", &S::shared_issues),
        stats::breakdown("unit_lanes", lanes, "executed lanes, by the unit of their instruction",
                         kCountedUnitNames, &S::unit_lanes),
        stats::counter("register_reads", stats::Unit::warp_instructions,
                       "source operands of issued instructions, each of 32 lanes",
                       &S::register_reads),
        stats::counter("register_writes", stats::Unit::warp_instructions,
                       "results of issued instructions, each of 32 lanes", &S::register_writes),
        stats::counter("reuse_hits", stats::Unit::warp_instructions,
                       "source operands that a compiler-guided core took from its reuse cache",
                       &S::reuse_hits),
        stats::counter("stall_counter_slots", stats::Unit::slots,
                       "the part of slots.scoreboard in which a warp waited for its stall counter "
                       "only (compiler-guided core)",
                       &S::stall_counter_slots),
        stats::counter("control_violations", events,
                       "registers that an instruction read or overwrote before the latencies of "
                       "the machine allow it, although the control words let it issue "
                       "(compiler-guided core)",
                       &S::control_violations),
        stats::histogram("active_lanes", stats::Unit::warp_instructions,
                         "warp instructions by executed lanes", &S::active_lanes),
        stats::histogram("accesses_per_instruction", stats::Unit::warp_instructions,
                         "global and local memory instructions by accesses after coalescing",
                         &S::accesses_per_instruction),
        stats::breakdown("loads", stats::Unit::warp_instructions, "loads by space",
                         kCountedSpaceNames, &S::loads),
        stats::breakdown("stores", stats::Unit::warp_instructions, "stores by space",
                         kCountedSpaceNames, &S::stores),
        stats::breakdown("atomics", stats::Unit::warp_instructions,
                         "atomics and reductions by space", kCountedSpaceNames, &S::atomics),
        stats::counter("loads_served", stats::Unit::warp_instructions,
                       "global and local loads whose data have all arrived", &S::loads_served),
        stats::counter("load_cycles", stats::Unit::cycles,
                       "time of these loads from issue to their last data, with hits",
                       &S::load_cycles),
        stats::counter("coalesced_accesses", accesses, "accesses that left the coalescer",
                       &S::coalesced_accesses),
        stats::counter("shared_cycles", stats::Unit::cycles,
                       "cycles in which the shared memory banks were used", &S::shared_cycles),
        stats::counter("shared_conflict_cycles", stats::Unit::cycles,
                       "the part of shared_cycles that bank conflicts cause",
                       &S::shared_conflict_cycles),
        stats::counter("remote_accesses", stats::Unit::warp_instructions,
                       "accesses to the shared memory of other CTAs of the cluster",
                       &S::remote_accesses),
        stats::counter("remote_sectors", sectors,
                       "sectors of 32 bytes that these accesses send or request",
                       &S::remote_sectors),
        stats::counter("bypassing_packets", packets, "requests that bypassed the L1 data cache",
                       &S::bypassing_packets),
        stats::counter("packets_sent", packets, "requests sent to memory", &S::packets_sent),
        stats::counter("replies_taken", packets, "replies received from the network",
                       &S::replies_taken),
        stats::breakdown("lsu_stalls", stats::Unit::cycles,
                         "cycles in which an instruction stayed in the load/store unit, by cause",
                         kLsuStallNames, &S::lsu_stalls),
        stats::counter("reexecution_queued", accesses,
                       "accesses that moved from the L1's pipeline to the re-execution queue",
                       &S::reexecution_queued),
        stats::counter("reexecuted", accesses,
                       "accesses that were served from the re-execution queue", &S::reexecuted),
        stats::counter("reexecution_tries", accesses,
                       "attempts to serve an access from the re-execution queue",
                       &S::reexecution_tries),
        stats::counter("hits_under_saturation", accesses,
                       "accesses served for warps that were only allowed to hit",
                       &S::hits_under_saturation),
        stats::counter("barriers", stats::Unit::warp_instructions, "barrier instructions issued",
                       &S::barriers),
        stats::counter("memory_barriers", stats::Unit::warp_instructions, "memory barriers issued",
                       &S::memory_barriers),
        stats::counter("buffer_flushes", events,
                       "instruction buffers flushed because the warp branched elsewhere",
                       &S::buffer_flushes),
        stats::counter("bank_conflicts", events,
                       "register reads that were delayed by a conflict at their bank or collector",
                       &S::bank_conflicts),
        stats::counter("ctas_started", ctas, "CTAs started", &S::ctas_started),
        stats::counter("ctas_finished", ctas, "CTAs finished", &S::ctas_finished),
        stats::counter("warps_started", warps, "warps started", &S::warps_started),
        stats::counter("warps_finished", warps, "warps finished", &S::warps_finished),
        stats::breakdown("l1d_misses", accesses,
                         "misses of the L1 data cache: the first of a line (with filling by "
                         "sectors: of a sector) since the cache was empty, or by the warp that had "
                         "brought the line in before it was lost",
                         mem::kMissClassNames, &S::l1d_misses),
        stats::group("l1d", &S::l1d), stats::group("l1d_critical", &S::l1d_critical),
        stats::group("constant", &S::constant), stats::group("texture", &S::texture),
        stats::group("instruction", &S::instruction));
  }
};

}  // namespace heddle::sm
