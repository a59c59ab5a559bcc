#include "gpu/copy_engines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace heddle::gpu {

CopyEngines::CopyEngines(const config::GpuSpec& spec, bool records)
    : core_mhz_(spec.clocks.core_mhz),
      bandwidth_(spec.copy_bandwidth),
      pageable_bandwidth_(spec.copy_bandwidth * spec.copy_pageable_percent / 100.0),
      latency_us_(spec.copy_latency / 1e3),
      records_(records) {
  for (auto& engines : engines_) engines.resize(spec.copy_engines);
}

// 1 MB/s is a byte per microsecond, 1 MHz a cycle per microsecond.
std::uint64_t CopyEngines::cycles_of(const CopyRequest& request) const {
  const double rate = request.pageable ? pageable_bandwidth_ : bandwidth_;
  const double us = latency_us_ + static_cast<double>(request.bytes) / rate;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(us * core_mhz_)));
}

std::uint64_t CopyEngines::begin(const CopyRequest& request, Cycle now) {
  const auto direction = static_cast<std::size_t>(request.direction);
  auto& engines = engines_[direction];
  const auto engine =
      std::min_element(engines.begin(), engines.end(),
                       [](const Engine& a, const Engine& b) { return a.free_at < b.free_at; });
  const Cycle start = std::max(now, engine->free_at);
  const std::uint64_t cycles = cycles_of(request);
  engine->free_at = start + cycles;
  engine->busy_cycles += cycles;
  CopyStats& stats = stats_[direction];
  ++stats.copies;
  stats.pageable_copies += request.pageable;
  stats.bytes += request.bytes;
  stats.busy_cycles += cycles;
  stats.waiting_cycles += start - now;
  const Copy copy{++numbers_, engine->free_at};
  running_.insert(std::upper_bound(running_.begin(), running_.end(), copy,
                                   [](const Copy& a, const Copy& b) { return a.end < b.end; }),
                  copy);
  if (records_)
    recorded_.push_back(
        {request, static_cast<std::size_t>(engine - engines.begin()), start, copy.end});
  return copy.number;
}

Cycle CopyEngines::next_end() const {
  return running_.empty() ? Cycle::never() : running_.front().end;
}

std::vector<std::uint64_t> CopyEngines::take_ended(Cycle now) {
  std::vector<std::uint64_t> ended;
  while (!running_.empty() && running_.front().end <= now) {
    ended.push_back(running_.front().number);
    running_.erase(running_.begin());
  }
  return ended;
}

std::vector<std::uint64_t> CopyEngines::busy_cycles(std::size_t direction) const {
  std::vector<std::uint64_t> cycles;
  for (const Engine& engine : engines_[direction]) cycles.push_back(engine.busy_cycles);
  return cycles;
}

void CopyEngines::add_to(stats::Timeline& timeline, Cycle from, Cycle to) const {
  constexpr std::array<const char*, kDirections> kTracks{"to the device", "from the device"};
  if (recorded_.empty()) return;
  const std::uint32_t parent = timeline.add_track("copy engines");
  for (std::size_t direction = 0; direction < kDirections; ++direction) {
    for (std::size_t engine = 0; engine < engines_[direction].size(); ++engine) {
      const std::uint32_t track =
          timeline.add_track(fmt::format("{} {}", kTracks[direction], engine), parent);
      for (const Recorded& copy : recorded_) {
        if (static_cast<std::size_t>(copy.request.direction) != direction ||
            copy.engine != engine || copy.end <= from || copy.start >= to)
          continue;
        const std::uint32_t name = timeline.add_name(fmt::format(
            "{} bytes{}", copy.request.bytes, copy.request.pageable ? ", pageable" : ""));
        constexpr std::uint64_t kUnits = stats::Timeline::kUnitsPerCycle;
        timeline.slices.push_back({.track = track,
                                   .name = name,
                                   .from = std::max(copy.start, from).value * kUnits,
                                   .to = std::min(copy.end, to).value * kUnits});
      }
    }
  }
}

}  // namespace heddle::gpu
