// A fixed interpretation loop, the unit of bench_speed: the speed of a core when a warp instruction
// costs only the work of its lanes.
#pragma once

namespace heddle::bench {

// Millions of 32-lane instructions per second of user time.
double bare_loop_speed();

}  // namespace heddle::bench
