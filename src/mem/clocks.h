// The clock domains of the device on one time line. The period of every clock is a whole number of
// time units, so edges of two clocks coincide exactly.
#pragma once

#include "config/gpu_spec.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

struct Clocks {
  explicit Clocks(const config::ClockSpec& spec);
  Time core, icnt, l2, dram;  // periods; edge n of a clock is at n * period
};

// The next edge of one clock.
struct Edge {
  Time period;
  std::uint64_t cycle = 0;
  Time time = 0;
  void advance() {
    ++cycle;
    time += period;
  }
  // Moves to the first edge at or after t; never back.
  void skip_to(Time t) {
    if (t <= time) return;
    cycle = (t + period - 1) / period;
    time = cycle * period;
  }
};

}  // namespace heddle::mem
