#include "exec/services/heap.h"

#include <algorithm>

#include "base/round_up.h"

namespace heddle::exec {

Heap::Block Heap::take(std::uint64_t size, std::uint64_t align, std::uint64_t end) {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const auto [start, bytes] = *hole;
    const std::uint64_t base = round_up(start, align);
    if (base + size > std::min(start + bytes, end)) continue;
    holes_.erase(hole);
    if (base > start) holes_.emplace(start, base - start);
    if (start + bytes > base + size) holes_.emplace(base + size, start + bytes - (base + size));
    return {base, false};
  }
  const std::uint64_t base = round_up(top_, align);
  if (base - first_ + size > capacity_ || base + size > end) return {};
  if (base > top_) holes_.emplace(top_, base - top_);
  top_ = base + size;
  live_bytes_.resize((top_ - first_) / kAllocationAlign);
  return {base, true};
}

void Heap::mark(std::uint64_t base, std::uint64_t bytes, std::uint64_t size) {
  const std::uint64_t granule = (base - first_) / kAllocationAlign;
  for (std::uint64_t i = 0; i < size / kAllocationAlign; ++i) {
    const std::uint64_t begin = i * kAllocationAlign;
    live_bytes_[granule + i] =
        static_cast<std::uint16_t>(bytes > begin ? std::min(kAllocationAlign, bytes - begin) : 0);
  }
}

void Heap::give_back(std::uint64_t base, std::uint64_t size) {
  mark(base, 0, size);
  // Adjacent holes are merged.
  auto hole = holes_.emplace(base, size).first;
  if (const auto next = std::next(hole);
      next != holes_.end() && hole->first + hole->second == next->first) {
    hole->second += next->second;
    holes_.erase(next);
  }
  if (hole == holes_.begin()) return;
  if (const auto previous = std::prev(hole); previous->first + previous->second == hole->first) {
    previous->second += hole->second;
    holes_.erase(hole);
  }
}

}  // namespace heddle::exec
