// What is remembered about bytes of memory while a program is checked: whether they were ever
// written, and who touched them last.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

// A bit per byte: set where nothing has been written since the memory was allocated. Addresses
// count from `first`.
class UnwrittenBytes {
 public:
  explicit UnwrittenBytes(std::uint64_t first = 0) : first_(first) {}

  void set(std::uint64_t address, std::uint64_t bytes);
  void clear(std::uint64_t address, std::uint64_t bytes);
  void clear_all() { pages_.clear(); }
  bool any(std::uint64_t address, std::uint64_t bytes) const;
  // What is known of one stretch holds for another from now on.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Page {
    std::array<std::uint64_t, kPageBytes / 64> words{};
  };
  template <class Use>
  bool for_each_word(std::uint64_t address, std::uint64_t bytes, Use use) const;

  std::uint64_t first_;
  std::vector<std::unique_ptr<Page>> pages_;  // none: all of it is written
};

// One access as others will have to be compared with it.
struct Access {
  std::uint64_t cta = 0;
  std::uint32_t tick = 0;  // order.h
  Pc pc = kNoPc;
  std::uint16_t thread = 0;
  bool valid = false, atomic = false, synchronising = false;
};

// Who touched a word (or, where bytes are accessed, a byte): the last writer and two readers, of
// different CTAs where there are such.
struct Cell {
  std::uint32_t stamp = 0;  // of the launch, or the CTA's start, for which it holds
  Access write;
  std::array<Access, 2> reads;
  void note_read(const Access& a);
};

class AccessMap {
 public:
  struct Range {
    Cell* first;
    std::size_t count;
  };
  // The cells of an aligned access of 1 to 16 bytes.
  Range cells(std::uint64_t address, std::uint32_t bytes);
  void clear() { pages_.clear(), last_ = nullptr; }

 private:
  static constexpr std::uint64_t kPageBytes = 1024;
  struct Page {
    bool by_byte = false;
    std::vector<Cell> cells;
  };
  static void split(Page& page);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_number_ = 0;
  Page* last_ = nullptr;
};

}  // namespace heddle::exec
