#include "sm/lsu/coalescer.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "sm/lsu/lane_addresses.h"

namespace heddle::sm {
namespace {

using Lanes = LaneAddresses;

unsigned offset_of(std::uint64_t address) { return mem::offset_in_line(Address{address}); }

bool overlap(const mem::ByteMask& a, const mem::ByteMask& b) {
  return ((a.words[0] & b.words[0]) | (a.words[1] & b.words[1])) != 0;
}

// Adds `count` bytes from `first` on. The fast path is for pieces within one 64-bit word.
void mark(mem::ByteMask& mask, unsigned first, unsigned count) {
  const unsigned at = first & 63;
  if (at + count > 64 || count > 32) {
    mask.set(first, count);
    return;
  }
  mask.words[first >> 6] |= ((std::uint64_t{1} << count) - 1) << at;
}

// The fast path for lanes that all lie in one aligned segment. False when they do not.
bool one_segment(std::uint32_t segment, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes,
                 std::vector<MemoryAccess>& out) {
  const std::uint64_t base = addresses[first_lane(lanes)];
  const std::uint64_t difference = differing_bits(lanes, addresses);
  if (difference >= segment || (base & (bytes - 1)) != 0 || (difference & (bytes - 1)) != 0 ||
      bytes > segment)
    return false;
  MemoryAccess a{Address{base & ~std::uint64_t{segment - 1}}, segment, lanes, {}};
  if (difference == 0)
    mark(a.mask, offset_of(base), bytes);
  else
    lanes.for_each([&](int lane) {
      mark(a.mask, offset_of(addresses[static_cast<std::size_t>(lane)]), bytes);
    });
  out.push_back(a);
  return true;
}

// Halves an access while it uses only one half, down to a sector.
void shrink(MemoryAccess& a) {
  unsigned used = 0;  // sectors of the line
  for (unsigned s = 0; s < mem::kSectorsPerLine; ++s) used |= unsigned{a.mask.sector(s) != 0} << s;
  while (a.bytes > mem::kSectorBytes) {
    const std::uint32_t half = a.bytes / 2;
    const unsigned first = mem::sector_index(a.address), count = half / mem::kSectorBytes;
    const unsigned of_half = (1u << count) - 1;
    const bool lower = used & of_half << first, upper = used & of_half << (first + count);
    if (lower && upper) return;
    if (upper) a.address = a.address + half;
    a.bytes = half;
  }
}

// The fast path for aligned elements at consecutive addresses. False when they are not; nothing
// happens then.
bool coalesce_consecutive(std::uint32_t segment, LaneMask lanes, const Lanes& addresses,
                          std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  if (!std::has_single_bit(bytes) || bytes > segment || (addresses[0] & (bytes - 1)) != 0 ||
      !consecutive(lanes, addresses, bytes))
    return false;
  const std::uint64_t end = addresses[0] + std::uint64_t{kWarpSize} * bytes;
  for (std::uint64_t at = addresses[0], next = at; at < end; at = next) {
    const std::uint64_t base = at & ~std::uint64_t{segment - 1};
    next = std::min(end, base + segment);
    const auto first = static_cast<int>((at - addresses[0]) / bytes),
               count = static_cast<int>((next - at) / bytes);
    MemoryAccess a{Address{base}, segment, LaneMask{LaneMask::first(count).bits << first}, {}};
    a.mask.set(offset_of(at), static_cast<unsigned>(next - at));
    shrink(a);
    out.push_back(a);
  }
  return true;
}

// The lanes whose addresses lie in the aligned segment at `base`.
std::uint32_t lanes_in(std::uint64_t base, std::uint32_t segment, const Lanes& addresses) {
  const __m256i keep = _mm256_set1_epi64x(-static_cast<long long>(segment)),
                wanted = _mm256_set1_epi64x(static_cast<long long>(base));
  std::uint32_t found = 0;
  for (unsigned i = 0; i < kWarpSize; i += 4) {
    const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&addresses[i]));
    const __m256i same = _mm256_cmpeq_epi64(_mm256_and_si256(four, keep), wanted);
    found |= static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(same))) << i;
  }
  return found;
}

// The fast path for elements that are aligned to their size, a power of two: each lies in one
// segment, so the search goes segment by segment. False when they are not; nothing happens then.
bool coalesce_aligned(std::uint32_t segment, LaneMask lanes, const Lanes& addresses,
                      std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  if (!std::has_single_bit(bytes) || bytes > 32 || bytes > segment) return false;
  std::uint64_t low_bits = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) low_bits |= addresses[i] & ones_if(lanes, i);
  if (low_bits & (bytes - 1)) return false;
  const std::uint64_t element = (std::uint64_t{1} << bytes) - 1;
  for (std::uint32_t rest = lanes.bits; rest;) {
    const std::uint64_t base =
        addresses[static_cast<std::size_t>(std::countr_zero(rest))] & ~std::uint64_t{segment - 1};
    const std::uint32_t here = lanes_in(base, segment, addresses) & rest;
    MemoryAccess a{Address{base}, segment, LaneMask{here}, {}};
    for (std::uint32_t some = here; some; some &= some - 1) {
      const unsigned first = offset_of(addresses[static_cast<std::size_t>(std::countr_zero(some))]);
      a.mask.words[first >> 6] |= element << (first & 63);
    }
    out.push_back(a);
    rest &= ~here;
  }
  return true;
}

