// The interface of replacement policies: which line of a set a cache replaces. One object serves
// one cache. Lines are numbered through the sets: line / ways is the set. Guide:
// docs/write-a-memory-policy.md.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "mem/packet.h"

namespace heddle::mem {

class TagArray;

// The instruction and address that bring a line in.
struct Incoming {
  Address address;
  Pc pc = kNoPc;
};

// An access whose line was found.
struct Use {
  bool hit = true;  // false: the bytes are being fetched, or their sector is missing
  PacketKind kind = PacketKind::read;
  WarpSlot warp;
  std::uint64_t now = 0;  // in cycles of the cache
};

class ReplacementPolicy {
 public:
  virtual ~ReplacementPolicy() = default;
  // Called before the first use, and when the number of ways changes. All lines are empty.
  virtual void resize(std::uint32_t lines, std::uint32_t ways) = 0;
  // The line to replace: an empty one, or one that is not being fetched; kNoLine when there is
  // none. The cache may ask several times before it replaces a line, or never replace it.
  virtual std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const = 0;
  // A line with data is about to be replaced. insert() of the same line follows.
  virtual void evict(std::uint32_t line) { (void)line; }
  virtual void insert(std::uint32_t line, const Incoming& incoming) = 0;
  virtual void use(std::uint32_t line, const Use& use) = 0;
};

}  // namespace heddle::mem
