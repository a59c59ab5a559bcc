// Credits for the places of a DRAM channel. Each L2 slice has one of its own; the slices share the
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::mem {

class SliceCredits {
 public:
  SliceCredits(std::size_t slices, std::uint32_t places)
      : shared_(places > slices ? places - static_cast<std::uint32_t>(slices - 1) : 1),
        used_(slices) {}

  std::size_t places() const { return shared_ + used_.size(); }
  bool has(std::size_t slice) const { return used_[slice] < 1 || shared_used_ < shared_; }
  void use(std::size_t slice) {
    if (++used_[slice] > 1) ++shared_used_;
  }
  // Shared credits are returned first; a slice returns its own with its last request.
  void give_back(std::size_t slice) {
    if (used_[slice] > 1) --shared_used_;
    --used_[slice];
  }

 private:
  std::uint32_t shared_, shared_used_ = 0;
  std::vector<std::uint32_t> used_;  // by slice
};

}  // namespace heddle::mem
