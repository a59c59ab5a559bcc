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
      written_share_(std::uint64_t{spec.sets()} * spec.ways * spec.written_share / 100),
      index_(spec.set_index, spec.sets()),
      tags_(std::size_t{spec.sets()} * spec.ways + kPrints, kNoTag),
      prints_(tags_.size()),
      lines_(std::size_t{spec.sets()} * spec.ways),
      first_empty_(spec.sets()) {
  if (!std::has_single_bit(spec.line_bytes) || spec.line_bytes < 32)
    throw UserError("a cache line must be a power of two of at least 32 bytes");
  if (sectored_ && spec.line_bytes != 128)
    throw UserError("a sectored cache has lines of 128 bytes");
}

std::uint32_t TagArray::empty_line(Address a) const {
  const std::uint32_t set = set_of(a), first = set * ways_;
  for (std::uint32_t& way = first_empty_[set]; way < ways_; ++way)
    if (!lines_[first + way].occupied()) return first + way;
  return kNoLine;
}

void TagArray::assign(std::uint32_t i, Address a, Requester owner, Pc pc) {
  assigned_ = true;
  tags_[i] = tag_of(a);
  prints_[i] = print_of(tags_[i]);
  written_lines_ -= lines_[i].holds_written;
  lines_[i] = Line{};
  lines_[i].owner = owner;
  lines_[i].owner_pc = pc;
}

void TagArray::clear() {
  if (!assigned_) return;
  assigned_ = false;
  std::fill(tags_.begin(), tags_.end(), kNoTag);
  std::fill(lines_.begin(), lines_.end(), Line{});
  std::fill(first_empty_.begin(), first_empty_.end(), 0u);
  written_lines_ = 0;
}

void TagArray::keep_reserved() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::uint8_t reserved = lines_[i].reserved;
    if (!reserved) tags_[i] = kNoTag;
    lines_[i] = Line{.reserved = reserved,
                     .owner = lines_[i].owner,
                     .owner_pc = lines_[i].owner_pc,
                     .written = {}};
  }
  std::fill(first_empty_.begin(), first_empty_.end(), 0u);
  written_lines_ = 0;
}

}  // namespace heddle::mem
