// The engines that copy between host and device memory over the bus, and the time that copies take.
// The host moves the bytes; only their time is modelled. Copies from device to device, fills, and
// zero-copy accesses of kernels use no engine.
//
// Every direction has gpu.copy_engines engines. A copy takes the engine of its direction that is
// free first (the first of several) when it begins, so the copies of an engine run in the order in
// which they begin. It takes gpu.copy_latency, then its bytes at gpu.copy_bandwidth; for pageable
// host memory at gpu.copy_pageable_percent of it, because the driver copies such memory through a
// page-locked buffer (CUDA C++ Best Practices Guide, "Pinned Memory").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "stats/fields.h"
#include "stats/timeline.h"

namespace heddle::gpu {

struct CopyRequest {
  enum class Direction : std::uint8_t { to_device, from_device };
  Direction direction = Direction::to_device;
  std::uint64_t bytes = 0;
  bool pageable = true;  // the host memory is not page-locked
};

// Of one direction.
struct CopyStats {
  std::uint64_t copies = 0, pageable_copies = 0, bytes = 0, busy_cycles = 0, waiting_cycles = 0;
  static constexpr auto fields() {
    using S = CopyStats;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("copies", Unit::events, "copies that used an engine", &S::copies),
        stats::counter("pageable_copies", Unit::events, "of copies, those of pageable host memory",
                       &S::pageable_copies),
        stats::counter("bytes", Unit::bytes, "bytes copied", &S::bytes),
        stats::counter("busy_cycles", Unit::cycles,
                       "cycles in which an engine copied, summed over "
                       "engines",
                       &S::busy_cycles),
        stats::counter("waiting_cycles", Unit::cycles,
                       "cycles that copies waited for an engine, summed over copies",
                       &S::waiting_cycles));
  }
};

class CopyEngines {
 public:
  static constexpr std::size_t kDirections = 2;
  static constexpr std::array<std::string_view, kDirections> kDirectionNames{"to_device",
                                                                             "from_device"};
  // records: keeps every copy for the timeline.
  CopyEngines(const config::GpuSpec& spec, bool records);

  bool enabled() const { return !engines_[0].empty(); }
  // The copy begins at `now`, or when an engine is free. Returns its number: 1, 2, ...
  std::uint64_t begin(const CopyRequest& request, Cycle now);
  bool busy() const { return !running_.empty(); }
  // The end of the copy that ends first; never() when none runs.
  Cycle next_end() const;
  // The copies that have ended by `now`, in the order of their ends, then of their numbers.
  std::vector<std::uint64_t> take_ended(Cycle now);

  const CopyStats& stats(std::size_t direction) const { return stats_[direction]; }
  // By engine of the direction.
  std::vector<std::uint64_t> busy_cycles(std::size_t direction) const;
  // A track per engine that copied, with the copies that touch the cycles from `from` to `to`.
  void add_to(stats::Timeline& timeline, Cycle from, Cycle to) const;

 private:
  struct Engine {
    Cycle free_at;
    std::uint64_t busy_cycles = 0;
  };
  struct Copy {
    std::uint64_t number;
    Cycle end;
  };
  struct Recorded {
    CopyRequest request;
    std::size_t engine;
    Cycle start, end;
  };
  std::uint64_t cycles_of(const CopyRequest& request) const;

  double core_mhz_, bandwidth_, pageable_bandwidth_, latency_us_;  // bandwidth in MB/s
  bool records_;
  std::array<std::vector<Engine>, kDirections> engines_;
  std::array<CopyStats, kDirections> stats_{};
  std::vector<Copy> running_;  // by end, then by number
  std::vector<Recorded> recorded_;
  std::uint64_t numbers_ = 0;
};

}  // namespace heddle::gpu
