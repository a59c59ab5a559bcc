#include "mem/dram_edges.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace heddle::mem {

DramEdges::DramEdges(const Clocks& clocks, const config::GpuSpec& spec)
    : period_(clocks.dram),
      core_period_(clocks.core),
      seconds_(1 / (spec.clocks.dram_mhz * 1e6)),
      core_seconds_(1 / (spec.clocks.core_mhz * 1e6)) {
  if (!spec.memory.summed_clocks) return;
  const Time common = std::lcm(clocks.core, clocks.dram);
  every_ = common / clocks.dram;
  core_every_ = common / clocks.core;
}

Time DramEdges::order(std::uint64_t n) {
  for (; summed_edges_ <= n; ++summed_edges_) {
    const int now = (dram_sum_ > core_sum_) - (dram_sum_ < core_sum_);
    if (changes_.empty() || changes_.back().order != now) changes_.push_back({summed_edges_, now});
    for (std::uint64_t i = 0; i < every_; ++i) dram_sum_ += seconds_;
    for (std::uint64_t i = 0; i < core_every_; ++i) core_sum_ += core_seconds_;
  }
  const auto after = std::ranges::upper_bound(changes_, n, {}, &Change::first);
  return static_cast<Time>(static_cast<std::int64_t>(std::prev(after)->order));
}

Time DramEdges::after_core_cycles(Time now, std::uint64_t cycles) const {
  if (!summed()) return now + cycles * core_period_;
  const Time ended = (now + core_period_ - 1) / core_period_;
  return (ended + cycles - 1) * core_period_ + 1;
}

}  // namespace heddle::mem
