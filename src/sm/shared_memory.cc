#include "sm/shared_memory.h"

#include <algorithm>

namespace heddle::sm {
namespace {

// Lanes of consecutive 4-byte words, or all at one word: the usual cases, free of conflicts when there are 32 banks.
bool plainly_free(LaneMask lanes, const std::array<std::uint64_t, kWarpSize>& addresses) {
  const int low = lanes.lowest();
  const std::uint64_t base = addresses[static_cast<std::size_t>(low)] >> 2;
  bool same = true, consecutive = true;
  lanes.for_each([&](int lane) {
    const std::uint64_t word = addresses[static_cast<std::size_t>(lane)] >> 2;
    same &= word == base;
    consecutive &= word == base + static_cast<std::uint64_t>(lane - low);
  });
  return same || consecutive;
}

}  // namespace

std::uint32_t shared_memory_cycles(LaneMask lanes, const std::array<std::uint64_t, kWarpSize>& addresses, std::uint32_t banks,
                                   std::uint32_t parts) {
  if (lanes.none()) return 0;
  if (parts == 1 && banks >= kWarpSize && plainly_free(lanes, addresses)) return 1;
  const int width = kWarpSize / static_cast<int>(parts);
  std::uint32_t total = 0;
  for (int part = 0; part < static_cast<int>(parts); ++part) {
    const LaneMask here = lanes & LaneMask{LaneMask::first(width).bits << (part * width)};
    std::array<std::uint64_t, kWarpSize> words{};
    std::array<std::uint8_t, kWarpSize> in_bank{};  // distinct words found in the bank of words[i], counted at its first word
    int distinct = 0;
    std::uint32_t worst = 0;
    here.for_each([&](int lane) {
      const std::uint64_t word = addresses[static_cast<std::size_t>(lane)] >> 2;
      int bank_leader = distinct;
      for (int i = 0; i < distinct; ++i) {
        if (words[static_cast<std::size_t>(i)] == word) return;
        if (bank_leader == distinct && words[static_cast<std::size_t>(i)] % banks == word % banks) bank_leader = i;
      }
      words[static_cast<std::size_t>(distinct++)] = word;
      worst = std::max<std::uint32_t>(worst, ++in_bank[static_cast<std::size_t>(bank_leader)]);
    });
    total += worst;
  }
  return total;
}

}  // namespace heddle::sm
