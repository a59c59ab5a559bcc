#include "gpu/derived.h"

#include <algorithm>
#include <array>

#include "stats/ratio.h"

namespace heddle::gpu {
namespace {

using stats::ratio;
using Of = const DerivedSource&;
using Value = Derived::Value;

// Mean times of a read beyond L1, from the SM's request to the data's return, in core cycles. A
// reply that waited for the fetch of another request counts as L2 time.
double mean_of(Of of, std::uint64_t cycles) {
  return static_cast<double>(cycles) /
         static_cast<double>(std::max<std::uint64_t>(of.result.memory.read_replies, 1));
}
double mean_of_dram(Of of, std::uint64_t dram_cycles) {
  return mean_of(of, dram_cycles) * (of.gpu.clocks.core_mhz / of.gpu.clocks.dram_mhz);
}
double read_time(Of of) { return mean_of(of, of.result.memory.access_time); }
double time_down(Of of) { return mean_of(of, of.result.memory.access_time_down); }
double time_in_slice(Of of) { return mean_of(of, of.result.memory.access_time_slice); }
double time_in_queue(Of of) { return mean_of_dram(of, of.result.memory.dram.read_queue_cycles); }
double time_in_dram(Of of) {
  return mean_of_dram(of, of.result.memory.dram.read_request_cycles) - time_in_queue(of);
}

const mem::CacheStats& l1d(Of of) { return of.result.sm.l1d; }
const mem::CacheStats& l2(Of of) { return of.result.memory.l2; }
const mem::DramStats& dram(Of of) { return of.result.memory.dram; }

// The part of all cycles of all channels in which data are transferred.
double dram_bandwidth(Of of) {
  const double all = static_cast<double>(of.result.cycles) * of.gpu.memory.channels *
                     (of.gpu.clocks.dram_mhz / of.gpu.clocks.core_mhz);
  return all > 0 ? static_cast<double>(dram(of).data_cycles) / all : 0;
}

// The share of warp instructions with so many executed lanes.
template <std::size_t First, std::size_t Last>
double lanes_between(Of of) {
  std::uint64_t counted = 0;
  for (std::size_t lanes = First; lanes <= Last; ++lanes)
    counted += of.result.sm.active_lanes[lanes];
  return ratio(counted, of.result.warp_instructions);
}

// In the order of run.json.
constexpr std::array kFigures{
    Derived{kHeadline, "cycles", "cycles",
            "core cycles from the launch to the end of the last CTA; of totals: those in which at "
            "least one launch is active",
            [](Of of) -> Value { return of.result.cycles; }},
    Derived{kHeadline, "thread_instructions", "instructions", "instructions executed, lane by lane",
            [](Of of) -> Value { return of.result.thread_instructions; }},
    Derived{kHeadline, "warp_instructions", "warp instructions", "instructions issued",
            [](Of of) -> Value { return of.result.warp_instructions; }},
    Derived{kHeadline, "ipc", "instructions per cycle",
            "thread instructions per core cycle of the whole GPU",
            [](Of of) -> Value { return of.result.ipc(); }},

    Derived{kCtas, "count", "CTAs", "CTAs run",
            [](Of of) -> Value { return of.result.ctas.count; }},
    Derived{kCtas, "mean_cycles", "cycles",
            "mean time of a CTA from the start of its first warp to the end of its last",
            [](Of of) -> Value { return of.result.ctas.mean_cycles(); }},
    Derived{kCtas, "longest_cycles", "cycles", "the longest such time",
            [](Of of) -> Value { return of.result.ctas.longest_cycles; }},
    Derived{kCtas, "last_cycles", "cycles", "the time of the CTA that ended last",
            [](Of of) -> Value { return of.result.ctas.last_cycles; }},
    Derived{kCtas, "last_dispatched_cycles", "cycles",
            "the time of the CTA that was placed last, in the last launch; 0 while it runs",
            [](Of of) -> Value { return of.result.ctas.last_dispatched_cycles; }},
    Derived{kCtas, "mean_last_dispatched_cycles", "cycles",
            "mean over launches of the time of the CTA that was placed last",
            [](Of of) -> Value { return of.result.ctas.mean_last_dispatched_cycles(); }},

    Derived{kRates, "l1d_hits", "ratio",
            "L1 data cache: hits over accesses; pending hits are not hits",
            [](Of of) -> Value { return ratio(l1d(of).hits, l1d(of).accesses); }},
    Derived{kRates, "l1d_pending_hits", "ratio", "L1 data cache: pending hits over accesses",
            [](Of of) -> Value { return ratio(l1d(of).pending_hits, l1d(of).accesses); }},
    Derived{kRates, "l2_hits", "ratio", "L2: hits over accesses",
            [](Of of) -> Value { return ratio(l2(of).hits, l2(of).accesses); }},
    Derived{kRates, "l2_pending_hits", "ratio", "L2: pending hits over accesses",
            [](Of of) -> Value { return ratio(l2(of).pending_hits, l2(of).accesses); }},
    Derived{
        kRates, "dram_row_hits", "ratio", "DRAM: row hits over reads and writes",
        [](Of of) -> Value { return ratio(dram(of).row_hits, dram(of).reads + dram(of).writes); }},
    Derived{
        kRates, "dram_bank_parallelism", "banks",
        "DRAM: banks of a channel that serve a request, while one is in a bank or in the "
        "scheduler's queue",
        [](Of of) -> Value { return ratio(dram(of).busy_bank_cycles, dram(of).active_cycles); }},
    Derived{kRates, "dram_bandwidth", "ratio",
            "DRAM: bytes that were transferred over those that its clock allows in these cycles",
            [](Of of) -> Value { return dram_bandwidth(of); }},
    Derived{kRates, "lanes_per_instruction", "lanes", "active lanes per warp instruction",
            [](Of of) -> Value {
              return ratio(of.result.thread_instructions, of.result.warp_instructions);
            }},
    Derived{kRates, "resident_warps", "warps", "mean of resident warps of a busy SM",
            [](Of of) -> Value {
              return ratio(of.result.sm.resident_warp_cycles, of.result.sm.cycles);
            }},

    Derived{kLanes, "none", "ratio", "warp instructions without an executed lane",
            [](Of of) -> Value { return lanes_between<0, 0>(of); }},
    Derived{kLanes, "1_to_4", "ratio", "warp instructions with 1 to 4 executed lanes",
            [](Of of) -> Value { return lanes_between<1, 4>(of); }},
    Derived{kLanes, "5_to_8", "ratio", "with 5 to 8",
            [](Of of) -> Value { return lanes_between<5, 8>(of); }},
    Derived{kLanes, "9_to_12", "ratio", "with 9 to 12",
            [](Of of) -> Value { return lanes_between<9, 12>(of); }},
    Derived{kLanes, "13_to_16", "ratio", "with 13 to 16",
            [](Of of) -> Value { return lanes_between<13, 16>(of); }},
    Derived{kLanes, "17_to_20", "ratio", "with 17 to 20",
            [](Of of) -> Value { return lanes_between<17, 20>(of); }},
    Derived{kLanes, "21_to_24", "ratio", "with 21 to 24",
            [](Of of) -> Value { return lanes_between<21, 24>(of); }},
    Derived{kLanes, "25_to_28", "ratio", "with 25 to 28",
            [](Of of) -> Value { return lanes_between<25, 28>(of); }},
    Derived{kLanes, "29_to_32", "ratio", "with 29 to 32",
            [](Of of) -> Value { return lanes_between<29, 32>(of); }},

    Derived{
        kReadTime, "load", "cycles",
        "mean time of a global or local load of a warp from issue to its last data, hits in "
        "the L1 included",
        [](Of of) -> Value { return ratio(of.result.sm.load_cycles, of.result.sm.loads_served); }},
    Derived{kReadTime, "mean", "cycles",
            "core cycles of a read beyond L1, from the SM's request to the return of the data",
            [](Of of) -> Value { return read_time(of); }},
    Derived{kReadTime, "network_down", "cycles", "part of it: to the L2 slice",
            [](Of of) -> Value { return time_down(of); }},
    Derived{
        kReadTime, "l2", "cycles",
        "part of it: in the slice, with fixed latencies and waits for fetches of other requests",
        [](Of of) -> Value { return time_in_slice(of) - time_in_queue(of) - time_in_dram(of); }},
    Derived{kReadTime, "dram_queue", "cycles", "part of it: in the DRAM scheduler's queue",
            [](Of of) -> Value { return time_in_queue(of); }},
    Derived{kReadTime, "dram", "cycles",
            "part of it: from the first DRAM command to the end of data",
            [](Of of) -> Value { return time_in_dram(of); }},
    Derived{kReadTime, "network_up", "cycles", "part of it: back to the SM",
            [](Of of) -> Value { return read_time(of) - time_down(of) - time_in_slice(of); }},
};

}  // namespace

std::span<const Derived> derived_figures(std::string_view group) {
  const auto is_of_group = [&](const Derived& one) { return one.group == group; };
  const auto* const first = std::find_if(kFigures.begin(), kFigures.end(), is_of_group);
  return {first, std::find_if_not(first, kFigures.end(), is_of_group)};
}

}  // namespace heddle::gpu
