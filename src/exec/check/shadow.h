// What a check records about bytes of memory: whether they were written, and their last accesses.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

// One bit per byte, set where nothing has been written since the allocation. Addresses start at
// `first`.
class UnwrittenBytes {
 public:
  explicit UnwrittenBytes(std::uint64_t first = 0) : first_(first) {}

  void set(std::uint64_t address, std::uint64_t bytes);
  void clear(std::uint64_t address, std::uint64_t bytes);
  void clear_all() { pages_.clear(); }
  bool any(std::uint64_t address, std::uint64_t bytes) const;
  // Copies the state of one range to another.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Page {
    std::array<std::uint64_t, kPageBytes / 64> words{};
  };
  template <class Use>
  bool for_each_word(std::uint64_t address, std::uint64_t bytes, Use use) const;

  std::uint64_t first_;
  std::vector<std::unique_ptr<Page>> pages_;  // null: the whole page is written
};

// One access, as later accesses are compared with it.
struct ShadowAccess {
  std::uint64_t cta = 0;
  std::uint32_t tick = 0;  // order.h
  Pc pc = kNoPc;
  std::uint16_t thread = 0;
  bool valid = false, atomic = false, synchronising = false;
  bool changed = true;  // a write that changed the value
};

// The accesses of a word (or of a byte, where bytes are accessed): the last writer, one before it
// when the last ones stored the same value, and two readers, of different CTAs if possible.
struct Cell {
  std::uint32_t stamp = 0;  // the launch or CTA start for which the cell is valid
  std::array<ShadowAccess, 2> writes, reads;
  void note_write(const ShadowAccess& a);
  void note_read(const ShadowAccess& a);
};

class AccessMap {
 public:
  struct Range {
    Cell* first;
    std::size_t count;
  };
  // The cells of an aligned access of 1 to 32 bytes.
  Range cells(std::uint64_t address, std::uint32_t bytes);
  void forget(std::uint64_t address, std::uint64_t bytes);
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
