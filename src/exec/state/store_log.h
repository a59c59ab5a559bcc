// Global stores of one SM that other SMs do not see yet, by 128-byte line. The SM's own loads read
// from here first; apply() writes the stores to the memory image.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exec/state/global_memory.h"

namespace heddle::exec {

class StoreLog {
 public:
  static constexpr std::uint64_t kLineBytes = 128;

  StoreLog() : table_(kInitialTable, kEmpty) {}
  bool empty() const { return lines_.empty(); }
  // Accesses do not cross lines: they are at most 16 bytes long and aligned to their length.
  void store(std::uint64_t address, const void* bytes, std::uint32_t count);
  // Overwrites those of the `count` bytes at `address` that have been stored.
  void patch(std::uint64_t address, void* bytes, std::uint32_t count) const {
    const std::uint64_t line = address / kLineBytes;
    if (filter_[filter_word(line)] >> (line & 63) & 1) patch_from_line(address, bytes, count);
  }
  void apply(GlobalMemory& memory);

 private:
  static constexpr std::size_t kInitialTable = 256;
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  struct Line {
    std::uint64_t number;
    std::array<std::uint64_t, 2> written;  // one bit per byte
    std::array<std::uint8_t, kLineBytes> bytes;
  };
  static std::size_t filter_word(std::uint64_t line) { return line / 64 % 64; }
  static std::size_t hash(std::uint64_t line) {
    return static_cast<std::size_t>(line * 0x9E3779B97F4A7C15ull >> 32);
  }
  std::uint32_t index_of(std::uint64_t line) const;
  Line& line_for(std::uint64_t line);
  void grow();
  void patch_from_line(std::uint64_t address, void* bytes, std::uint32_t count) const;

  std::vector<Line> lines_;
  std::vector<std::uint32_t> table_;  // open addressing; indices into lines_
  std::array<std::uint64_t, 64> filter_{};
};

}  // namespace heddle::exec
