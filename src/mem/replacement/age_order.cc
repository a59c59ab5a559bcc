#include "mem/replacement/age_order.h"

#include "base/diagnostics.h"

namespace heddle::mem {

void AgeOrder::resize(std::uint32_t lines, std::uint32_t ways) {
  order_ = std::make_unique_for_overwrite<Neighbours[]>(lines);
  check_invariant(std::uint64_t{lines} * ways < std::uint64_t{1} << 32,
                  "a cache of more than 2^32 / ways lines was configured");
  reciprocal_ = (std::uint64_t{1} << 32) / ways + 1;
  ends_.resize(lines / ways);
  for (std::uint32_t i = 0; i < lines; ++i) order_[i] = {i - 1, i + 1};
  for (std::uint32_t set = 0; set < ends_.size(); ++set) {
    const std::uint32_t first = set * ways, last = first + ways - 1;
    order_[first].older = order_[last].younger = kNoLine;
    ends_[set] = {first, last};
  }
}

std::uint32_t AgeOrder::victim(const TagArray& tags, Address address) const {
  const std::uint32_t empty = tags.empty_line(address);
  if (empty != kNoLine) return empty;
  const std::uint32_t set = tags.set_of(address);
  std::uint32_t oldest_spared = kNoLine;
  for (std::uint32_t i = ends_[set].oldest; i != kNoLine; i = order_[i].younger) {
    if (tags.line(i).reserved) continue;
    if (!tags.spares(i)) return i;
    if (oldest_spared == kNoLine) oldest_spared = i;
  }
  return oldest_spared;
}

}  // namespace heddle::mem
