#include "mem/tag_array.h"

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"

namespace heddle::mem {

namespace {
constexpr std::uint64_t kNoTag = ~std::uint64_t{0};
}

TagArray::TagArray(const config::CacheSpec& spec)
    : ways_(spec.ways),
      line_shift_(static_cast<std::uint32_t>(std::bit_width(spec.line_bytes) - 1)),
      sectored_(spec.filling == config::Filling::sectors),
      fifo_(spec.replacement == config::Replacement::fifo),
      written_share_(std::uint64_t{spec.sets()} * spec.ways * spec.written_share / 100),
      index_(spec.set_index, spec.sets()),
      tags_(std::size_t{spec.sets()} * spec.ways, kNoTag),
      lines_(std::size_t{spec.sets()} * spec.ways) {
  if (!std::has_single_bit(spec.line_bytes) || spec.line_bytes < 32)
    throw UserError("a cache line must be a power of two of at least 32 bytes");
  if (sectored_ && spec.line_bytes != 128) throw UserError("a sectored cache has lines of 128 bytes");
}

std::uint32_t TagArray::find(Address a) const {
  const std::uint64_t tag = tag_of(a);
  const std::uint32_t first = first_of_set(a);
  for (std::uint32_t i = first; i < first + ways_; ++i)
    if (tags_[i] == tag) return i;
  return kNoLine;
}

std::uint32_t TagArray::victim(Address a) const {
  const std::uint32_t first = first_of_set(a);
  std::uint32_t oldest = kNoLine;
  std::uint64_t oldest_time = ~std::uint64_t{0};
  const bool keep_written = written_lines_ < written_share_;
  bool oldest_written = true;
  for (std::uint32_t i = first; i < first + ways_; ++i) {
    const Line& line = lines_[i];
    if (line.reserved) continue;
    if (!line.valid) return i;
    const std::uint64_t time = fifo_ ? line.allocated : line.used;
    const bool written = keep_written && line.holds_written;
    if (written != oldest_written ? oldest_written : time < oldest_time) {
      oldest_time = time;
      oldest = i;
      oldest_written = written;
    }
  }
  return oldest;
}

void TagArray::assign(std::uint32_t i, Address a, Requester owner, Pc pc) {
  tags_[i] = tag_of(a);
  written_lines_ -= lines_[i].holds_written;
  lines_[i] = Line{};
  lines_[i].owner = owner;
  lines_[i].owner_pc = pc;
  lines_[i].used = lines_[i].allocated = ++time_;
}

void TagArray::clear() {
  std::fill(tags_.begin(), tags_.end(), kNoTag);
  std::fill(lines_.begin(), lines_.end(), Line{});
  written_lines_ = 0;
}

}  // namespace heddle::mem
