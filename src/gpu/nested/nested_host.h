// Launches by kernels, and what runs them.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "gpu/launch_builder.h"

namespace heddle::gpu {

// A launch by a kernel.
struct NestedLaunch {
  LaunchRequest request;
  std::uint64_t number = 0;  // 0 until it begins
  std::uint64_t parent = 0;  // the number of the launch whose kernel called
  int priority = 0;          // its parent's
  bool timed = false;        // as its parent
  Cycle earliest;            // it may start
};

struct NestedHost {
  virtual ~NestedHost() = default;
  virtual std::uint64_t next_launch() = 0;  // a new number
  virtual void begin_timed(const NestedLaunch& launch) = 0;
  virtual void run_untimed(const NestedLaunch& launch) = 0;
  virtual int ctas_per_sm(const LaunchRequest& request) const = 0;
};

}  // namespace heddle::gpu