// Calls f for the pieces of one lane's data. A wide element or a vector may straddle segments.
template <class F>
void for_each_piece(std::uint64_t address, std::uint32_t bytes, std::uint32_t segment, F&& f) {
  while (bytes > 0) {
    const std::uint64_t base = address & ~std::uint64_t{segment - 1};
    const std::uint32_t count =
        std::min<std::uint32_t>(bytes, static_cast<std::uint32_t>(base + segment - address));
    f(base, offset_of(address), count);
    address += count;
    bytes -= count;
  }
}

void sort_by_address(std::vector<MemoryAccess>& out, std::size_t first) {
  const auto by_address = [](const MemoryAccess& a, const MemoryAccess& b) {
    return a.address < b.address;
  };
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::is_sorted(begin, out.end(), by_address)) std::stable_sort(begin, out.end(), by_address);
}

void sort_and_shrink(std::vector<MemoryAccess>& out, std::size_t first) {
  sort_by_address(out, first);
  for (std::size_t i = first; i < out.size(); ++i) shrink(out[i]);
}

// Accesses of one address are one.
struct AcceptAll {
  bool operator()(const MemoryAccess&, const mem::ByteMask&) const { return true; }
};

// Adds a lane's bytes to the first access of `out[first..]` that accepts them, or to a new access.
// Where only one can accept them the last is tried first, because neighbouring lanes mostly touch
// neighbouring bytes.
template <class Accepts>
void add(std::vector<MemoryAccess>& out, std::size_t first, std::uint64_t base, unsigned offset,
         std::uint32_t count, std::uint32_t segment, int lane, Accepts&& accepts) {
  constexpr bool kOneAccepts = std::is_same_v<std::remove_cvref_t<Accepts>, AcceptAll>;
  mem::ByteMask bytes;
  mark(bytes, offset, count);
  const auto join = [&](MemoryAccess& a) {
    if (a.address.value != base || !accepts(a, bytes)) return false;
    a.lanes.set(lane);
    a.mask |= bytes;
    return true;
  };
  if (kOneAccepts && out.size() > first && join(out.back())) return;
  for (std::size_t i = first; i < out.size(); ++i)
    if (join(out[i])) return;
  out.push_back({Address{base}, segment, LaneMask::only(lane), bytes});
}

// Calls coalesce_part(lanes, first access) for each portion of the warp that is coalesced
// separately, and sorts the portion's accesses.
template <class Part>
void for_each_part(const CoalescingRules& rules, LaneMask lanes, std::vector<MemoryAccess>& out,
                   Part&& coalesce_part) {
  const int width = kWarpSize / rules.parts;
  for (int part = 0; part < rules.parts; ++part) {
    const std::size_t first = out.size();
    const LaneMask here = lanes & LaneMask{LaneMask::first(width).bits << (part * width)};
    if (here.none()) continue;
    coalesce_part(here, first);
    sort_and_shrink(out, first);
  }
}

template <class Accepts>
void add_lanes(std::uint32_t segment, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes,
               std::vector<MemoryAccess>& out, std::size_t first, Accepts&& accepts) {
  lanes.for_each([&](int lane) {
    const auto piece = [&](std::uint64_t base, unsigned offset, std::uint32_t count) {
      add(out, first, base, offset, count, segment, lane, accepts);
    };
    for_each_piece(addresses[static_cast<std::size_t>(lane)], bytes, segment, piece);
  });
}

}  // namespace

CoalescingRules coalescing_rules(std::uint32_t arch, bool cached, std::uint32_t unit_bytes,
                                 int warp_parts) {
  const bool sectors = arch >= 40 || (arch >= 20 && !cached);
  CoalescingRules rules;
  rules.segment_bytes = sectors || unit_bytes == 1 ? mem::kSectorBytes
                        : unit_bytes == 2          ? 2 * mem::kSectorBytes
                                                   : mem::kLineBytes;
  rules.parts = std::max(1, warp_parts);
  return rules;
}

CoalescingRules atomic_rules(std::uint32_t arch, std::uint32_t unit_bytes, int warp_parts) {
  CoalescingRules rules = coalescing_rules(arch, false, unit_bytes, warp_parts);
  if (arch == 13) rules.parts = std::max(rules.parts, 2);
  return rules;
}

void coalesce(const CoalescingRules& rules, LaneMask lanes, const Lanes& addresses,
              std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  if (lanes.none()) return;
  if (rules.parts == 1 && one_segment(rules.segment_bytes, lanes, addresses, bytes, out)) {
    shrink(out.back());
    return;
  }
  if (rules.parts == 1 && coalesce_consecutive(rules.segment_bytes, lanes, addresses, bytes, out))
    return;
  for_each_part(rules, lanes, out, [&](LaneMask part, std::size_t first) {
    if (!coalesce_aligned(rules.segment_bytes, part, addresses, bytes, out))
      add_lanes(rules.segment_bytes, part, addresses, bytes, out, first, AcceptAll{});
  });
}

void coalesce_atomics(const CoalescingRules& rules, bool combine, LaneMask lanes,
                      const Lanes& addresses, std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  for_each_part(rules, lanes, out, [&](LaneMask part, std::size_t first) {
    add_lanes(rules.segment_bytes, part, addresses, bytes, out, first,
              [combine](const MemoryAccess& a, const mem::ByteMask& b) {
                return combine || !overlap(a.mask, b);
              });
  });
}

void coalesce_lines(std::uint32_t line_bytes, LaneMask lanes, const Lanes& addresses,
                    std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  if (lanes.none() || one_segment(line_bytes, lanes, addresses, bytes, out)) return;
  const std::size_t first = out.size();
  if (!coalesce_aligned(line_bytes, lanes, addresses, bytes, out))
    add_lanes(line_bytes, lanes, addresses, bytes, out, first, AcceptAll{});
  sort_by_address(out, first);
}

}  // namespace heddle::sm
