// The clock domains of the device on one time line. The period of every clock is a whole number of
// time units, so edges of two clocks coincide exactly.
#pragma once

#include "base/types.h"
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
  // Moves to the first edge at or after t; never back. Most moves are short, and a division takes
  // longer.
  void skip_to(Time t) {
    for (int edges = 0; edges < 4; ++edges) {
      if (t <= time) return;
      advance();
    }
    if (t <= time) return;
    cycle = (t + period - 1) / period;
    time = cycle * period;
  }
};

// Which cycle of a clock a time is in, for times that do not go back.
class CycleCounter {
 public:
  explicit CycleCounter(Time period) : next_{period} {}
  Cycle at(Time now) {
    next_.skip_to(now + 1);
    return Cycle{next_.cycle - 1};
  }

 private:
  Edge next_;
};

}  // namespace heddle::mem
