// One set of a cache under a replacement policy. Lines have numbers; every miss is filled at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mem/cache.h"
#include "mem/catalogue.h"

namespace heddle::mem {

class ReplacementBench {
 public:
  using Policy = std::shared_ptr<const policies::Policy<ReplacementPolicy, config::CacheSpec>>;
  static constexpr int kNone = -1;

  ReplacementBench(const Policy& policy, std::uint32_t ways) : cache_(spec(ways)) {
    cache_.replace_by(policy->build(cache_.spec()));
  }
  ReplacementBench(const std::string& policy, std::uint32_t ways)
      : ReplacementBench(policies::parse<ReplacementEntry>(policy), ways) {}

  // Reads a byte of the line. fill: whether a miss is filled.
  Outcome read(int line, bool fill = true) { return access(line, PacketKind::read, fill); }
  Outcome write(int line) { return access(line, PacketKind::write, true); }
  void fill_all() {
    while (cache_.has_miss()) {
      const Miss miss = cache_.front_miss();
      cache_.pop_miss();
      if (miss.kind == Miss::Kind::fetch) cache_.fill(miss.tag, 4, now_ += 100, stats_);
    }
    while (cache_.has_ready()) cache_.pop_ready();
  }
  bool holds(int line) const { return cache_.tags().find(address_of(line)) != kNoLine; }
  // Reads a line that misses. The line that it replaces; kNone: an empty place, or refused.
  int replaced_by(int line) {
    std::vector<int> before;
    for (int i = 0; i < kLines; ++i)
      if (holds(i)) before.push_back(i);
    read(line);
    for (const int i : before)
      if (!holds(i)) return i;
    return kNone;
  }

 private:
  static constexpr int kLines = 256;
  static config::CacheSpec spec(std::uint32_t ways) {
    config::CacheSpec spec;
    spec.size_bytes = std::uint64_t{ways} * spec.line_bytes;
    spec.ways = ways;
    spec.allocation = config::LineAllocation::on_miss;
    spec.write = config::WritePolicy::write_back;
    spec.write_allocation = config::WriteAllocation::lazy_fetch_on_read;
    spec.mshr_entries = 64;
    spec.miss_queue = 64;
    return spec;
  }
  static Address address_of(int line) { return Address{static_cast<std::uint64_t>(line) * 128}; }
  Outcome access(int line, PacketKind kind, bool fill) {
    Request request;
    request.address = address_of(line);
    request.bytes = 32;
    request.kind = kind;
    if (kind == PacketKind::write) request.mask.set(0, 32);
    const Outcome outcome = cache_.access(request, now_ += 100, stats_).outcome;
    if (fill) fill_all();
    return outcome;
  }

  Cache cache_;
  CacheStats stats_;
  std::uint64_t now_ = 0;
};

}  // namespace heddle::mem
