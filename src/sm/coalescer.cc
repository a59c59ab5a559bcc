#include "sm/coalescer.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {
namespace {

using Lanes = std::array<std::uint64_t, kWarpSize>;

bool overlap(const mem::ByteMask& a, const mem::ByteMask& b) { return ((a.words[0] & b.words[0]) | (a.words[1] & b.words[1])) != 0; }

// Adds `count` bytes from `first` on; element-sized pieces mostly lie within one word.
void mark(mem::ByteMask& mask, unsigned first, unsigned count) {
  const unsigned at = first & 63;
  if (at + count > 64 || count > 32) {
    mask.set(first, count);
    return;
  }
  mask.words[first >> 6] |= ((std::uint64_t{1} << count) - 1) << at;
}

std::size_t first_lane(LaneMask lanes) { return static_cast<std::size_t>(std::countr_zero(lanes.bits)) % kWarpSize; }

// The bits in which the lanes' addresses differ. Branch-free over all lanes, so that it runs in vector registers.
std::uint64_t differing_bits(LaneMask lanes, const Lanes& addresses) {
  const std::uint64_t base = addresses[first_lane(lanes)];
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) difference |= (addresses[i] ^ base) & (std::uint64_t{0} - ((lanes.bits >> i) & 1));
  return difference;
}

// All lanes in one aligned segment: one access, without a search. False when they are not.
bool one_segment(std::uint32_t segment, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  const std::uint64_t base = addresses[first_lane(lanes)];
  const std::uint64_t difference = differing_bits(lanes, addresses);
  if (difference >= segment || (base & (bytes - 1)) != 0 || (difference & (bytes - 1)) != 0 || bytes > segment) return false;
  MemoryAccess a{Address{base & ~std::uint64_t{segment - 1}}, segment, lanes, {}};
  if (difference == 0) mark(a.mask, static_cast<unsigned>(base & 127), bytes);
  else lanes.for_each([&](int lane) { mark(a.mask, static_cast<unsigned>(addresses[static_cast<std::size_t>(lane)] & 127), bytes); });
  out.push_back(a);
  return true;
}

// Cuts an access down to the half that it uses, again and again, to 32 bytes.
void shrink(MemoryAccess& a) {
  while (a.bytes > 32) {
    const std::uint32_t half = a.bytes / 2;
    const unsigned offset = static_cast<unsigned>(a.address.value & 127);
    bool lower = false, upper = false;
    for (unsigned s = offset / 32; s < (offset + half) / 32; ++s) lower |= a.mask.sector(s) != 0;
    for (unsigned s = (offset + half) / 32; s < (offset + a.bytes) / 32; ++s) upper |= a.mask.sector(s) != 0;
    if (lower && upper) return;
    if (upper) a.address = a.address + half;
    a.bytes = half;
  }
}

// The pieces of one lane's data: an element may straddle segments when it is wide or a vector.
template <class F>
void for_each_piece(std::uint64_t address, std::uint32_t bytes, std::uint32_t segment, F&& f) {
  while (bytes > 0) {
    const std::uint64_t base = address & ~std::uint64_t{segment - 1};
    const std::uint32_t count = std::min<std::uint32_t>(bytes, static_cast<std::uint32_t>(base + segment - address));
    f(base, static_cast<unsigned>(address & 127), count);
    address += count;
    bytes -= count;
  }
}

void sort_and_shrink(std::vector<MemoryAccess>& out, std::size_t first) {
  const auto by_address = [](const MemoryAccess& a, const MemoryAccess& b) { return a.address < b.address; };
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::is_sorted(begin, out.end(), by_address)) std::stable_sort(begin, out.end(), by_address);
  for (std::size_t i = first; i < out.size(); ++i) shrink(out[i]);
}

// Adds a lane's bytes to the first access of `out[first..]` that may take them, or opens one. The last access used is tried first:
// neighbouring lanes mostly touch neighbouring bytes.
template <class Accepts>
void add(std::vector<MemoryAccess>& out, std::size_t first, std::uint64_t base, unsigned offset, std::uint32_t count, std::uint32_t segment,
         int lane, Accepts&& accepts) {
  mem::ByteMask bytes;
  mark(bytes, offset, count);
  const auto join = [&](MemoryAccess& a) {
    if (a.address.value != base || !accepts(a, bytes)) return false;
    a.lanes.set(lane);
    a.mask |= bytes;
    return true;
  };
  if (out.size() > first && join(out.back())) return;
  for (std::size_t i = first; i + 1 < out.size(); ++i)
    if (join(out[i])) return;
  out.push_back({Address{base}, segment, LaneMask::only(lane), bytes});
}

template <class Accepts>
void coalesce_parts(const CoalescingRules& rules, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes, std::vector<MemoryAccess>& out,
                    Accepts&& accepts) {
  const int width = kWarpSize / rules.parts;
  for (int part = 0; part < rules.parts; ++part) {
    const std::size_t first = out.size();
    const LaneMask here = lanes & LaneMask{LaneMask::first(width).bits << (part * width)};
    here.for_each([&](int lane) {
      const auto piece = [&](std::uint64_t base, unsigned offset, std::uint32_t count) {
        add(out, first, base, offset, count, rules.segment_bytes, lane, accepts);
      };
      for_each_piece(addresses[static_cast<std::size_t>(lane)], bytes, rules.segment_bytes, piece);
    });
    sort_and_shrink(out, first);
  }
}

}  // namespace

CoalescingRules coalescing_rules(std::uint32_t arch, bool cached, std::uint32_t unit_bytes, int warp_parts) {
  const bool sectors = arch >= 40 || (arch >= 20 && !cached);
  CoalescingRules rules;
  rules.segment_bytes = sectors || unit_bytes == 1 ? 32 : unit_bytes == 2 ? 64 : 128;
  rules.parts = std::max(1, warp_parts);
  return rules;
}

void coalesce(const CoalescingRules& rules, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  if (lanes.none()) return;
  if (rules.parts == 1 && one_segment(rules.segment_bytes, lanes, addresses, bytes, out)) {
    shrink(out.back());
    return;
  }
  coalesce_parts(rules, lanes, addresses, bytes, out, [](const MemoryAccess&, const mem::ByteMask&) { return true; });
}

void coalesce_atomics(const CoalescingRules& rules, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  coalesce_parts(rules, lanes, addresses, bytes, out, [](const MemoryAccess& a, const mem::ByteMask& b) { return !overlap(a.mask, b); });
}

void coalesce_lines(std::uint32_t line_bytes, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes, std::vector<MemoryAccess>& out) {
  if (lanes.none() || one_segment(line_bytes, lanes, addresses, bytes, out)) return;
  const std::size_t first = out.size();
  lanes.for_each([&](int lane) {
    const auto piece = [&](std::uint64_t base, unsigned offset, std::uint32_t count) {
      add(out, first, base, offset, count, line_bytes, lane, [](const MemoryAccess&, const mem::ByteMask&) { return true; });
    };
    for_each_piece(addresses[static_cast<std::size_t>(lane)], bytes, line_bytes, piece);
  });
  const auto by_address = [](const MemoryAccess& a, const MemoryAccess& b) { return a.address < b.address; };
  std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), by_address);
}

}  // namespace heddle::sm
