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
    Ends& ends = ends_[here.set];
    order_[here.younger].older = here.older;
    (here.older == kNoLine ? ends.oldest : order_[here.older].younger) = here.younger;
    order_[ends.youngest].younger = i;
    order_[i] = {ends.youngest, kNoLine, here.set};
    ends.youngest = i;
  }
  // An empty line, or the oldest that may be replaced (TagArray::first_to_replace).
  std::uint32_t victim(const TagArray& tags, Address address) const;

 private:
  struct Neighbours {
    std::uint32_t older, younger, set;
  };
  struct Ends {
    std::uint32_t oldest, youngest;
  };
  std::unique_ptr<Neighbours[]>
      order_;               // by line; not initialized twice, because many caches are built
  std::vector<Ends> ends_;  // by set
};

}  // namespace heddle::mem
