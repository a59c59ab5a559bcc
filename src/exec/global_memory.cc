#include "exec/global_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/diagnostics.h"

namespace heddle::exec {
namespace {

std::uint64_t round_up(std::uint64_t bytes) { return (bytes + kAllocationAlign - 1) / kAllocationAlign * kAllocationAlign; }

std::string named(const Allocation& a) {
  char text[64];
  std::snprintf(text, sizeof text, " (0x%llx, %llu bytes)", static_cast<unsigned long long>(a.base.value),
                static_cast<unsigned long long>(a.bytes));
  return a.what + text;
}

std::string bytes_text(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

// The block of `blocks` that contains the address, or null.
const Allocation* containing(const std::map<std::uint64_t, Allocation>& blocks, std::uint64_t address) {
  auto it = blocks.upper_bound(address);
  if (it == blocks.begin()) return nullptr;
  --it;
  return address - it->first < it->second.bytes ? &it->second : nullptr;
}

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t capacity_bytes) : capacity_(round_up(capacity_bytes)) {
  // Guard space on both sides of the image is not needed: every access is checked before it is made.
  void* image =
      mmap(nullptr, capacity_ + kAllocationAlign, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (image == MAP_FAILED) throw UserError("cannot reserve " + bytes_text(capacity_) + " of address space for device memory");
  image_ = static_cast<std::uint8_t*>(image);
}

GlobalMemory::~GlobalMemory() { munmap(image_, capacity_ + kAllocationAlign); }

Address GlobalMemory::allocate(std::uint64_t bytes, std::string what) {
  if (bytes == 0 || bytes > capacity_) return Address{0};
  const std::uint64_t size = round_up(bytes);
  std::uint64_t base = 0;
  const auto hole = std::find_if(holes_.begin(), holes_.end(), [&](const auto& h) { return h.second >= size; });
  if (hole != holes_.end()) {
    base = hole->first;
    const std::uint64_t rest = hole->second - size;
    holes_.erase(hole);
    if (rest) holes_.emplace(base + size, rest);
    std::memset(host(Address{base}), 0, bytes);
  } else {
    if (top_ - kHeapBase + size > capacity_) return Address{0};
    base = top_;
    top_ += size;
    valid_bytes_.resize((top_ - kHeapBase) / kAllocationAlign);
  }
  const std::uint64_t first = (base - kHeapBase) / kAllocationAlign;
  for (std::uint64_t i = 0; i < size / kAllocationAlign; ++i)
    valid_bytes_[first + i] = static_cast<std::uint16_t>(std::min(kAllocationAlign, bytes - i * kAllocationAlign));
  used_ += size;
  ++generation_;
  live_.emplace(base, Allocation{Address{base}, bytes, std::move(what)});
  for (auto it = freed_.lower_bound(base); it != freed_.end() && it->first < base + size;) it = freed_.erase(it);
  return Address{base};
}

bool GlobalMemory::free(Address base) {
  const auto it = live_.find(base.value);
  if (it == live_.end()) return false;
  const std::uint64_t size = round_up(it->second.bytes);
  const std::uint64_t first = (base.value - kHeapBase) / kAllocationAlign;
  std::fill_n(valid_bytes_.begin() + static_cast<std::ptrdiff_t>(first), size / kAllocationAlign, std::uint16_t{0});
  used_ -= size;
  ++generation_;
  freed_.insert_or_assign(base.value, std::move(it->second));
  live_.erase(it);

  // Holes that touch become one; one at the end gives its space back to the unused part.
  auto hole = holes_.emplace(base.value, size).first;
  if (const auto next = std::next(hole); next != holes_.end() && hole->first + hole->second == next->first) {
    hole->second += next->second;
    holes_.erase(next);
  }
  if (hole != holes_.begin()) {
    if (const auto previous = std::prev(hole); previous->first + previous->second == hole->first) {
      previous->second += hole->second;
      holes_.erase(hole);
    }
  }
  return true;
}

bool GlobalMemory::valid(Address address, std::uint64_t bytes) const {
  if (address.value < kHeapBase) return false;
  const std::uint64_t offset = address.value - kHeapBase, granule = offset / kAllocationAlign;
  if (granule >= valid_bytes_.size()) return false;
  const std::uint64_t within = offset % kAllocationAlign;
  if (within + bytes <= valid_bytes_[granule]) return true;
  if (within + bytes <= kAllocationAlign) return false;
  // Into the next granule: it may belong to another allocation.
  const Allocation* a = find(address);
  return a != nullptr && bytes <= a->bytes && address.value - a->base.value <= a->bytes - bytes;
}

const Allocation* GlobalMemory::find(Address address) const { return containing(live_, address.value); }

std::string GlobalMemory::describe(Address address) const {
  if (const Allocation* a = find(address)) return bytes_text(address.value - a->base.value) + " into " + named(*a);
  if (const Allocation* a = containing(freed_, address.value))
    return bytes_text(address.value - a->base.value) + " into freed " + named(*a);
  if (live_.empty()) return "nothing is allocated";
  const auto after = live_.upper_bound(address.value);
  const Allocation* below = after == live_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation* above = after == live_.end() ? nullptr : &after->second;
  const std::uint64_t past = below ? address.value - (below->base.value + below->bytes) : ~std::uint64_t{0};
  const std::uint64_t before = above ? above->base.value - address.value : ~std::uint64_t{0};
  if (below && past <= before) return bytes_text(past) + " after the end of " + named(*below);
  return bytes_text(before) + " before the start of " + named(*above);
}

}  // namespace heddle::exec
