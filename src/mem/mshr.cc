#include "mem/mshr.h"

#include <bit>

namespace heddle::mem {

MshrTable::MshrTable(std::uint32_t entries, std::uint32_t merges, bool merges_while_draining)
    : capacity_(entries),
      merges_(merges),
      merges_while_draining_(merges_while_draining),
      ready_(entries) {
  if (entries == 0 || merges == 0)
    throw UserError("a cache needs at least one MSHR that can hold one request");
  const std::uint32_t slots = std::bit_ceil(entries * 2);
  shift_ = 64 - (std::bit_width(slots) - 1);
  mask_ = slots - 1;
  table_.assign(slots, kNoMshr);
}

std::uint32_t MshrTable::open(std::uint64_t key) {
  check_invariant(!full(), "an MSHR was opened although none is free");
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const std::uint32_t entry = free_.back();
  free_.pop_back();
  ++used_;
  entries_[entry] = MshrEntry{};
  entries_[entry].key = key;
  insert(key, entry);
  return entry;
}

void MshrTable::merge(std::uint32_t entry, WaitingRequest request) {
  MshrEntry& e = entries_[entry];
  check_invariant(e.waiting < merges_, "a request was merged into a full MSHR");
  std::uint32_t number = free_request_;
  if (number == kNoMshr) {
    number = static_cast<std::uint32_t>(requests_.size());
    requests_.emplace_back();
  } else {
    free_request_ = requests_[number].next;
  }
  requests_[number] = {request, kNoMshr};
  (e.waiting++ == 0 ? e.first : requests_[e.last].next) = number;
  e.last = number;
}

void MshrTable::complete(std::uint32_t entry) {
  MshrEntry& e = entries_[entry];
  e.complete = true;
  if (!merges_while_draining_ || e.waiting == 0) erase(e.key);
  if (e.waiting == 0)
    release(entry);
  else
    ready_.push(entry);
}

WaitingRequest MshrTable::pop_ready() {
  const std::uint32_t entry = ready_.front();
  MshrEntry& e = entries_[entry];
  const std::uint32_t number = e.first;
  const Waiting served = requests_[number];
  requests_[number].next = free_request_;
  free_request_ = number;
  e.first = served.next;
  --e.waiting;
  if (served.next == kNoMshr) {
    ready_.pop();
    if (merges_while_draining_) erase(e.key);
    release(entry);
  }
  return served.request;
}

void MshrTable::release(std::uint32_t entry) {
  free_.push_back(entry);
  --used_;
  ++releases_;
}

void MshrTable::insert(std::uint64_t key, std::uint32_t entry) {
  std::uint32_t slot = slot_of(key);
  while (table_[slot] != kNoMshr) slot = (slot + 1) & mask_;
  table_[slot] = entry;
}

// Moves later entries of the probe chain into the hole, so that every search still finds its entry.
void MshrTable::erase(std::uint64_t key) {
  std::uint32_t hole = slot_of(key);
  while (entries_[table_[hole]].key != key) hole = (hole + 1) & mask_;
  for (std::uint32_t slot = (hole + 1) & mask_; table_[slot] != kNoMshr;
       slot = (slot + 1) & mask_) {
    const std::uint32_t home = slot_of(entries_[table_[slot]].key);
    if (((slot - home) & mask_) >= ((slot - hole) & mask_)) {
      table_[hole] = table_[slot];
      hole = slot;
    }
  }
  table_[hole] = kNoMshr;
}

}  // namespace heddle::mem
