// The configuration and the state of a cache, from which the outcome of an access follows.
#pragma once

#include <memory>

#include "base/bounded_queue.h"
#include "config/gpu_spec.h"
#include "mem/mshr.h"
#include "mem/replacement/lru.h"
#include "mem/replacement/replacement_policy.h"
#include "mem/request.h"
#include "mem/tag_array.h"

namespace heddle::mem {

// The data that a replaced line sends to the next level, none if they have no bytes, and those of
// their sectors that must be read before.
struct Departure {
  Miss write_back;
  std::uint8_t partial_sectors = 0;
};

struct CacheState {
  explicit CacheState(const config::CacheSpec& spec);

  // From now on `policy` chooses the lines to replace.
  void replace_by(std::unique_ptr<ReplacementPolicy> policy);
  void use(std::uint32_t line, const Use& use) {
    if (lru) [[likely]]
      lru->touch(line);
    else
      replacement->use(line, use);
  }

  void send(const Departure& departure);

  config::CacheSpec spec;
  TagArray tags;
  MshrTable mshrs;
  BoundedQueue<Miss> misses;  // that wait for the next level
  std::unique_ptr<ReplacementPolicy> replacement;
  Lru* lru = nullptr;  // the same, if it is that: called without dispatch
  bool reserves;       // tags are reserved at the miss (allocation on miss)
};

}  // namespace heddle::mem
