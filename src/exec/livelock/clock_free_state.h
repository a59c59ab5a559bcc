// The registers of a warp that do not depend on a clock. Livelock detection compares only these, so
// that it also finds wait loops that read a clock.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "exec/state/machine.h"

namespace heddle::exec {

// Calls visit(first, end) for each range of [0, count) between the ascending numbers in `excluded`.
template <class Visit>
void for_each_gap(std::span<const std::uint32_t> excluded, std::uint32_t count, Visit visit) {
  std::uint32_t first = 0;
  for (const std::uint32_t n : excluded) {
    if (first < n) visit(first, n);
    first = n + 1;
  }
  if (first < count) visit(first, count);
}

// Calls visit(bytes) with parts of the register file, visit(masks) with parts of the predicates.
template <class Visit>
void for_each_clock_free_register(const Warp& w, Visit visit) {
  constexpr std::size_t kRowBytes = kWarpSize * sizeof(std::uint32_t);
  const DecodedKernel& kernel = *w.machine->decoded;
  for_each_gap(kernel.clock_rows, kernel.register_rows,
               [&](std::uint32_t first, std::uint32_t end) {
                 visit(std::span<const std::uint8_t>(w.bases[0] + first * kRowBytes,
                                                     (end - first) * kRowBytes));
               });
}
template <class Visit>
void for_each_clock_free_predicate(const Warp& w, Visit visit) {
  const DecodedKernel& kernel = *w.machine->decoded;
  for_each_gap(kernel.clock_predicates, kernel.predicate_rows,
               [&](std::uint32_t first, std::uint32_t end) {
                 visit(std::span<const std::uint32_t>(w.predicates + first, end - first));
               });
}

// A hash of a state.
struct Digest {
  std::uint64_t value = 0;
  void add(std::uint64_t word) { value = (std::rotl(value, 23) ^ word) * 0x9e3779b97f4a7c15u; }
};

inline void add_clock_free(Digest& digest, const Warp& w) {
  for_each_clock_free_register(w, [&](std::span<const std::uint8_t> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      digest.add(word);
    }
  });
  for_each_clock_free_predicate(w, [&](std::span<const std::uint32_t> masks) {
    for (const std::uint32_t mask : masks) digest.add(mask);
  });
}

}  // namespace heddle::exec
