// What an access would do to a cache now. Found without changing anything; Cache::perform() carries
// it out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/gpu_spec.h"
#include "mem/cache_stats.h"
#include "mem/mshr.h"
#include "mem/replacement/replacement_policy.h"
#include "mem/request.h"
#include "mem/tag_array.h"

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

// The policies and the state of a cache that decide.
class AccessPlanner {
 public:
  AccessPlanner(const config::CacheSpec& spec, const TagArray& tags, const MshrTable& mshrs,
                std::size_t misses, const ReplacementPolicy& replacement)
      : spec_(spec), tags_(tags), mshrs_(mshrs), misses_(misses), replacement_(replacement) {}

  // found: the line of the request's address, kNoLine when absent.
  AccessPlan plan(const Request& request, std::uint32_t found) const;

 private:
  void plan_read(const Request& request, AccessPlan& plan) const;
  void plan_write(const Request& request, AccessPlan& plan) const;
  void plan_write_hit(const Request& request, AccessPlan& plan) const;
  void plan_write_miss(const Request& request, AccessPlan& plan) const;
  bool plan_fetch(const Request& request, AccessPlan& plan, std::size_t further_misses) const;
  bool has_room_for_misses(std::size_t further, AccessPlan& plan) const;
  std::uint32_t victim(const Request& request) const {
    return replacement_.victim(tags_, {request.address, request.origin.pc});
  }

  const config::CacheSpec& spec_;
  const TagArray& tags_;
  const MshrTable& mshrs_;
  std::size_t misses_;  // that wait for the next level
  const ReplacementPolicy& replacement_;
};

}  // namespace heddle::mem
