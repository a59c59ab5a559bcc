// The lines of every set from the oldest to the youngest, as linked lists.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.h"
#include "mem/tag_array.h"

namespace heddle::mem {

class AgeOrder {
 public:
  void resize(std::uint32_t lines, std::uint32_t ways);
  void make_youngest(std::uint32_t i) {
    const Neighbours here = order_[i];
    if (here.younger == kNoLine) return;
    Ends& ends = ends_[set_of(i)];
    order_[here.younger].older = here.older;
    (here.older == kNoLine ? ends.oldest : order_[here.older].younger) = here.younger;
    order_[ends.youngest].younger = i;
    order_[i] = {ends.youngest, kNoLine};
    ends.youngest = i;
  }
  // An empty line, or the oldest that may be replaced (TagArray::first_to_replace).
  std::uint32_t victim(const TagArray& tags, Address address) const;

 private:
  struct Neighbours {
    std::uint32_t older, younger;
  };
  struct Ends {
    std::uint32_t oldest, youngest;
  };
  // i / ways, without a division.
  std::uint32_t set_of(std::uint32_t i) const {
    return static_cast<std::uint32_t>(i * reciprocal_ >> 32);
  }

  // By line; not initialized twice, because many caches are built.
  std::unique_ptr<Neighbours[]> order_;
  std::vector<Ends> ends_;        // by set
  std::uint64_t reciprocal_ = 0;  // 2^32 / ways, rounded up
};

}  // namespace heddle::mem
