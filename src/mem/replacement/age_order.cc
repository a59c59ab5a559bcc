#include "mem/replacement/age_order.h"

namespace heddle::mem {

void AgeOrder::resize(std::uint32_t lines, std::uint32_t ways) {
  order_ = std::make_unique_for_overwrite<Neighbours[]>(lines);
  ends_.resize(lines / ways);
  for (std::uint32_t set = 0; set < ends_.size(); ++set) {
    const std::uint32_t first = set * ways, last = first + ways - 1;
    for (std::uint32_t i = first; i <= last; ++i)
      order_[i] = {i == first ? kNoLine : i - 1, i == last ? kNoLine : i + 1, set};
    ends_[set] = {first, last};
  }
}

std::uint32_t AgeOrder::victim(const TagArray& tags, Address address) const {
  const std::uint32_t empty = tags.empty_line(address);
  if (empty != kNoLine) return empty;
  const std::uint32_t set = order_[tags.first_of_set(address)].set;
  std::uint32_t oldest_spared = kNoLine;
  for (std::uint32_t i = ends_[set].oldest; i != kNoLine; i = order_[i].younger) {
    if (tags.line(i).reserved) continue;
    if (!tags.spares(i)) return i;
    if (oldest_spared == kNoLine) oldest_spared = i;
  }
  return oldest_spared;
}

}  // namespace heddle::mem
