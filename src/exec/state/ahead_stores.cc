#include "exec/state/ahead_stores.h"

#include <algorithm>
#include <cstring>

#include "base/diagnostics.h"

namespace heddle::exec {

AheadStores::AheadStores() {
  pages_.reserve(kBytes);
  room_ = {pages_.data(), pages_.data() + (kBytes - kMostOfInstruction)};
}

std::uint8_t* AheadStores::add(std::uint64_t address, std::uint64_t bytes) {
  if (room_.next >= room_.end) throw CannotRunAhead{};
  const std::uint64_t head = bytes << kSizeShift | address;
  std::memcpy(room_.next, &head, kWord);
  std::uint8_t* const place = room_.next + kWord;
  room_.next = place + std::max<std::uint64_t>(bytes, kWord);
  return place;
}

void AheadStores::apply(GlobalMemory& memory) const {
  constexpr std::uint64_t kAddresses = (std::uint64_t{1} << kSizeShift) - 1;
  for (const std::uint8_t* p = pages_.data(); p < room_.next;) {
    std::uint64_t head;
    std::memcpy(&head, p, kWord);
    p += kWord;
    std::uint8_t* const to = memory.host(Address{head & kAddresses});
    const std::uint64_t bytes = head >> kSizeShift;
    switch (bytes) {
      case 1: *to = *p; break;
      case 2: std::memcpy(to, p, 2); break;
      case 4: std::memcpy(to, p, 4); break;
      case 8: std::memcpy(to, p, 8); break;
      case 16: std::memcpy(to, p, 16); break;
      case 32: std::memcpy(to, p, 32); break;
      default: check_invariant(false, "a recorded store has no size of a store");
    }
    p += std::max<std::uint64_t>(bytes, kWord);
  }
}

}  // namespace heddle::exec
