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
      fetch_bytes_(sectored_ ? spec.fetch_sectors * kSectorBytes : spec.line_bytes),
      sector_bytes_(sectored_ ? kSectorBytes : spec.line_bytes),
      written_share_(std::uint64_t{spec.sets()} * spec.ways * spec.written_share / 100),
      index_(spec.set_index, spec.sets()),
      tags_(std::size_t{spec.sets()} * spec.ways + kPrints, kNoTag),
      prints_(tags_.size()),
      lines_(std::size_t{spec.sets()} * spec.ways),
      first_empty_(spec.sets()) {
  if (!std::has_single_bit(spec.line_bytes) || spec.line_bytes < kSectorBytes)
    throw UserError("a cache line must be a power of two of at least 32 bytes");
  if (sectored_ && spec.line_bytes != kLineBytes)
    throw UserError("a sectored cache has lines of 128 bytes");
}

std::uint32_t TagArray::empty_line(Address a) const {
  const std::uint32_t set = set_of(a), first = set * ways_;
  for (std::uint32_t& way = first_empty_[set]; way < ways_; ++way)
    if (!lines_[first + way].occupied()) return first + way;
  return kNoLine;
}

bool TagArray::covers_sector(const ByteMask& mask, Address a) const {
  const Address first{a.value & ~std::uint64_t{sector_bytes_ - 1}};
  for (std::uint32_t at = 0; at < sector_bytes_; at += kSectorBytes)
    if (mask.sector(sector_index(first + at)) != ~std::uint32_t{0}) return false;
  return true;
}

void TagArray::reserve(std::uint32_t i, std::uint8_t sectors) {
  Line& line = lines_[i];
  line.dirty_on_fill |= line.dirty & sectors;
  line.reserved |= sectors;
}

void TagArray::fill(std::uint32_t i, std::uint8_t sectors, std::uint8_t dirty) {
  Line& line = lines_[i];
  const auto others = static_cast<std::uint8_t>(~sectors);
  line.reserved &= others;
  line.unreadable &= others;
  line.valid |= sectors;
  line.dirty |= dirty | (line.dirty_on_fill & sectors);
  line.dirty_on_fill &= others;
}

void TagArray::drop(std::uint32_t i, Address a) {
  Line& line = lines_[i];
  line.valid &= static_cast<std::uint8_t>(~sector_of(a));
  line.dirty &= line.valid;
  if (line.occupied()) return;
  const std::uint32_t set = i / ways_;
  first_empty_[set] = std::min(first_empty_[set], i - set * ways_);
}

void TagArray::write(std::uint32_t i, Address a, const ByteMask& bytes, bool dirty) {
  Line& line = lines_[i];
  written_lines_ += !line.holds_written;
  line.holds_written = true;
  line.written |= bytes;
  const std::uint8_t sector = sector_of(a);
  if (line.reserved & sector) {
    line.dirty_on_fill |= sector;
    return;
  }
  const bool readable = (line.valid & ~line.unreadable & sector) != 0;
  line.valid |= sector;
  if (dirty) line.dirty |= sector;
  if (readable || covers_sector(line.written, a))
    line.unreadable &= static_cast<std::uint8_t>(~sector);
  else
    line.unreadable |= sector;
}

void TagArray::assign(std::uint32_t i, Address a, const Origin& owner) {
  assigned_ = true;
  tags_[i] = tag_of(a);
  prints_[i] = print_of(tags_[i]);
  written_lines_ -= lines_[i].holds_written;
  lines_[i] = Line{};
  lines_[i].owner = owner;
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
    lines_[i] = Line{.reserved = reserved, .owner = lines_[i].owner, .written = {}};
  }
  std::fill(first_empty_.begin(), first_empty_.end(), 0u);
  written_lines_ = 0;
}

}  // namespace heddle::mem
