// Tags and line states of a set-associative cache. Sectors of a line have states of their own; a cache that fills whole lines has
// one sector per line.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/packet.h"
#include "mem/set_index.h"

namespace heddle::mem {

// A warp of an SM.
struct Requester {
  std::uint16_t sm = 0;
  WarpSlot warp;
  friend bool operator==(const Requester&, const Requester&) = default;
};

// States are sets of sectors. A sector is invalid (in none), reserved (a fetch is under way), or valid; valid ones may be dirty,
// and dirty ones unreadable while bytes are missing.
struct Line {
  std::uint8_t valid = 0, reserved = 0, dirty = 0, unreadable = 0;
  std::uint8_t dirty_on_fill = 0;  // written while reserved
  Requester owner;                 // who brought it in
  Pc owner_pc = kNoPc;
  std::uint64_t used = 0, allocated = 0;  // for LRU and FIFO
  ByteMask written;                       // dirty bytes
  bool holds_written = false;             // counted among the lines with written data
  bool occupied() const { return (valid | reserved) != 0; }
};

inline constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

class TagArray {
 public:
  explicit TagArray(const config::CacheSpec& spec);

  std::uint64_t tag_of(Address a) const { return a.value >> line_shift_; }
  // The sector of the address, as a bit.
  std::uint8_t sector_of(Address a) const {
    return sectored_ ? static_cast<std::uint8_t>(1u << ((a.value >> 5) & 3)) : std::uint8_t{1};
  }
  std::uint32_t find(Address a) const;    // kNoLine when absent
  std::uint32_t victim(Address a) const;  // an empty line, or the oldest without a fetch under way; kNoLine when all wait

  Line& line(std::uint32_t i) { return lines_[i]; }
  const Line& line(std::uint32_t i) const { return lines_[i]; }
  LineAddress address_of(std::uint32_t i) const { return LineAddress{tags_[i] << line_shift_}; }
  bool holds(std::uint32_t i, Address a) const { return tags_[i] == tag_of(a); }
  void touch(std::uint32_t i) { lines_[i].used = ++time_; }
  // Gives line i to the address, empty.
  void assign(std::uint32_t i, Address a, Requester owner, Pc pc);
  void clear();
  // Line i holds written data: it is kept as long as such lines are fewer than the share that is theirs.
  void note_written(std::uint32_t i) {
    written_lines_ += !lines_[i].holds_written;
    lines_[i].holds_written = true;
  }

  // The lines of an address's set follow one another.
  std::uint32_t first_of_set(Address a) const {
    const std::uint64_t address = a.value & kIndexed;
    return index_(address >> line_shift_, address) * ways_;
  }

 private:
  static constexpr std::uint64_t kIndexed = (std::uint64_t{1} << 48) - 1;  // what lies above only tells addresses apart

  std::uint32_t ways_;
  std::uint32_t line_shift_;
  bool sectored_;
  bool fifo_;
  std::uint64_t written_share_;  // lines that written data may keep
  std::uint64_t written_lines_ = 0;
  SetIndexFunction index_;
  std::uint64_t time_ = 0;
  std::vector<std::uint64_t> tags_;  // apart from the lines: searched much more often than they are used
  std::vector<Line> lines_;
};

}  // namespace heddle::mem
