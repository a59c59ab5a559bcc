// The L0 instruction cache of a sub-core, with a stream buffer that prefetches the lines behind one
// that missed. Huerta et al., MICRO 2025, section 5.2; sizes: Jia et al., arXiv 1903.07486.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"

namespace heddle::sm {

class L0Cache {
 public:
  static constexpr std::uint64_t kLineInstructions = 8;  // 128 bytes of machine code

  explicit L0Cache(const config::GuidedSpec& spec)
      : miss_latency_(spec.l0i_miss_latency), prefetched_(spec.prefetched_lines) {
    const std::uint64_t lines = std::max<std::uint64_t>(1, spec.l0i_bytes / 128);
    sets_.resize(std::max<std::uint64_t>(1, lines / kWays));
  }

  // When the line is here: at `now` or before, unless it was requested. One that was not is
  // requested now, with those behind it. delivered: the line came for the warp that asks, which
  // has it even if others have displaced it since.
  Cycle fetch(std::uint64_t line, Cycle now, bool delivered) {
    Entry& entry = place_of(line);
    if (entry.line == line) {
      entry.used = now;
      return entry.ready;
    }
    if (delivered) return now;
    const Cycle ready = now + miss_latency_;
    request(entry, line, ready, now);
    for (std::uint64_t k = 1; k <= prefetched_; ++k)
      if (Entry& next = place_of(line + k); next.line != line + k)
        request(next, line + k, ready + k, now);
    return ready;
  }

 private:
  static constexpr std::size_t kWays = 4;
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t line = kNoLine;
    Cycle ready, used;
  };
  using Set = std::array<Entry, kWays>;

  // The line's entry, or the least recently used one of its set.
  Entry& place_of(std::uint64_t line) {
    Set& set = sets_[line % sets_.size()];
    const auto found =
        std::find_if(set.begin(), set.end(), [&](const Entry& e) { return e.line == line; });
    if (found != set.end()) return *found;
    return *std::min_element(set.begin(), set.end(),
                             [](const Entry& a, const Entry& b) { return a.used < b.used; });
  }
  static void request(Entry& entry, std::uint64_t line, Cycle ready, Cycle now) {
    entry = {line, ready, now};
  }

  std::uint64_t miss_latency_, prefetched_;
  std::vector<Set> sets_;
};

}  // namespace heddle::sm
