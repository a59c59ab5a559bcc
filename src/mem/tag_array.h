// Tags and line states of a set-associative cache. Each sector of a line has a state; a cache that
// fills whole lines has one sector per line.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/packet.h"
#include "mem/set_index.h"

namespace heddle::mem {

// States are sets of sectors. A sector is invalid (in no set), reserved (being fetched) or valid. A
// valid sector may be dirty, and a dirty sector is unreadable while bytes are missing.
struct Line {
  std::uint8_t valid = 0, reserved = 0, dirty = 0, unreadable = 0;
  std::uint8_t dirty_on_fill = 0;  // written while reserved
  bool holds_written = false;      // counted among the lines with written data
  Origin owner;                    // what brought it in
  ByteMask written;                // dirty bytes
  bool occupied() const { return (valid | reserved) != 0; }
};

inline constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

class TagArray {
 public:
  explicit TagArray(const config::CacheSpec& spec);

  std::uint64_t tag_of(Address a) const { return a.value >> line_shift_; }
  // The sector of the address, as a bit.
  std::uint8_t sector_of(Address a) const {
    return sectored_ ? sector_bit(sector_index(a)) : std::uint8_t{1};
  }
  // The line of the address; kNoLine when absent. guess: any line; the right one saves a search.
  [[gnu::always_inline]] std::uint32_t find(Address a, std::uint32_t guess = 0) const {
    const std::uint64_t tag = tag_of(a);
    if (tags_[guess] == tag) return guess;
    const std::uint32_t set = set_of(a);
    return ways_ > kFewWays ? find_among_many(tag, set) : find_among_few(tag, set * ways_);
  }
  // The first line of the address's set without a sector; kNoLine when there is none.
  std::uint32_t empty_line(Address a) const;
  // Whether line i is replaced only when there is no other: it holds written data, and the lines
  // that do are fewer than written_share.
  bool spares(std::uint32_t i) const {
    return lines_[i].holds_written && written_lines_ < written_share_;
  }
  // Of the lines of the set that are not being fetched, the one that precedes all others; a spared
  // one only when there is no other. kNoLine: all are being fetched.
  template <class Precedes>
  std::uint32_t first_to_replace(Address a, Precedes precedes) const {
    const std::uint32_t first = first_of_set(a);
    std::uint32_t found = kNoLine, spared = kNoLine;
    for (std::uint32_t i = first; i < first + ways_; ++i) {
      if (lines_[i].reserved) continue;
      std::uint32_t& best = spares(i) ? spared : found;
      if (best == kNoLine || precedes(i, best)) best = i;
    }
    return found != kNoLine ? found : spared;
  }

  Line& line(std::uint32_t i) { return lines_[i]; }
  const Line& line(std::uint32_t i) const { return lines_[i]; }
  LineAddress address_of(std::uint32_t i) const { return LineAddress{tags_[i] << line_shift_}; }
  bool holds(std::uint32_t i, Address a) const { return tags_[i] == tag_of(a); }
  // Whether the bytes at the address, which line i holds, can be read now. i: find(a).
  bool readable(std::uint32_t i, Address a) const {
    if (i == kNoLine) return false;
    const Line& line = lines_[i];
    return (line.valid & ~line.unreadable & ~line.reserved & sector_of(a)) != 0;
  }
  // What a fetch brings at most: sectors or a line.
  std::uint32_t fetch_bytes() const { return fetch_bytes_; }
  Address fetch_start(Address a) const {
    return Address{a.value & ~std::uint64_t{fetch_bytes_ - 1}};
  }
  // Of these, what line i lacks, as a set of sectors; i may be kNoLine.
  std::uint8_t fetched_sectors(std::uint32_t i, Address a) const {
    const std::uint8_t all =
        sectored_ ? sectors_touched(fetch_start(a), fetch_bytes_) : std::uint8_t{1};
    if (i == kNoLine) return all;
    const Line& line = lines_[i];
    return static_cast<std::uint8_t>(all & ~(line.valid & ~line.unreadable & ~line.reserved));
  }
  Address start_of(std::uint8_t sectors, Address line) const {
    return sectored_ ? sector_address(line, static_cast<std::uint32_t>(std::countr_zero(sectors)))
                     : line;
  }
  std::uint32_t bytes_of(std::uint8_t sectors) const {
    return sectored_ ? static_cast<std::uint32_t>(std::popcount(sectors)) * kSectorBytes
                     : fetch_bytes_;
  }
  // Whether the mask has all bytes of the address's sector.
  bool covers_sector(const ByteMask& mask, Address a) const;

  // Changes of sectors of line i: they are being fetched; their fetch is complete, and some are
  // dirty; the sector of an address is invalidated; bytes of it are written.
  void reserve(std::uint32_t i, std::uint8_t sectors);
  void fill(std::uint32_t i, std::uint8_t sectors, std::uint8_t dirty);
  void drop(std::uint32_t i, Address a);
  void write(std::uint32_t i, Address a, const ByteMask& bytes, bool dirty);
  // Assigns line i to the address, with all sectors invalid.
  void assign(std::uint32_t i, Address a, const Origin& owner);
  void clear();
  // As clear(), except for sectors that are being fetched.
  void keep_reserved();

  std::uint32_t set_of(Address a) const {
    const std::uint64_t address = a.value & kIndexed;
    return index_(address >> line_shift_, address);
  }
  // The first line of the address's set; the others follow.
  std::uint32_t first_of_set(Address a) const { return set_of(a) * ways_; }

 private:
  static constexpr std::uint32_t kFewWays = 8, kPrints = 32;
  // The bits that select a set. The bits above only distinguish addresses (see AddressMap).
  static constexpr std::uint64_t kIndexed = (std::uint64_t{1} << 48) - 1;

  static std::uint8_t print_of(std::uint64_t tag) {
    return static_cast<std::uint8_t>((tag * 0x9E3779B97F4A7C15ull) >> 56);
  }
  std::uint32_t find_among_few(std::uint64_t tag, std::uint32_t first) const {
    for (std::uint32_t i = first; i < first + ways_; ++i)
      if (tags_[i] == tag) return i;
    return kNoLine;
  }
  // Compares one byte of every tag first, 32 at once. The last vector may read tags of other sets,
  // which never match.
  [[gnu::always_inline]] std::uint32_t find_among_many(std::uint64_t tag, std::uint32_t set) const {
    const __m256i wanted = _mm256_set1_epi8(static_cast<char>(print_of(tag)));
    const std::uint32_t first = set * ways_;
    for (std::uint32_t way = 0; way < ways_; way += kPrints) {
      const __m256i prints =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&prints_[first + way]));
      for (auto same =
               static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(prints, wanted)));
           same; same &= same - 1) {
        const std::uint32_t i = first + way + static_cast<std::uint32_t>(std::countr_zero(same));
        if (tags_[i] == tag) return i;
      }
    }
    return kNoLine;
  }

  std::uint32_t ways_;
  std::uint32_t line_shift_;
  bool sectored_;
  std::uint32_t fetch_bytes_, sector_bytes_;
  std::uint64_t written_share_;  // lines of written data that are spared
  std::uint64_t written_lines_ = 0;
  bool assigned_ = false;  // a line was assigned since the last clear()
  SetIndexFunction index_;
  // Tags are separate from the lines because they are searched much more often than lines are used.
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint8_t> prints_;  // one byte of each tag; padded to whole vectors, as tags_
  std::vector<Line> lines_;
  mutable std::vector<std::uint32_t> first_empty_;  // by set: no earlier way is empty
};

}  // namespace heddle::mem
