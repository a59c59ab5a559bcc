#include "exec/check/shadow.h"

#include <algorithm>

namespace heddle::exec {

// Calls use(page number, word, bits) for each word of the range until it returns true.
template <class Use>
bool UnwrittenBytes::for_each_word(std::uint64_t address, std::uint64_t bytes, Use use) const {
  std::uint64_t at = address - first_;
  const std::uint64_t end = at + bytes;
  while (at < end) {
    const std::uint64_t page = at / kPageBytes;
    if (page >= pages_.size() || !pages_[page]) {
      at = (page + 1) * kPageBytes;
      continue;
    }
    const std::uint64_t bit = at % 64, count = std::min(64 - bit, end - at);
    const std::uint64_t bits = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1)
                               << bit;
    if (use(pages_[page]->words[at % kPageBytes / 64], bits)) return true;
    at += count;
  }
  return false;
}

void UnwrittenBytes::set(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || address < first_) return;
  const std::uint64_t first = (address - first_) / kPageBytes,
                      last = (address - first_ + bytes - 1) / kPageBytes;
  if (pages_.size() <= last) pages_.resize(last + 1);
  for (std::uint64_t page = first; page <= last; ++page)
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
  for_each_word(address, bytes,
                [](std::uint64_t& word, std::uint64_t bits) { return word |= bits, false; });
}

void UnwrittenBytes::clear(std::uint64_t address, std::uint64_t bytes) {
  if (address < first_) return;
  for_each_word(address, bytes,
                [](std::uint64_t& word, std::uint64_t bits) { return word &= ~bits, false; });
}

bool UnwrittenBytes::any(std::uint64_t address, std::uint64_t bytes) const {
  if (address < first_) return false;
  return for_each_word(address, bytes,
                       [](std::uint64_t word, std::uint64_t bits) { return (word & bits) != 0; });
}

void UnwrittenBytes::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  clear(to, bytes);
  if (!any(from, bytes)) return;
  for (std::uint64_t i = 0; i < bytes; ++i)
    if (any(from + i, 1)) set(to + i, 1);
}

// Keeps the writer whose value remains, since it may be ordered differently than those that store
// the same.
void Cell::note_write(const ShadowAccess& a) {
  const bool same = !a.changed && writes[0].valid;
  if (!same)
    writes[1] = {};
  else if (writes[0].changed || (!writes[1].valid && writes[0].thread != a.thread))
    writes[1] = writes[0];
  writes[0] = a;
}

// Keeps a reader of a different CTA than the last one, since its accesses are ordered differently.
void Cell::note_read(const ShadowAccess& a) {
  if (reads[0].valid && (reads[0].cta != a.cta || reads[0].thread != a.thread)) {
    const bool keeps_other_cta = reads[1].valid && reads[1].cta != a.cta && reads[0].cta == a.cta;
    if (!keeps_other_cta) reads[1] = reads[0];
  }
  reads[0] = a;
}

void AccessMap::split(Page& page) {
  std::vector<Cell> bytes(kPageBytes);
  for (std::size_t i = 0; i < kPageBytes; ++i) bytes[i] = page.cells[i / 4];
  page.cells = std::move(bytes);
  page.by_byte = true;
}

AccessMap::Range AccessMap::cells(std::uint64_t address, std::uint32_t bytes) {
  const std::uint64_t number = address / kPageBytes, within = address % kPageBytes;
  if (last_ == nullptr || last_number_ != number) {
    Page& page = pages_[number];
    if (page.cells.empty()) page.cells.resize(kPageBytes / 4);
    last_ = &page, last_number_ = number;
  }
  if (!last_->by_byte && (bytes < 4 || within % 4 != 0)) split(*last_);
  if (last_->by_byte) return {&last_->cells[within], bytes};
  return {&last_->cells[within / 4], bytes / 4};
}

void AccessMap::forget(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t at = address / 4 * 4; at < address + bytes; at += 4) {
    const Range range = cells(at, 4);
    std::fill_n(range.first, range.count, Cell{});
  }
}

}  // namespace heddle::exec
