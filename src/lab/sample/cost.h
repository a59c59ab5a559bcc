// How long a full and a sampled run of a program take on this host, before they are started.
#pragma once

#include <cstdint>
#include <string>

#include "lab/run.h"

namespace heddle::lab {

struct RunCost {
  int interrupted = 0;                                       // the signal that ended it
  std::uint64_t launches = 0, instructions = 0;              // of warps
  std::uint64_t timed_launches = 0, timed_instructions = 0;  // of a sampled run
  std::string whole;                     // why the program cannot be sampled; empty: it can
  double functional_seconds = 0;         // of the functional pass
  double host_seconds = 0;               // its part outside of kernels
  std::uint64_t probe_instructions = 0;  // what was timed for the estimate
  double probe_seconds = 0;

  double instructions_per_second() const {
    return static_cast<double>(probe_instructions) / probe_seconds;
  }
  double full_seconds() const;
  // Waves of CTAs that are left out inside launches make it shorter.
  double sampled_seconds() const;
};

// Runs the program functionally, and again with its first instructions timed. Throws as
// plan_sample() does.
RunCost estimate_cost(const RunRequest& request);

}  // namespace heddle::lab
