// What of a warp's registers no clock has a part in. Warps that wait in loops that read clocks are
// compared by it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "exec/state/machine.h"

namespace heddle::exec {

// The ranges between 0 and `count` without the numbers in `without`, which ascend: calls see(first,
// end).
template <class See>
void for_each_gap(std::span<const std::uint32_t> without, std::uint32_t count, See see) {
  std::uint32_t first = 0;
  for (const std::uint32_t n : without) {
    if (first < n) see(first, n);
    first = n + 1;
  }
  if (first < count) see(first, count);
}

// Calls see(bytes) with stretches of the register file, see(masks) with stretches of the
// predicates.
template <class See>
void for_each_clock_free_register(const Warp& w, See see) {
  constexpr std::size_t kRowBytes = kWarpSize * sizeof(std::uint32_t);
  const ptx::Kernel& kernel = *w.machine->launch.kernel;
  for_each_gap(kernel.clock_rows, kernel.register_rows,
               [&](std::uint32_t first, std::uint32_t end) {
                 see(std::span<const std::uint8_t>(w.bases[0] + first * kRowBytes,
                                                   (end - first) * kRowBytes));
               });
}
template <class See>
void for_each_clock_free_predicate(const Warp& w, See see) {
  const ptx::Kernel& kernel = *w.machine->launch.kernel;
  for_each_gap(kernel.clock_predicates, kernel.predicate_rows,
               [&](std::uint32_t first, std::uint32_t end) {
                 see(std::span<const std::uint32_t>(w.predicates + first, end - first));
               });
}

// A number for a state, in which states that differ hardly ever agree.
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
