// What an access would do to a cache now. Found without changing anything; Cache::perform() carries
// it out.
#pragma once

#include <cstdint>

#include "mem/cache_state.h"
#include "mem/cache_stats.h"
#include "mem/request.h"

namespace heddle::mem {

struct AccessPlan {
  enum class Found : std::uint8_t { hit, reserved, sector_missing, line_missing };
  Access access;
  Found found = Found::line_missing;
  std::uint8_t sector = 0;
  std::uint32_t line = kNoLine;    // the line found
  std::uint32_t victim = kNoLine;  // the line to replace when none was found
  std::uint32_t mshr = kNoMshr;    // a fetch in flight to merge with
  bool fetch = false;              // start a fetch or merge with one
  bool waits = false;              // the request itself waits for the fetch
  bool allocate = false;           // the line must exist from now on
  bool written = false;            // the request's bytes go into the line
  bool drop = false;               // the sector becomes invalid
  bool forward = false;            // the write goes to the next level

  void count(const Request& request, CacheStats& stats) const;
};

// found: the line of the request's address, kNoLine when absent.
AccessPlan plan_access(const CacheState& cache, const Request& request, std::uint32_t found);

}  // namespace heddle::mem
