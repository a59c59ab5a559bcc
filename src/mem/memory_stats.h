// The statistics of the memory system, summed over slices and channels.
#pragma once

#include <cstdint>

#include "mem/cache_stats.h"
#include "stats/fields.h"

namespace heddle::mem {

struct DramStats {
  std::uint64_t reads = 0, writes = 0, row_hits = 0, row_misses = 0, activates = 0, precharges = 0;
  std::uint64_t data_cycles = 0, active_cycles = 0, busy_bank_cycles = 0, queue_occupancy = 0;
  std::uint64_t requests = 0, request_cycles = 0;
  std::uint64_t read_requests = 0, read_request_cycles = 0, read_queue_cycles = 0;

  static constexpr auto fields() {
    using enum stats::Unit;
    using S = DramStats;
    return stats::table(
        stats::counter("reads", accesses, "read bursts", &S::reads),
        stats::counter("writes", accesses, "write bursts", &S::writes),
        stats::counter("row_hits", stats::Unit::row_hits, "requests whose row was open",
                       &S::row_hits),
        stats::counter("row_misses", requests_unit, "requests whose row had to be opened",
                       &S::row_misses),
        stats::counter("activates", events, "rows opened", &S::activates),
        stats::counter("precharges", events, "rows closed", &S::precharges),
        stats::counter("data_cycles", cycles,
                       "DRAM cycles in which data were transferred, summed over channels",
                       &S::data_cycles),
        stats::counter("active_cycles", cycles,
                       "DRAM cycles with a request in a bank or in the scheduler's queue, summed "
                       "over channels",
                       &S::active_cycles),
        stats::counter("busy_bank_cycles", cycles,
                       "banks that serve a request, summed over active cycles; divided by "
                       "active_cycles: the bank parallelism",
                       &S::busy_bank_cycles),
        stats::counter("queue_occupancy", cycles,
                       "requests in the schedulers' queues, summed over active cycles",
                       &S::queue_occupancy),
        stats::counter("requests", requests_unit, "completed requests", &S::requests),
        stats::counter("request_cycles", cycles,
                       "DRAM cycles from entering a scheduler's queue to the end of data, summed "
                       "over requests",
                       &S::request_cycles),
        stats::counter("read_requests", requests_unit, "reads among the completed requests",
                       &S::read_requests),
        stats::counter("read_request_cycles", cycles, "the part of request_cycles for reads",
                       &S::read_request_cycles),
        stats::counter("read_queue_cycles", cycles,
                       "DRAM cycles that reads waited for their bank in a scheduler's queue",
                       &S::read_queue_cycles));
  }

 private:
  static constexpr stats::Unit requests_unit =
      stats::Unit::requests;  // the counter of that name hides the unit
};

struct NetworkStats {
  std::uint64_t packets = 0, flits = 0, stall_cycles = 0;

  static constexpr auto fields() {
    using S = NetworkStats;
    return stats::table(
        stats::counter("packets", stats::Unit::packets, "packets delivered", &S::packets),
        stats::counter("flits", stats::Unit::flits, "flits delivered", &S::flits),
        stats::counter("stall_cycles", stats::Unit::cycles,
                       "network cycles in which the receiver of an output's packet was full, "
                       "summed over outputs",
                       &S::stall_cycles));
  }
};

struct MemoryStats {
  CacheStats l2;
  DramStats dram;
  NetworkStats request_network, reply_network;
  std::uint64_t requests = 0, replies = 0, atomics = 0;
  std::uint64_t read_replies = 0, access_time = 0, access_time_down = 0, access_time_slice = 0;

  static constexpr auto fields() {
    using S = MemoryStats;
    using stats::Unit;
    return stats::table(
        stats::group("l2", &S::l2), stats::group("dram", &S::dram),
        stats::group("request_network", &S::request_network),
        stats::group("reply_network", &S::reply_network),
        stats::counter("requests", Unit::packets, "packets received from SMs", &S::requests),
        stats::counter("replies", Unit::packets, "packets sent to SMs: one per sector",
                       &S::replies),
        stats::counter("atomics", Unit::packets, "atomic packets performed", &S::atomics),
        stats::counter("read_replies", Unit::packets,
                       "replies with data, whose times are summed in access_time",
                       &S::read_replies),
        stats::counter("access_time", Unit::cycles,
                       "core cycles from a request's issue to its reply at the SM, summed over "
                       "read replies",
                       &S::access_time),
        stats::counter("access_time_down", Unit::cycles,
                       "the part of access_time up to the arrival at the L2 slice",
                       &S::access_time_down),
        stats::counter("access_time_slice", Unit::cycles,
                       "the part of access_time in the L2 slice and DRAM", &S::access_time_slice));
  }
};

}  // namespace heddle::mem
