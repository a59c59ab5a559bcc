// A fixed interpretation loop, the yardstick of bench_speed: what a core does when warp
// instructions cost nothing but their lanes.
#pragma once

namespace heddle::bench {

// Millions of 32-lane instructions per second of user time.
double bare_loop_speed();

}  // namespace heddle::bench
