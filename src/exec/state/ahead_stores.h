// The global stores of CTAs that run before earlier ones have ended, in their order. They reach the
// memory when the earlier CTAs have stored.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/state/global_memory.h"
#include "exec/state/zero_pages.h"

namespace heddle::exec {

// A CTA that runs ahead cannot go on: it must run after the earlier ones.
struct CannotRunAhead {};

class AheadStores {
 public:
  // A store is a word, the address with the number of bytes above it, then the bytes in whole
  // words.
  static constexpr int kSizeShift = 48;
  static constexpr std::size_t kWord = 8;
  // The room that each of compiled code's instructions needs.
  static constexpr std::size_t kMostOfInstruction = 32 * (kWord + 16);
  // The places of the next store and of the end, which compiled code uses.
  struct Room {
    std::uint8_t *next, *end;
  };

  AheadStores();

  Room& room() { return room_; }
  // Records a store and returns where its bytes belong. bytes: a power of two, at most 32. Throws
  // CannotRunAhead when there is no room.
  std::uint8_t* add(std::uint64_t address, std::uint64_t bytes);
  std::size_t used_bytes() const { return static_cast<std::size_t>(room_.next - pages_.data()); }
  void clear() { room_.next = pages_.data(); }
  // Writes all to the memory.
  void apply(GlobalMemory& memory) const;

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 30;
  ZeroPages pages_;
  Room room_;
};

}  // namespace heddle::exec
