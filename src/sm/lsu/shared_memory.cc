#include "sm/lsu/shared_memory.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "sm/lsu/lane_addresses.h"

namespace heddle::sm {
namespace {

constexpr std::size_t kMaxBanks = 64;

// The distinct words found so far, as one list per bank. Only banks in `used` are initialized.
struct Banks {
  std::uint64_t used = 0;
  std::array<std::int8_t, kMaxBanks> newest;
  std::array<std::uint8_t, kMaxBanks> depth;
  std::array<std::uint64_t, kWarpSize> words;
  std::array<std::int8_t, kWarpSize> older;
};

// Whether every bank has at most one distinct word. Each lane writes its word to its bank's entry,
// then compares the entry with its word.
bool no_conflict(LaneMask lanes, const std::array<std::uint64_t, kWarpSize>& addresses,
                 std::uint32_t banks) {
  std::array<std::uint64_t, kMaxBanks> word_of_bank;
  std::uint64_t others = 0;
  const auto word = [&](std::size_t lane) { return addresses[lane] >> 2; };
  if (lanes == LaneMask::all()) {
    for (std::size_t i = 0; i < kWarpSize; ++i) word_of_bank[word(i) & (banks - 1)] = word(i);
    for (std::size_t i = 0; i < kWarpSize; ++i)
      others |= word_of_bank[word(i) & (banks - 1)] ^ word(i);
    return others == 0;
  }
  lanes.for_each([&](int i) {
    word_of_bank[word(static_cast<std::size_t>(i)) & (banks - 1)] =
        word(static_cast<std::size_t>(i));
  });
  lanes.for_each([&](int i) {
    others |= word_of_bank[word(static_cast<std::size_t>(i)) & (banks - 1)] ^
              word(static_cast<std::size_t>(i));
  });
  return others == 0;
}

// The largest number of different words in one bank.
std::uint32_t deepest_bank(LaneMask lanes, const std::array<std::uint64_t, kWarpSize>& addresses,
                           std::uint32_t banks) {
  if (lanes.none()) return 0;
  if (differing_bits(lanes, addresses) < banks * std::uint64_t{4})
    return 1;  // all in one row of the banks
  if (no_conflict(lanes, addresses, banks)) return 1;
  Banks b;
  int distinct = 0;
  std::uint32_t deepest = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::uint32_t rest = lanes.bits; rest; rest &= rest - 1) {
    const std::uint64_t word = addresses[static_cast<std::size_t>(std::countr_zero(rest))] >> 2;
    if (word == last) continue;
    last = word;
    const std::size_t bank = word & (banks - 1);
    std::int8_t older = -1;
    if ((b.used >> bank) & 1) {
      older = b.newest[bank];
      std::int8_t i = older;
      while (i >= 0 && b.words[static_cast<std::size_t>(i)] != word)
        i = b.older[static_cast<std::size_t>(i)];
      if (i >= 0) continue;
    } else {
      b.used |= std::uint64_t{1} << bank;
      b.depth[bank] = 0;
    }
    b.words[static_cast<std::size_t>(distinct)] = word;
    b.older[static_cast<std::size_t>(distinct)] = older;
    b.newest[bank] = static_cast<std::int8_t>(distinct++);
    deepest = std::max<std::uint32_t>(deepest, ++b.depth[bank]);
  }
  return deepest;
}

}  // namespace

std::uint32_t shared_memory_cycles(LaneMask lanes,
                                   const std::array<std::uint64_t, kWarpSize>& addresses,
                                   std::uint32_t banks, std::uint32_t parts) {
  const int width = kWarpSize / static_cast<int>(parts);
  std::uint32_t total = 0;
  for (int part = 0; part < static_cast<int>(parts); ++part)
    total += deepest_bank(lanes & LaneMask{LaneMask::first(width).bits << (part * width)},
                          addresses, banks);
  return total;
}

// Accesses of 8 and 16 bytes take banks of their own width, in as many parts as fill them.
SharedAccess shared_access(LaneMask lanes, const std::array<std::uint64_t, kWarpSize>& addresses,
                           std::uint32_t bytes, std::uint32_t banks) {
  const int shift = bytes <= 4 ? 0 : bytes <= 8 ? 1 : 2;
  SharedAccess access;
  std::optional<std::array<std::uint64_t, kWarpSize>> units;
  const int width = kWarpSize >> shift;
  for (int first = 0; first < kWarpSize; first += width) {
    const LaneMask those = lanes & LaneMask{LaneMask::first(width).bits << first};
    if (those.none()) continue;
    std::uint32_t cycles = 1;
    if (differing_bits(those, addresses) >= banks * std::uint64_t{4}) {
      if (!units) {
        units.emplace();
        std::transform(addresses.begin(), addresses.end(), units->begin(),
                       [shift](std::uint64_t address) { return address >> shift; });
      }
      cycles = deepest_bank(those, *units, banks >> shift);
    }
    access.cycles += cycles;
    access.conflicts += cycles - 1;
  }
  return access;
}

}  // namespace heddle::sm
