#include "sm/count/cta_sharing.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {
namespace {

// Entries per line of the cache. Evicted lines are removed when the table is half full.
constexpr std::size_t kEntriesPerLine = 4;

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

}  // namespace

void CtaSharingStats::add(const CtaSharingStats& other) {
  const std::uint64_t x = std::max(distance_x, other.distance_x),
                      y = std::max(distance_y, other.distance_y);
  stats::add(*this, other);
  distance_x = x;
  distance_y = y;
}

CtaSharing::CtaSharing(const mem::Cache& l1d)
    : l1d_(l1d),
      entries_(std::bit_ceil(kEntriesPerLine * std::size_t{l1d.spec().sets()} * l1d.spec().ways)) {}

void CtaSharing::begin_kernel(Dim3 grid, int warps_per_cta) {
  grid_ = grid;
  warps_per_cta_ = warps_per_cta;
  ctas_ = {};
  std::fill(entries_.begin(), entries_.end(), Entry{});
  used_ = 0;
  stats_ = {};
}

void CtaSharing::start_cta(int slot, std::uint64_t cta) {
  const std::uint64_t row = cta / grid_.x;
  ctas_[static_cast<std::size_t>(slot)] = {
      next_number_++, static_cast<std::uint32_t>(cta % grid_.x),
      static_cast<std::uint32_t>(row % grid_.y), static_cast<std::uint32_t>(row / grid_.y), true};
}

void CtaSharing::count(WarpSlot warp, LineAddress line, mem::Outcome outcome) {
  if (outcome == mem::Outcome::reservation_fail) return;
  const int slot = warp.index / warps_per_cta_;
  const Cta& cta = ctas_[static_cast<std::size_t>(slot)];
  if (outcome == mem::Outcome::miss) return bring_in(line, cta, static_cast<std::uint32_t>(slot));
  stats_.hits += outcome == mem::Outcome::hit;
  const Entry& entry = entries_[place_of(line)];
  if (entry.number != 0) count_hit(entry, cta, outcome);
}

void CtaSharing::count_hit(const Entry& from, const Cta& by, mem::Outcome outcome) {
  const bool other = from.number != by.number;
  if (outcome == mem::Outcome::pending_hit) {
    stats_.pending_hits += other;
    return;
  }
  if (!other) {
    ++stats_.own_cta;
    return;
  }
  const Cta& owner = ctas_[from.slot];
  ++(owner.resident && owner.number == from.number ? stats_.resident_cta : stats_.earlier_cta);
  if (from.z != by.z) return;
  if (from.y == by.y) {
    ++stats_.same_row;
    stats_.distance_x = std::max<std::uint64_t>(stats_.distance_x, distance(from.x, by.x));
  }
  if (from.x == by.x) {
    ++stats_.same_column;
    stats_.distance_y = std::max<std::uint64_t>(stats_.distance_y, distance(from.y, by.y));
  }
}

std::size_t CtaSharing::place_of(LineAddress line) const {
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = (line.value * 0x9E3779B97F4A7C15ull >> 32) & mask;
  while (entries_[at].number != 0 && entries_[at].line != line) at = (at + 1) & mask;
  return at;
}

void CtaSharing::bring_in(LineAddress line, const Cta& cta, std::uint32_t slot) {
  if (2 * used_ >= entries_.size()) remove_evicted();
  Entry& entry = entries_[place_of(line)];
  used_ += entry.number == 0;
  entry = {line, cta.number, cta.x, cta.y, cta.z, slot, generation_};
}

// Keeps lines that the cache holds, and lines of the last generation, which may still be on their
// way to it.
void CtaSharing::remove_evicted() {
  std::vector<Entry> kept;
  for (const Entry& entry : entries_)
    if (entry.number != 0 && (entry.generation == generation_ ||
                              l1d_.tags().find(Address{entry.line.value}) != mem::kNoLine))
      kept.push_back(entry);
  const std::size_t size =
      kept.size() * 4 > entries_.size() ? 2 * entries_.size() : entries_.size();
  entries_.assign(size, {});
  for (const Entry& entry : kept) entries_[place_of(entry.line)] = entry;
  used_ = kept.size();
  ++generation_;
}

}  // namespace heddle::sm
