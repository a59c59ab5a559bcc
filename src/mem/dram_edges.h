// The edges of the DRAM clock. GPGPU-Sim sums rounded periods, so that an edge of the DRAM clock
// that should coincide with one of the core clock comes a little before or after it; with `summed`
// it does here too, by a time unit.
#pragma once

#include <cstdint>
#include <vector>

#include "config/gpu_spec.h"
#include "mem/clocks.h"

namespace heddle::mem {

class DramEdges {
 public:
  DramEdges(const Clocks& clocks, const config::GpuSpec& spec);

  // The next edge, `cycle`, is the first of a clock that starts at `now`.
  void restart(std::uint64_t cycle, Time now) { first_ = cycle, start_ = now; }
  bool summed() const { return every_ != 0; }
  // When a delay of so many core cycles that begins at the edge `now` ends: it counts the core
  // cycles that have ended.
  Time after_core_cycles(Time now, std::uint64_t cycles) const;

  // Edge `cycle` of the clock.
  Time at(std::uint64_t cycle) {
    const Time nominal = start_ + (cycle - first_) * period_;
    return every_ == 0 || (cycle - first_) % every_ != 0
               ? nominal
               : nominal + order((cycle - first_) / every_);
  }
  void advance(Edge& edge) { edge.time = at(++edge.cycle); }
  // Moves to the first edge at or after t; never back.
  void skip_to(Edge& edge, Time t) {
    for (int edges = 0; edges < 4; ++edges) {
      if (t <= edge.time) return;
      advance(edge);
    }
    if (t <= edge.time) return;
    edge.cycle = first_ + (t - 1 - start_) / period_;
    edge.time = at(edge.cycle);
    while (edge.time < t) advance(edge);
  }

 private:
  // -1, 0 or 1: the n-th edge that should coincide comes before, with or after that of the core.
  Time order(std::uint64_t n);

  Time period_, core_period_;
  double seconds_, core_seconds_;  // the periods
  std::uint64_t first_ = 0;        // the first edge since the clock started
  Time start_ = 0;
  std::uint64_t every_ = 0, core_every_ = 0;  // cycles between edges that should coincide
  struct Change {
    std::uint64_t first;  // from this coinciding edge on
    int order;
  };
  std::vector<Change> changes_;
  std::uint64_t summed_edges_ = 0;  // coinciding edges that changes_ describes
  double core_sum_ = 0, dram_sum_ = 0;
};

}  // namespace heddle::mem
